"""deadheat, run as a module: `python -m deadheat`."""

from deadheat.cli.main import main

if __name__ == "__main__":
    main()
