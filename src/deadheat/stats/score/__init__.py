"""One entry's score: its value, standard error, interval, and how well intervals keep their level."""
