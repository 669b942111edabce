"""The report: one HTML file with every figure, table, claim and verdict, that needs nothing else and nobody's server.

Figures are put into the page as SVG, styles are in the page, there are no scripts; every text is escaped. It reads on
a phone: figures are as wide as a column, and wide tables scroll inside their own box.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from setpref.data.writing import write_text
from setpref.experiments.findings import Findings, drawings, findings
from setpref.experiments.judging import Claim
from setpref.experiments.records import Document
from setpref.experiments.sheet import Drawing

__all__ = ["write_report"]

CLASSES = {"reproduced": "yes", "partly": "half", "not reproduced": "no", "not tested": "none"}

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1rem; background: #fff; color: #1b1b1b;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.25rem; line-height: 1.25; margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid #ccc; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { max-width: 46rem; margin: .5rem 0; }
a { color: #00588a; }
nav ol { padding-left: 1.4rem; }
nav li { margin: .3rem 0; }
.note { color: #444; font-size: .9rem; }
.warn { border-left: .25rem solid #b35900; padding-left: .6rem; max-width: 46rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1.2rem 2rem; align-items: flex-start; }
figure { margin: .6rem 0; flex: 1 1 min(26rem, 100%); max-width: 31rem; min-width: 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { font-size: .85rem; color: #444; margin-top: .3rem; }
.claims { list-style: none; padding: 0; margin: .5rem 0; max-width: 60rem; }
.claims > li { border-top: 1px solid #ddd; padding: .6rem 0; }
.claims p { margin: 0; max-width: none; font-weight: 600; }
.claims dl { margin: .2rem 0 0; }
.claims dt { margin-top: .3rem; font-size: .9rem; }
.claims dd { margin: 0 0 0 .2rem; font-size: .85rem; color: #333; }
.claims .rule { margin-top: .3rem; font-size: .8rem; color: #555; font-weight: 400; }
.verdict { display: inline-block; border-radius: .25rem; padding: 0 .45rem; font-size: .82rem; font-weight: 600;
  border: 1px solid; white-space: nowrap; }
.yes { background: #e3f1fa; color: #00466e; border-color: #0072b2; }
.half { background: #fff3d6; color: #6b4700; border-color: #b37700; }
.no { background: #fbe6db; color: #7d2f00; border-color: #d55e00; }
.none { background: #f2f2f2; color: #444; border-color: #999; }
.box { overflow-x: auto; max-width: 100%; border: 1px solid #ddd; border-radius: .3rem; }
.box:focus { outline: 2px solid #0072b2; }
table { border-collapse: collapse; font-size: .82rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .6rem; white-space: nowrap; border-bottom: 1px solid #eee; }
th { background: #f6f6f6; border-bottom: 1px solid #bbb; }
td:first-child, th:first-child { position: sticky; left: 0; background: #f6f6f6; border-right: 1px solid #ddd; }
details { margin: .6rem 0; font-size: .9rem; }
summary { cursor: pointer; }
pre { overflow-x: auto; background: #f6f6f6; padding: .6rem; font-size: .8rem; border-radius: .3rem; }
@media print { body { max-width: none; } .box { overflow: visible; border: 0; } figure, .claims > li {
  break-inside: avoid; } }
"""


def write_report(documents: Sequence[Document], figures_folder: Path, path: Path) -> None:
    """Write the report of experiments, whole or not at all.

    Parameters
    ----------
    documents
        The experiments, in the order to show them.
    figures_folder
        Where :func:`setpref.experiments.findings.draw` has put their figures.
    path
        The HTML file to write.
    """
    found = [findings(document) for document in documents]
    sections = [_section(document, one, figures_folder) for document, one in zip(documents, found, strict=True)]
    body = "\n".join([_head(documents, found), *sections])
    write_text(
        path,
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>The paper's experiments, run again</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n",
    )


def _head(documents: Sequence[Document], found: Sequence[Findings]) -> str:
    entries = "\n".join(
        f'<li><a href="#{escape(one.experiment.name)}">{escape(one.experiment.title)}</a><br>{_tally(one.claims)}</li>'
        for one in found
    )
    quick = any(document.get("quick") for document in documents)
    failed = sum(len(document.get("failures", [])) for document in documents)
    warnings = [
        "Quick runs are among these: they show that all works and decide nothing." if quick else "",
        f"{failed:,} {'task' if failed == 1 else 'tasks'} failed; see the experiment's notes." if failed else "",
    ]
    return (
        "<h1>The paper's experiments, run again</h1>\n"
        "<p>Every figure and table of Section 5 of <cite>Robust Ordinal Regression for Subsets Comparisons with "
        "Interactions</cite>, made again by setpref, and the comparisons it left out. Each claim is in our words and "
        "has a verdict that follows from the figures by a stated rule; \u201ccertain\u201d means that a 95% interval "
        "over users lies on one side. ORD is the paper's method; LR, SVM and KNN are its rivals.</p>\n"
        + "".join(f'<p class="warn">{warning}</p>\n' for warning in warnings if warning)
        + f'<nav aria-label="Contents">\n<ol>\n{entries}\n</ol>\n</nav>'
    )


def _tally(claims: Sequence[Claim]) -> str:
    parts = []
    for ours, words in ((False, "the paper's claims:"), (True, "left open:")):
        counts = Counter((claim.verdict, claim.word) for claim in claims if claim.ours is ours)
        listed = sorted(counts, key=lambda key: list(CLASSES).index(key[0]))
        shown = " ".join(_verdict(verdict, f"{word}: {counts[verdict, word]}") for verdict, word in listed)
        parts += [f'<span class="note">{words}</span> {shown}'] if shown else []
    return "<br>".join(parts)


# -- an experiment ---------------------------------------------------------------------------------------------------


def _section(document: Document, found: Findings, folder: Path) -> str:
    study = found.experiment
    paper, ours = ([claim for claim in found.claims if claim.ours is kind] for kind in (False, True))
    parts = [
        f'<section id="{escape(study.name)}">\n<h2>{escape(study.title)}</h2>',
        f"<p>{escape(study.question)}</p>",
        "".join(f'<p class="note">{escape(note)}</p>\n' for note in found.notes),
        _figures(drawings(document), folder),
        _claims("What the paper says", paper),
        _claims("What it leaves open", ours),
        _table(found),
        _settings(document),
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _claims(heading: str, claims: Sequence[Claim]) -> str:
    if not claims:
        return ""
    items = []
    for text in dict.fromkeys(claim.text for claim in claims):
        same = [claim for claim in claims if claim.text == text]
        verdicts = "\n".join(
            f"<dt>{_verdict(claim.verdict, claim.word)} {escape(claim.scope)}</dt>\n<dd>{escape(claim.why)}</dd>"
            for claim in same
        )
        rules = dict.fromkeys(claim.rule for claim in same if claim.rule)
        rule = "".join(f'\n<p class="rule">Rule: {escape(one)}.</p>' for one in rules)
        items.append(f"<li><p>{escape(text)}</p>\n<dl>\n{verdicts}\n</dl>{rule}</li>")
    return f'<h3>{heading}</h3>\n<ul class="claims">\n' + "\n".join(items) + "\n</ul>"


def _verdict(verdict: str, words: str) -> str:
    return f'<span class="verdict {CLASSES[verdict]}">{escape(words)}</span>'


def _figures(planned: Sequence[Drawing], folder: Path) -> str:
    if not planned:
        return ""
    figures = [
        f"{_inline(folder / f'{one.name}.svg', one)}\n<figcaption>{escape(one.caption)}</figcaption>" for one in planned
    ]
    each = "\n".join(f"<figure>\n{figure}\n</figure>" for figure in figures)
    return f'<div class="figures">\n{each}\n</div>'


def _inline(file: Path, drawing: Drawing) -> str:
    """Return a figure's SVG for use inside a page: no prologue, no metadata, and names that are its own."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    start, end = text.find("<svg"), text.rfind("</svg>")
    if start < 0 or end < 0:
        return f'<p class="warn">The figure {escape(drawing.name)} is not drawn yet: run it with --figures-only.</p>'
    text = re.sub(r"<metadata>.*?</metadata>", "", text[start : end + len("</svg>")], flags=re.DOTALL)
    # Several figures share a page, and a name in it may stand only once.
    own = escape(drawing.name)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{own}-\1"', text.replace("xlink:href=", "href="))
    text = re.sub(r'\bhref="#([^"]+)"', rf'href="#{own}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{own}-\1)", text)
    # The page says how large it is; the view box keeps the shape.
    opening, rest = text.split(">", 1)
    opening = re.sub(r'\s(?:width|height|version|xmlns|xmlns:xlink)="[^"]*"', "", opening)
    return f'{opening} role="img" aria-label="{escape(drawing.caption)}">{rest}'


def _table(found: Findings) -> str:
    if not found.rows:
        return ""
    table = found.experiment.table
    header = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    rows = "\n".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in found.rows)
    label = escape(found.experiment.title)
    return (
        f'<h3>In numbers</h3>\n<p class="note">{escape(table.caption)}</p>\n'
        f'<div class="box" role="region" aria-label="{label}" tabindex="0">\n<table>\n'
        f"<thead><tr>{header}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
    )


def _settings(document: Document) -> str:
    names = ("experiment", "quick", "seed", "jobs", "seconds", "versions", "settings")
    kept = _written({name: document.get(name) for name in names})
    failures = document.get("failures", [])
    failed = (
        f"<details>\n<summary>What failed</summary>\n<pre>{_written(failures)}</pre>\n</details>\n" if failures else ""
    )
    return f"{failed}<details>\n<summary>Settings, seed and versions</summary>\n<pre>{kept}</pre>\n</details>"


def _written(value: object) -> str:
    return escape(json.dumps(value, ensure_ascii=False, indent=1))
