"""The command line: options, commands and exit codes; it computes nothing, and whatever it says, the library offers.

Nothing is imported here before Ctrl-C is watched for: loading the commands takes a while, too.
"""

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; Ctrl-C ends it with one word, even before the commands are loaded."""
    try:
        from setpref.cli import commands

        commands.main()
    except KeyboardInterrupt:
        import sys

        if "--json" in sys.argv[1:]:
            print('{"error": "interrupted"}')
        else:
            print("setpref: interrupted", file=sys.stderr)
        sys.exit(130)


def __getattr__(name: str) -> object:
    if name != "app":
        raise AttributeError(f"module 'setpref.cli' has no attribute {name!r}")
    from setpref.cli.commands import app

    return app
