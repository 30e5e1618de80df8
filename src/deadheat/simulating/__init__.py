"""The verb `simulate`: what a benchmark's numbers do when the truth is known."""

from deadheat.simulating.boards import BoardWorld
from deadheat.simulating.design import Design
from deadheat.simulating.verb import STUDIES, simulate
from deadheat.simulating.world import World

__all__ = ["STUDIES", "BoardWorld", "Design", "World", "simulate"]
