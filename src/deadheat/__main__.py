"""deadheat as a program: `deadheat`, or `python -m deadheat`."""

import _signal as signal  # type: ignore[import-not-found] # loaded at once: no time for Ctrl-C to come between


def main() -> None:
    """Run the command line and leave with its exit code; see `deadheat.cli.main`."""
    # Until the command line can say so, Ctrl-C ends the process without a traceback.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from deadheat.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
