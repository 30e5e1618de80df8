"""A JSON text with places: whatever it looks like, only the keys that are put in differ."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.annotating.json_text import Text, pieces

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
STYLES = st.sampled_from(
    [{}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}, {"ensure_ascii": False}]
)


@given(st.dictionaries(st.text(), VALUES, max_size=5), STYLES, st.text(), VALUES)
def test_a_member_is_put_in(made, style, key, value):
    text = json.dumps(made, **style)
    place = Text(text).object(0, lambda _, at: Text(text).decode(at)[1])
    start, end, new = place.put(key, json.dumps(value))
    out = "".join(pieces(text, [(start, end, new)]))
    assert json.loads(out) == made | {key: value}
    assert out.startswith(text[:start])
    assert out.endswith(text[end:])
    if key not in made:
        assert start == end, "nothing was taken away"


@given(st.lists(st.dictionaries(st.text(), VALUES, max_size=3), max_size=4), STYLES)
def test_places_of_elements(made, style):
    text = json.dumps(made, **style)
    found = []

    def visit(at):
        value, end = Text(text).decode(at)
        found.append(value)
        assert json.loads(text[at:end]) == value
        return end

    assert Text(text).array(0, visit) == len(text)
    assert found == made


@pytest.mark.parametrize(
    "text", ["{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{1:2}", "[1,", "[1 2]", "x"]
)
def test_what_is_no_json(text):
    walker = Text(text)
    walk = (
        walker.array if text.startswith("[") else lambda at, visit: walker.object(at, lambda _, at: visit(at))
    )
    with pytest.raises(ValueError):
        walk(0, lambda at: walker.decode(at)[1])


def test_repeated_keys_are_told():
    walker = Text('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert walker.decode(0)[0] == {"a": 3, "b": {"c": 2}}
    assert sorted(walker.repeated) == ["a", "c"]
    walker.decode(9 - 3)
    assert walker.repeated == []
