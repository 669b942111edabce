"""The command line: parse, call the library once, print, exit with a code that means something.

Exit codes: 0 done; 1 a proof was rejected, or tasks of an experiment failed; 2 the input cannot be used; 3 a fault of
setpref itself; 130 interrupted.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, Any

import typer

from setpref.cli.console import Stopped, print_json
from setpref.cli.evaluating import evaluate, generate
from setpref.cli.experimenting import reproduce
from setpref.cli.learning import check, compare, learn, verify
from setpref.cli.predictions import best, explain, order, predict, synergies
from setpref.cli.repairing import repair, tradeoff
from setpref.errors import CertificateRejected, InputError, SetprefError
from setpref.version import __version__

__all__ = ["app", "main"]

app = typer.Typer(
    name="setpref",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Learn what somebody prefers among sets, from a few statements or ratings; exactly, with proofs.",
    epilog="Sets are written tea+lemon, the empty set {}.",
)

INTERRUPTED = 130

# Typer carries its own copy of click or imports it, depending on its version; the class is reached either way.
_USAGE_ERROR: Any = typer.BadParameter.__bases__[0]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"setpref {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for _command in (
    *(check, learn, compare, verify, repair, tradeoff, predict, order, synergies, best, explain, generate, evaluate),
    reproduce,
):
    app.command()(_command)


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    arguments = sys.argv[1:]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name the terminal cannot show is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(args=arguments, standalone_mode=False)
        if code == INTERRUPTED:  # what newer versions of typer make of Ctrl-C
            code = _fail("interrupted", INTERRUPTED, arguments)
    except _USAGE_ERROR as error:
        code = _misused(error, arguments)
    except CertificateRejected as error:
        code = _fail(str(error), 1, arguments)
    except (InputError, SetprefError) as error:
        code = _fail(str(error), 2, arguments)
    except Stopped as error:
        code = _fail(str(error), INTERRUPTED, arguments)
    except (KeyboardInterrupt, typer.Abort):
        code = _fail("interrupted", INTERRUPTED, arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:  # the last resort: a person never sees a traceback
        if os.environ.get("SETPREF_DEBUG"):
            raise
        code = _fail(
            f"this is a fault of setpref ({type(error).__name__}: {error}); please report it "
            "(SETPREF_DEBUG=1 shows where it happened)",
            3,
            arguments,
        )
    sys.exit(code if isinstance(code, int) else 0)


def _misused(error: Any, arguments: list[str]) -> int:
    """Report a wrong option or a missing argument; without any argument, show the help instead."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return 2
    hint = f"; see: {error.ctx.command_path} --help" if error.ctx else ""
    return _fail(error.format_message().rstrip(".") + hint, 2, arguments)


def _fail(sentence: str, code: int, arguments: list[str]) -> int:
    one_line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(sentence.split()))
    if "--json" in arguments:
        print_json({"error": one_line})
    else:
        typer.echo(f"setpref: {one_line}", err=True)
    return code
