"""What every test stands on."""

import signal


def pytest_configure() -> None:
    """Let Ctrl-C arrive, here and in the processes that tests start: a shell's background ignores it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
