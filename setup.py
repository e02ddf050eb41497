"""Builds what is compiled where there is a C compiler: .pyx files, .py files next to a .pxd file.

Everything else is in setup.cfg. With WEBTEXT_CHECKED_BUILD=1 they are built with bounds
checks, for tests.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PACKAGE = Path("scrapy_webtext")
#: The folder of ``.pyx`` files. Elsewhere a ``.pxd`` file gives types to a ``.py`` file.
CORE = "core"
#: Modules that are compiled without a ``.pxd`` file, too.
COMPILED = ("extractors/fusion/*.py", "page/page.py", "page/scripts.py")
#: The module with the functions of Cython that all modules need: compiled once, not in each.
SHARED = "scrapy_webtext.core._shared"
#: Loops over characters gain a seventh of their instructions from -O3. -O2 takes half as long again
#: to compile as -O1; elsewhere it would save half a per cent of a page's instructions.
LEVELS = {CORE: "-O3", "page": "-O2"}
MAX_COMPILERS = 8  # each takes some hundred megabytes
IS_CHECKED = os.environ.get("WEBTEXT_CHECKED_BUILD", "") not in ("", "0")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": True,
    "initializedcheck": IS_CHECKED,
    "cdivision": True,
    "annotation_typing": False,
    "auto_pickle": False,
}


def extensions() -> list[Extension]:
    """Return the modules to build; none where Cython or lxml's headers are missing."""
    if os.environ.get("WEBTEXT_PURE_PYTHON", "") not in ("", "0"):
        return []
    try:
        import lxml
        from Cython.Build import cythonize
    except ImportError:
        return []
    typed = {path.with_suffix(".py") for path in PACKAGE.rglob("*.pxd") if path.stem != "__init__"}
    typed |= {path for name in COMPILED for path in PACKAGE.glob(name) if path.stem != "__init__"}
    sources = [*PACKAGE.rglob("*.pyx"), *(path for path in typed if path.parent.name != CORE)]
    shared = SHARED.replace(".", "/") + ".c"  # Cython writes it
    found = [
        Extension(
            path.rpartition(".")[0].replace("/", "."),
            [path],
            include_dirs=lxml.get_include(),
            define_macros=[("WEBTEXT_CHECKED", "1")] if IS_CHECKED else [],
            extra_compile_args=_flags(path),
        )
        for path in [*sorted(map(Path.as_posix, sources)), shared]
    ]
    numbers = PACKAGE / CORE / ("checked" if IS_CHECKED else "unchecked")
    return cythonize(
        found,
        compiler_directives=DIRECTIVES,
        include_path=[str(numbers)],
        force=IS_CHECKED,
        shared_utility_qualified_name=SHARED,
    )


def _flags(path: str) -> list[str]:
    """Return the options of the compiler."""
    if sys.platform == "win32":
        return []
    folder = "" if IS_CHECKED or path.endswith("_shared.c") else path.split("/")[1]
    # A product and a sum in one step, as GCC makes them on ARM, would be rounded once, not twice.
    return [LEVELS.get(folder, "-O1"), "-g0", "-ffp-contract=off"]


class OptionalBuild(build_ext):
    """Leaves all of them out, and says so once, where one cannot be built."""

    def finalize_options(self) -> None:
        """Let the compiler work on as many modules at once as there are processors."""
        super().finalize_options()
        self.parallel = self.parallel or min(os.cpu_count() or 1, MAX_COMPILERS)

    def run(self) -> None:
        """Build, if that can begin at all."""
        try:
            super().run()
        except Exception as error:
            self._leave_out(error)

    def build_extensions(self) -> None:
        """Build all of them or none."""
        try:
            super().build_extensions()
        except Exception as error:
            self._leave_out(error)

    def _leave_out(self, error: Exception) -> None:
        for extension in self.extensions:
            for path in (
                self.get_ext_fullpath(extension.name),
                self.get_ext_filename(extension.name),
            ):
                Path(path).unlink(missing_ok=True)
        self.extensions = []
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:120]
        print(
            f"scrapy_webtext: installed without its compiled parts ({reason}). It works as well "
            "and costs more CPU; install a C compiler and the headers of Python to have them",
            file=sys.stderr,
        )


setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuild})
