"""Streams depend on their name and the seed, on nothing else."""

from deadheat.seeds import stream


def test_the_same_name_gives_the_same_stream():
    assert stream(0, "bootstrap", 3).integers(2**60) == stream(0, "bootstrap", 3).integers(2**60)


def test_other_names_and_seeds_give_other_streams():
    drawn = {
        stream(s, *n).integers(2**60) for s in (0, 1) for n in (("a",), ("b",), ("a", 1), ("a", 2), ("a1",))
    }
    assert len(drawn) == 10


def test_a_stream_is_the_same_on_every_machine():
    assert stream(0, "reference").integers(2**32, size=3).tolist() == [2317844661, 3831202613, 3901308259]
