"""The verb `simulate`: what a benchmark's numbers do when the truth is known."""

from deadheat.simulating.board_worlds import BoardWorld
from deadheat.simulating.study_design import Design
from deadheat.simulating.verb import STUDIES, simulate
from deadheat.simulating.worlds import World

__all__ = ["STUDIES", "BoardWorld", "Design", "World", "simulate"]
