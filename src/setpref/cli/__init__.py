"""The command line: options, commands and exit codes; whatever it says, the library offers."""

from setpref.cli.commands import app, main

__all__ = ["app", "main"]
