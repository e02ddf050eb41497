"""What ``.ci/run`` checks, one session at a time: ``nox -l`` lists them.

The commands stand in one place each: the README's test line, lists of tests in ``tests/*.txt``,
scripts and requirements in ``.ci``.
"""

import re
import shlex
from pathlib import Path

import nox

ROOT = Path(__file__).parent
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]

nox.options.sessions = ["fast"]
nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = False


def from_readme(program: str) -> list[list[str]]:
    """The commands of this program in the README's test line, with their arguments."""
    readme = (ROOT / "README.md").read_text("utf-8")
    line = re.search(r"^    (python3 -m venv .*pytest.*)$", readme, re.MULTILINE)
    assert line, "README.md has no test line"
    commands = [shlex.split(command) for command in line[1].split(" && ")]
    return [[program, *rest] for path, *rest in commands if Path(path).name == program]


@nox.session
def fast(session: nox.Session) -> None:
    """The tests that run at every save."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "2", "@tests/fast.txt", *session.posargs)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All tests that need no further package, as the README has it."""
    session.install("-e", ".[test]")
    (command,) = from_readme("python")
    session.run(*command, *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style and form."""
    session.install("ruff")
    for command in from_readme("ruff"):
        session.run(*command)


@nox.session
def types(session: nox.Session) -> None:
    """Types, strictly."""
    session.install("-e", ".[test]")
    (command,) = from_readme("mypy")
    session.run(*command)


@nox.session
def docs(session: nox.Session) -> None:
    """The site of docs/; a warning is an error."""
    session.run(".ci/docs", *session.posargs, external=True)


@nox.session
def pythons(session: nox.Session) -> None:
    """Every Python answers the same, to the last bit of every score."""
    session.run(".ci/pythons", external=True)


@nox.session
def development(session: nox.Session) -> None:
    """The glue on Scrapy's development version; a warning is an error."""
    session.install("-e", ".[test]")
    session.install("scrapy @ git+https://github.com/scrapy/scrapy@master")
    session.run("pytest", "-n", "2", "@tests/glue.txt", *session.posargs)


@nox.session
def oldest(session: nox.Session) -> None:
    """The glue on the oldest Scrapy that is supported."""
    session.install("-r", ".ci/oldest.txt")
    session.install("--no-deps", "-e", ".")
    session.run("pytest", "-n", "2", "@tests/glue.txt", *session.posargs)


@nox.session
def ecosystem(session: nox.Session) -> None:
    """With the packages of the ecosystem, which all have to be there."""
    session.install("-e", ".[test,poet,archive,dask,spark]")
    session.install("-r", "tests/ecosystem/requirements.txt")
    session.run("mypy")
    everything = {"WEBTEXT_ECOSYSTEM": "all"}
    session.run("pytest", "-n", "2", "tests/ecosystem", "tests/archive", env=everything)
