"""A plain table that reads the same on a terminal and in a log."""

from collections.abc import Sequence


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    texts = [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(len(column), *(len(row[i]) for row in texts)) for i, column in enumerate(columns)]
    print(f"\n{title}")
    for row in (list(columns), ["-" * width for width in widths], *texts):
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip(), flush=True)
