"""Compare results with a baseline in a GitHub workflow: gate, job summary and the pull request's comment.

Reads CANDIDATE, BASELINE or BASELINE_REF, MISSING_BASELINE, MARGIN, FAIL_ON, ARGUMENTS, COMMENT, ID,
PULL_REQUEST and TOKEN from the environment. Needs Python and git; deadheat is a module of that Python.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
from io import BytesIO
from pathlib import Path

LONGEST = 65_000  # characters of a comment; GitHub takes 65,536
ROBOT = "github-actions[bot]"
LEFT_OUT = "\n\n*The rest is in the summary of the job.*\n"


class UsageError(Exception):
    """What the workflow asks for cannot be done."""


def given(name: str) -> str:
    """An input of the action; an empty one is none."""
    return os.environ.get(name, "").strip()


def main() -> int:
    """Run the gate and return its exit code: that of `deadheat compare`."""
    work = Path(tempfile.mkdtemp(prefix="deadheat.", dir=os.environ.get("RUNNER_TEMP")))
    try:
        baseline = find_baseline(work)
    except UsageError as wrong:
        annotate("error", str(wrong))
        return 2
    if baseline is None:
        text = f"No baseline yet: {given('BASELINE_REF')} has no {given('CANDIDATE')}; nothing was compared."
        annotate("notice", text)
        append("GITHUB_STEP_SUMMARY", text)
        append("GITHUB_OUTPUT", f"failed=false\nsummary={text}")
        return 0
    document, comment = work / "comparison.json", work / "comment.md"
    command = [sys.executable, "-I", "-m", "deadheat", "compare"]
    command += [f"candidate={given('CANDIDATE')}", f"baseline={baseline}", *options()]
    code = subprocess.run([*command, "--json", "-o", document, "--comment", comment], check=False).returncode
    if code not in (0, 3):
        annotate("error", f"deadheat could not compare {given('CANDIDATE')} with its baseline")
        return code
    text = marked(comment.read_text(encoding="utf-8"))
    comment.write_text(text, encoding="utf-8")
    append("GITHUB_STEP_SUMMARY", text)
    summary = " ".join(json.loads(document.read_text(encoding="utf-8"))["summary"].split())
    failed = "true" if code == 3 else "false"
    append("GITHUB_OUTPUT", f"failed={failed}\njson={document}\nmarkdown={comment}\nsummary={summary}")
    if given("COMMENT") == "true" and given("PULL_REQUEST"):
        write_comment(text)
    return code


def options() -> list[str]:
    """Options of `deadheat compare`: every line and every quoted value of ARGUMENTS."""
    found = ["--margin", given("MARGIN")] if given("MARGIN") else []
    if given("FAIL_ON") not in ("", "nothing"):
        found += ["--fail-on", given("FAIL_ON")]
    try:
        return found + shlex.split(given("ARGUMENTS"))
    except ValueError as error:
        annotate("error", f"arguments: {error}; close every quotation mark")
        sys.exit(2)


def find_baseline(work: Path) -> str | None:
    """The path given, or the candidate as it was at a ref; None where there is none and may be none."""
    candidate, baseline, ref = Path(given("CANDIDATE")), given("BASELINE"), given("BASELINE_REF")
    if baseline:
        if not Path(baseline).exists():
            raise UsageError(f"baseline: {baseline} does not exist")
        return baseline
    if not ref:
        raise UsageError("give the action a baseline or a baseline-ref")
    top = Path(git("rev-parse", "--show-toplevel").decode().rstrip("\n"))
    try:
        within = Path(os.path.abspath(candidate)).relative_to(os.path.realpath(top))
    except ValueError:
        try:
            within = candidate.resolve().relative_to(os.path.realpath(top))
        except ValueError:
            raise UsageError(
                f"{candidate} is outside the repository {top}; give a baseline, not a baseline-ref"
            ) from None
    # A ref is looked up as a name and nothing else: one that begins with a dash is no option.
    commit = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}", may_fail=True)
    if commit is None:
        raise UsageError(f"baseline-ref: no commit {ref}; is the history fetched (fetch-depth: 0)?")
    where = ["--literal-pathspecs", "-C", str(top)]
    sha = commit.decode().strip()
    archive = git(*where, "archive", "--format=tar", sha, "--", str(within), may_fail=True)
    if archive is None:
        if given("MISSING_BASELINE") == "pass":
            return None
        raise UsageError(
            f"{ref} has no {within}; commit a baseline, or say `missing-baseline: pass` until there is one"
        )
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        tar.extractall(work / "baseline", filter="data")
    return str(work / "baseline" / within)


def git(*arguments: str, may_fail: bool = False) -> bytes | None:
    """Run git; None where it may fail and did."""
    done = subprocess.run(["git", *arguments], capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout
    if may_fail:
        return None
    raise UsageError(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")


def marked(text: str) -> str:
    """Put the check's id into the comment's first line, by which the next run finds it."""
    check = re.sub(r"[^\w./ -]+|--+", "-", given("ID")).strip("- ")
    first, _, rest = text.partition("\n")
    return f"<!-- deadheat: comparison {check} -->\n{rest}" if check else f"{first}\n{rest}"


def write_comment(text: str) -> None:
    """Write the comment, or replace the one that this check wrote before; a token that may not is told."""
    if len(text) > LONGEST:
        text = text[: LONGEST - len(LEFT_OUT)].rpartition("\n")[0] + LEFT_OUT
    issue = f"repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    try:
        me = author()
        marker = text.partition("\n")[0]
        for page in range(1, 101):
            found = call("GET", f"{issue}/{given('PULL_REQUEST')}/comments?per_page=100&page={page}")
            for old in found:
                if old["user"]["login"] == me and old["body"].partition("\n")[0].rstrip() == marker:
                    call("PATCH", f"{issue}/comments/{old['id']}", {"body": text})
                    return
            if len(found) < 100:
                break
        call("POST", f"{issue}/{given('PULL_REQUEST')}/comments", {"body": text})
    except urllib.error.HTTPError as error:
        if error.code not in (401, 403, 404):
            raise
        annotate(
            "warning",
            f"the comment was not written (HTTP {error.code}): the token may only read, as in a pull request "
            "from a fork, or the job lacks `permissions: pull-requests: write`. The job summary has it.",
        )


def author() -> str:
    """Who writes with this token: the workflow's own token is the robot's, and may not ask."""
    try:
        return str(call("GET", "user")["login"])
    except urllib.error.HTTPError as error:
        if error.code not in (401, 403, 404):
            raise
        return ROBOT


def call(method: str, path: str, body: object = None) -> object:
    """Call the REST interface of GitHub."""
    request = urllib.request.Request(
        f"{os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {given('TOKEN')}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def append(variable: str, text: str) -> None:
    """Append to a file that the runner named; without one, to standard output."""
    path = os.environ.get(variable)
    if path:
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(f"{text}\n")
    elif variable == "GITHUB_STEP_SUMMARY":
        print(text)


def annotate(level: str, text: str) -> None:
    """Show a line at the job; a line break or a percent sign of a name cannot begin another command."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::{level} title=deadheat::{text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
