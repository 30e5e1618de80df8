"""Tools that are not among the locked packages, each in a folder of its own beside the environment."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".tools"


def tool(requirement: str) -> dict[str, str]:
    """Install a package once into `.tools`; return an environment in which it can be imported too.

    Parameters
    ----------
    requirement : str
        Name and version, as ``name==1.0``.
    """
    folder = TOOLS / requirement
    if not (folder / "done").exists():
        print(f"installing {requirement} into {folder.relative_to(ROOT)}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", str(folder)]
        subprocess.run([*uv, "--python", sys.executable, requirement], check=True)
        (folder / "done").touch()
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
