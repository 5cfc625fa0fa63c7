"""Runs the command of the wheel: python -m pliant check model.glb."""
import os
import pathlib
import sys


def command():
    """Path of the command: the one that PLIANT_COMMAND names, or that of this package. None if there is none."""
    path = pathlib.Path(os.environ.get("PLIANT_COMMAND") or pathlib.Path(__file__).parent / "bin" / "pliant")
    if not path.exists():
        return None
    if not os.access(path, os.X_OK):  # unpacked by a program that forgets who may run a file
        path.chmod(0o755)
    return path


def main():
    path = command()
    if path is None:
        sys.exit("pliant: this package was built without the command")
    os.execv(path, [str(path), *sys.argv[1:]])


if __name__ == "__main__":
    main()
