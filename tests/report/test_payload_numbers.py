"""Whole numbers of a page, however large."""

import base64
import json
import zlib

import pytest

import deadheat as dh
from deadheat.report import render
from deadheat.report.payload import Packer


@pytest.mark.parametrize("largest", [2**31, 2**53 - 1, 2**53, 10**60])
def test_numbers_of_any_size_are_kept(largest):
    packer = Packer()
    where = packer.add([-largest, 0, largest] if largest < 2**52 else [0, largest])
    raw = zlib.decompress(base64.b64decode(packer.pack({"where": where})))
    head = json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])["where"]
    if largest < 2**53:
        body, n = raw[4 + int.from_bytes(raw[:4], "little") :], head["length"]
        last = sum(body[head["at"] + plane * n + n - 1] << 8 * plane for plane in range(head["bytes"]))
        assert head["base"] + last == largest
    else:
        assert head["list"] == [0, largest]


def test_a_board_of_huge_scores_has_a_page():
    frame = {"entry": ["a", "a", "b", "b"], "item": ["x", "y"] * 2, "score": [1e58, 2.5, 3e57, 1.0]}
    assert "</html>" in render(dh.rank(dh.Table.from_frame(frame), every_pair=True), "html")
