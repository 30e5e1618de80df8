"""A small simulated board, so that the main job can be tried without any file."""

from pathlib import Path

BOARD = Path(__file__).parent / "board.csv"
