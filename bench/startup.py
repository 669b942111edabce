"""Start-up: `import setpref` and `setpref --help`, each in a fresh interpreter, median of five."""

import statistics
import subprocess
import sys
import time

from bench.table import show

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import setpref": ["-c", "import setpref"],
    "import setpref; setpref.learn": ["-c", "import setpref; setpref.learn"],
    "setpref --help": ["-c", "import sys; sys.argv = ['setpref', '--help']; from setpref.cli import main; main()"],
}


def main() -> None:
    rows = []
    for name, arguments in COMMANDS.items():
        seconds = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
            seconds.append(time.perf_counter() - start)
        rows.append([name, statistics.median(seconds)])
    show("Start-up", ("command", "seconds"), rows)
