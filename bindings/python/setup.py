"""Builds the wheel: python3 -m build --wheel --no-isolation, in this folder.

CMake compiles the module and the command. Both run on every Linux with the glibc that the tag of the wheel names: the
command is linked statically, and the module asks for no newer symbol.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
OLDEST_GLIBC = 17  # of manylinux2014


def version():
    text = (TOP / "include/pliant/base.h").read_text()
    return ".".join(re.search(rf"PLIANT_VERSION_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


def glibc_of(path):
    """The newest minor version of glibc 2 that a file asks for; 0 if it asks for none."""
    return max((int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)", path.read_bytes())), default=0)


class BuildByCMake(build_ext):
    def run(self):
        folder, package = TOP / "build/abi3", pathlib.Path(self.build_lib).resolve() / "pliant"
        options = {"CMAKE_BUILD_TYPE": "Release", "PLIANT_PYTHON": "ON", "PLIANT_TESTS": "OFF", "PLIANT_BENCH": "OFF",
                   "PLIANT_EXAMPLES": "OFF", "PLIANT_GL": "OFF", "PLIANT_INSTALL": "OFF", "BUILD_SHARED_LIBS": "OFF",
                   "PLIANT_TOOLS": "ON", "Python3_EXECUTABLE": sys.executable}
        if sys.platform == "linux":
            options |= {"CMAKE_PROJECT_INCLUDE": HERE / "wheel.cmake", "CMAKE_EXE_LINKER_FLAGS": "-static",
                        "CMAKE_C_STANDARD_LIBRARIES": "-l:libz.a -lm"}
        subprocess.run(["cmake", "-S", TOP, "-B", folder, *(f"-D{key}={value}" for key, value in options.items())], check=True)
        targets = ["pliant_python"]
        if "pliant_command" in subprocess.run(["cmake", "--build", folder, "--target", "help"], capture_output=True, text=True).stdout:
            targets.append("pliant_command")
        else:
            print("pliant: no jansson, the wheel is without the command")
        subprocess.run(["cmake", "--build", folder, "-j", str(os.cpu_count()), "--target", *targets], check=True)
        (package / "bin").mkdir(parents=True, exist_ok=True)
        built = [(folder / "bindings/python/pliant/_pliant.abi3.so", package / "_pliant.abi3.so")]
        if "pliant_command" in targets:
            built.append((folder / "tools/pliant", package / "bin/pliant"))
        for source, target in built:
            shutil.copy2(source, target)
            subprocess.run(["strip", "--strip-unneeded", target], check=True)


class AbiWheel(bdist_wheel):
    def get_tag(self):
        python, abi, system = super().get_tag()
        if sys.platform != "linux":
            return "cp311", "abi3", system
        built = pathlib.Path(self.bdist_dir) / "pliant"
        minor = max(OLDEST_GLIBC, *(glibc_of(path) for path in (built / "_pliant.abi3.so", built / "bin/pliant") if path.exists()))
        return "cp311", "abi3", f"manylinux_2_{minor}_{platform.machine()}"


setup(version=version(), ext_modules=[Extension("pliant._pliant", [], py_limited_api=True)],
      cmdclass={"build_ext": BuildByCMake, "bdist_wheel": AbiWheel})
