"""The README shows three tasks; `test_docs.py` runs what it shows and follows its links."""

from console import ROOT, shown


def test_the_readme_shows_three_tasks():
    commands = [
        example.text for example in shown((ROOT / "README.md").read_text()) if example.kind == "console"
    ]
    assert [command.split()[1] for command in commands] == ["rank", "compare", "plan"]
