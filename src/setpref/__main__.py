"""Run the command line as ``python -m setpref``."""

from setpref.cli import main

main()
