"""The Action: its steps run as a runner runs them, over a repository and a GitHub made on the spot."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from support import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
ROBOT = "github-actions[bot]"


class GitHub:
    """Comments of one pull request, and what the token may do."""

    def __init__(self, *, writes=True, login=None):
        self.comments, self.writes, self.login, self.calls = [], writes, login, []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *rest):
                return

            def do_GET(self):
                outer.calls.append(("GET", self.path))
                if self.path == "/user":
                    return self.say(*((200, {"login": outer.login}) if outer.login else (403, {})))
                page = int(re.search(r"[?&]page=(\d+)", self.path)[1])
                return self.say(200, outer.comments[100 * (page - 1) : 100 * page])

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
                outer.calls.append(("POST", self.path))
                if not outer.writes:
                    return self.say(403, {"message": "Resource not accessible by integration"})
                outer.add(body, outer.login or ROBOT)
                return self.say(201, {})

            def do_PATCH(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
                outer.calls.append(("PATCH", self.path))
                outer.comments[int(self.path.rpartition("/")[2])]["body"] = body
                return self.say(200, {})

            def say(self, status, value):
                content = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def add(self, body, login):
        self.comments.append({"id": len(self.comments), "user": {"login": login}, "body": body})

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def github(request):
    made = []

    def make(**options):
        made.append(GitHub(**options))
        return made[-1]

    yield make
    for each in made:
        each.server.shutdown()
        each.server.server_close()


def git(folder, *arguments):
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def scores(*, right, path):
    rows = [f"m,q{i},{int(i % 100 < right)},{'ab'[i % 2]}" for i in range(400)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("entry,item,score,half\n" + "\n".join(rows) + "\n")


@pytest.fixture
def repository(tmp_path):
    """A repository whose main branch scores 80 %, and whose working tree scores 60 %."""
    folder = tmp_path / "my repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    scores(right=80, path=folder / "evals" / "new results[1].csv")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "base")
    scores(right=60, path=folder / "evals" / "new results[1].csv")
    return folder


@pytest.fixture(scope="session")
def runner(tmp_path_factory):
    """The folder that a runner gives, with the environment made already: packages as of these tests."""
    temp = tmp_path_factory.mktemp("runner")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", temp / "deadheat"], check=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = temp / "deadheat" / "lib" / version / "site-packages"
    (packages / "tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (packages / "deadheat.pth").write_text(f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n")
    (temp / "deadheat" / "ready").touch()
    return temp


def act(folder, runner, tmp_path, github=None, **inputs):
    """Run the steps of the action as a runner does: expressions filled in, each `run` a script of bash."""
    values = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
    values |= {name.replace("_", "-"): value for name, value in inputs.items()}
    known = {f"inputs.{name}": value for name, value in values.items()}
    known |= {
        "github.workflow": "evals",
        "github.job": "compare",
        "github.token": "secret",
        "github.event.pull_request.number": "7" if github else "",
        "steps.python.outputs.python-path": sys.executable,
    }

    def filled(text):
        while EXPRESSION.search(text):
            text = EXPRESSION.sub(lambda found: known[found[1]], text)
        return text

    for name in ("summary", "output"):
        (tmp_path / name).unlink(missing_ok=True)
    out = ""
    for step in ACTION["runs"]["steps"]:
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"]), (
                "an action is pinned by commit"
            )
            continue
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path),
                "RUNNER_TEMP": str(runner),
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
                "GITHUB_OUTPUT": str(tmp_path / "output"),
                "GITHUB_REPOSITORY": "owner/name",
                "GITHUB_API_URL": github.url if github else "http://127.0.0.1:9",
            }
            | {name: filled(str(value)) for name, value in step.get("env", {}).items()},
        )
        out += done.stdout + done.stderr
        if done.returncode:
            break
    told = (tmp_path / "output").read_text() if (tmp_path / "output").exists() else ""
    outputs = dict(line.split("=", 1) for line in told.splitlines())
    summary = (tmp_path / "summary").read_text() if (tmp_path / "summary").exists() else ""
    return done.returncode, out, outputs, summary


RESULTS = "evals/new results[1].csv"
GATE = {"candidate": RESULTS, "baseline_ref": "main", "comment": "true", "margin": "0.01"}


def test_a_worse_candidate_fails_and_is_commented_once(repository, runner, tmp_path, github):
    hub = github()
    for _ in range(2):
        code, out, outputs, summary = act(repository, runner, tmp_path, hub, **GATE)
        assert code == 3, out
        assert outputs["failed"] == "true"
        assert json.loads(Path(outputs["json"]).read_text())["gate"]["failed"]
        assert "baseline scores higher than candidate by" in summary
        assert len(hub.comments) == 1
    first = hub.comments[0]["body"]
    assert first.startswith("<!-- deadheat: comparison evals compare -->\n")
    assert [method for method, _ in hub.calls if method != "GET"] == ["POST", "PATCH"]
    scores(right=80, path=repository / RESULTS)
    code, out, outputs, _ = act(repository, runner, tmp_path, hub, **GATE)
    assert (code, outputs["failed"]) == (0, "false"), out
    assert hub.comments[0]["body"] != first


def test_two_gates_in_one_pull_request(repository, runner, tmp_path, github):
    hub = github()
    for _ in range(2):
        for name in ("accuracy", "cost -- <b>"):
            act(repository, runner, tmp_path, hub, **GATE, id=name)
    assert [comment["body"].partition("\n")[0] for comment in hub.comments] == [
        "<!-- deadheat: comparison accuracy -->",
        "<!-- deadheat: comparison cost - -b -->",
    ]


def test_only_our_own_comment_is_replaced(repository, runner, tmp_path, github):
    marker = "<!-- deadheat: comparison evals compare -->\nmine"
    for login in (None, "somebody-with-a-token"):
        hub = github(login=login)
        for _ in range(150):
            hub.add(marker, "a-stranger")
        for _ in range(2):
            act(repository, runner, tmp_path, hub, **GATE)
        assert len(hub.comments) == 151
        assert [comment["body"] for comment in hub.comments[:150]] == [marker] * 150
        assert hub.comments[150]["user"]["login"] == login or ROBOT


def test_a_fork_s_token_may_only_read(repository, runner, tmp_path, github):
    code, out, outputs, summary = act(repository, runner, tmp_path, github(writes=False), **GATE)
    assert (code, outputs["failed"]) == (3, "true")
    assert "::warning title=deadheat::the comment was not written (HTTP 403)" in out
    assert "baseline scores higher" in summary


ARGUMENTS = """--by half
--level 0.9 --cluster half
  --adjust "holm"
--alpha '0.01'
"""


def test_every_line_and_quoted_value_of_arguments_is_used(repository, runner, tmp_path):
    inputs = GATE | {"comment": "false", "fail_on": "nothing"}
    code, out, outputs, _ = act(repository, runner, tmp_path, **inputs, arguments=ARGUMENTS)
    assert code == 0, out
    said = json.loads(Path(outputs["json"]).read_text())
    chosen = said["methods"]
    assert (said["estimand"]["cluster"], chosen["adjust"], chosen["alpha"]) == ("half", "holm", 0.01)
    assert said["methods"]["level"] == 0.9
    code, out, *_ = act(repository, runner, tmp_path, **inputs, arguments='--cluster "half')
    assert code == 2
    assert "::error title=deadheat::arguments: No closing quotation" in out


@pytest.mark.parametrize(
    "ref", ["--output=owned", "-oowned", "--exec=touch owned", "HEAD:evals", "none", "main..HEAD"]
)
def test_a_baseline_ref_is_no_option(ref, repository, runner, tmp_path):
    code, out, *_ = act(repository, runner, tmp_path, candidate=RESULTS, baseline_ref=ref)
    assert code == 2
    assert f"::error title=deadheat::baseline-ref: no commit {ref}" in out
    assert not list(tmp_path.rglob("owned"))


def test_what_is_missing_is_told(repository, runner, tmp_path):
    code, out, *_ = act(repository, runner, tmp_path, candidate=RESULTS)
    assert (code, "give the action a baseline or a baseline-ref" in out) == (2, True)
    code, out, *_ = act(repository, runner, tmp_path, candidate=RESULTS, baseline="nowhere.csv")
    assert (code, "baseline: nowhere.csv does not exist" in out) == (2, True)
    scores(right=70, path=repository / "other.csv")
    code, out, *_ = act(repository, runner, tmp_path, candidate="other.csv", baseline_ref="main")
    assert (code, "main has no other.csv" in out) == (2, True)
    code, out, outputs, summary = act(
        repository, runner, tmp_path, candidate="other.csv", baseline_ref="main", missing_baseline="pass"
    )
    assert (code, outputs["failed"]) == (0, "false")
    assert "No baseline yet" in summary
    code, out, *_ = act(repository, runner, tmp_path, candidate="none.csv", baseline=RESULTS)
    assert code == 1
    assert "deadheat could not compare none.csv" in out


def test_absolute_paths_and_folders_below_the_top(repository, runner, tmp_path):
    path = repository / RESULTS
    code, out, outputs, _ = act(repository, runner, tmp_path, candidate=str(path), baseline_ref="main")
    assert (code, outputs["failed"]) == (3, "true"), out
    code, out, outputs, _ = act(path.parent, runner, tmp_path, candidate=path.name, baseline_ref="main")
    assert (code, outputs["failed"]) == (3, "true"), out
    code, out, *_ = act(repository, runner, tmp_path, candidate=str(tmp_path / "x.csv"), baseline_ref="main")
    assert (code, "is outside the repository" in out) == (2, True)


def test_modules_of_the_repository_are_not_imported(repository, runner, tmp_path):
    for name in ("numpy", "json", "deadheat"):
        (repository / f"{name}.py").write_text("raise SystemExit('hijacked')")
    code, out, *_ = act(repository, runner, tmp_path, candidate=RESULTS, baseline_ref="main")
    assert code == 3, out


def test_a_long_comment_is_cut(monkeypatch):
    import importlib.util

    spec = importlib.util.spec_from_file_location("compare", ROOT / "integrations" / "github" / "compare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sent = []
    monkeypatch.setattr(module, "call", lambda method, path, body=None: sent.append(body) or [])
    monkeypatch.setattr(module, "author", lambda: ROBOT)
    monkeypatch.setenv("GITHUB_REPOSITORY", "owner/name")
    module.write_comment("<!-- marker -->\n" + "a line\n" * 20_000)
    assert len(sent[-1]["body"]) < 65_536
    assert sent[-1]["body"].endswith("*The rest is in the summary of the job.*\n")


def test_the_lock_holds_what_the_package_needs():
    """Each block of the small lock is one of the large one; nothing that only developers need is in it."""

    def pins(path):
        return set(re.findall(r"(?m)^([\w.-]+==[^\\\n]*?) *\\?$", (ROOT / path).read_text()))

    small, large = pins("requirements.lock"), pins("requirements-dev.lock")
    assert small < large
    names = {pin.partition("==")[0] for pin in small}
    project = (ROOT / "pyproject.toml").read_text()
    needed = re.findall(r'(?m)^    "([\w.-]+)', project.partition("dependencies = [")[2].partition("\n]")[0])
    assert names >= {name.replace(".", "-") for name in needed}
    assert not names & {"pytest", "mypy", "ruff", "matplotlib", "dask", "numba", "uv", "pandas"}


def test_action_and_hook_name_what_exists():
    script = (ROOT / "integrations" / "github" / "compare.py").read_text()
    step = ACTION["runs"]["steps"][-1]
    assert set(re.findall(r"given\([\"']([A-Z_]+)[\"']\)", script)) == set(step["env"])
    for name in ("install.sh", "compare.py"):
        assert any(f"integrations/github/{name}" in each.get("run", "") for each in ACTION["runs"]["steps"])
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["entry"] == "deadheat compare"


FILES = {
    "github/workflow.yml": "yaml",
    "gitlab/gitlab-ci.yml": "yaml",
    "pre-commit/pre-commit-config.yaml": "yaml",
    "pytest/test_evals.py": "python",
}


@pytest.mark.parametrize("name", FILES)
def test_the_page_shows_the_files_that_work(name):
    text = (ROOT / "integrations" / name).read_text()
    assert f"```{FILES[name]}\n{text}```" in (ROOT / "docs" / "ci.md").read_text()


@pytest.fixture
def evals(tmp_path):
    """A clone whose branch scores 60 %, where its origin's main scores 80 %."""
    origin, folder = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    git(origin, "init", "-q", "-b", "main")
    for name in ("results", "baseline"):
        scores(right=80, path=origin / "evals" / f"{name}.csv")
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "base")
    git(tmp_path, "clone", "-q", str(origin), str(folder))
    scores(right=60, path=folder / "evals" / "results.csv")
    return folder


def sh(folder, script, **environment):
    """Run a script where `deadheat` is the command of this checkout."""
    tools = folder.parent / "bin"
    tools.mkdir(exist_ok=True)
    (tools / "deadheat").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m deadheat "$@"\n')
    (tools / "deadheat").chmod(0o755)
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"} | environment,
    )


def test_the_workflow_for_github_works(repository, runner, tmp_path, github):
    job = yaml.safe_load((ROOT / "integrations/github/workflow.yml").read_text())["jobs"]["compare"]
    checkout, gate = job["steps"]
    assert re.fullmatch(r"actions/checkout@[0-9a-f]{40}", checkout["uses"])
    assert checkout["with"]["fetch-depth"] == 0
    assert set(gate["with"]) <= set(ACTION["inputs"])
    (repository / "evals" / "new results[1].csv").rename(repository / "evals" / "results.csv")
    path = repository / "evals" / "results.csv"
    header, *rows = path.read_text().replace("half", "repository", 1).splitlines()
    rows = [f"{row.rpartition(',')[0]},r{at * 7 % 23}" for at, row in enumerate(rows)]
    path.write_text("\n".join([header, *rows]) + "\n")
    inputs = {name.replace("-", "_"): value for name, value in gate["with"].items()}
    hub = github()
    for right in (80, 60):  # the first commit of the results has no baseline
        inputs["baseline_ref"] = "main"
        code, out, *_ = act(repository, runner, tmp_path, hub, **inputs)
        assert code == (0 if right == 80 else 3), out
        git(repository, "add", "-A")
        git(repository, "commit", "-q", "-m", "results")
        rows = path.read_text().splitlines()
        path.write_text("\n".join([rows[0], *(row.replace(",1,", ",0,") for row in rows[1:])]) + "\n")
    assert len(hub.comments) == 1
    assert hub.comments[0]["body"].startswith("<!-- deadheat: comparison accuracy -->")


def test_the_file_for_gitlab_works(evals):
    job = yaml.safe_load((ROOT / "integrations/gitlab/gitlab-ci.yml").read_text())["evals"]
    variables = job["variables"] | {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
    done = sh(evals, "\n".join(job["script"]), **variables)
    assert done.returncode == 3, done.stderr
    assert all((evals / path).is_file() for path in job["artifacts"]["paths"])
    assert "baseline scores higher" in sh(evals, "\n".join(job["after_script"])).stdout
    git(evals, "checkout", "-q", ".")
    assert sh(evals, "\n".join(job["script"]), **variables).returncode == 0


def test_the_file_for_pre_commit_works(evals):
    (repo,) = yaml.safe_load((ROOT / "integrations/pre-commit/pre-commit-config.yaml").read_text())["repos"]
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (used,) = repo["hooks"]
    assert used["id"] == hook["id"]
    command = " ".join([hook["entry"], *used["args"]])
    assert sh(evals, command).returncode == 3
    git(evals, "checkout", "-q", ".")
    assert sh(evals, command).returncode == 0


def test_the_file_for_pytest_works(evals):
    (evals / "test_evals.py").write_text((ROOT / "integrations/pytest/test_evals.py").read_text())
    command = f'"{sys.executable}" -m pytest -q -p no:cacheprovider test_evals.py'
    done = sh(evals, command)
    assert done.returncode == 1, done.stdout
    assert "candidate is worse than baseline by more than 5.0 points" in done.stdout
    git(evals, "checkout", "-q", ".")
    assert sh(evals, command).returncode == 0
