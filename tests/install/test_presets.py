#!/usr/bin/env python3
"""Checks CMakePresets.json: what users build does not fail on a warning of the next compiler; what we work with does."""
import json
import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


def variables(presets, name):
    """The cache variables of a preset, with those that it inherits."""
    preset = presets[name]
    parents = preset.get("inherits", [])
    found = {}
    for parent in [parents] if isinstance(parents, str) else parents:
        found.update(variables(presets, parent))
    return {**found, **preset.get("cacheVariables", {})}


def main():
    presets = {p["name"]: p for p in json.loads((TOP / "CMakePresets.json").read_text())["configurePresets"]}
    failed = [f"preset {name}: PLIANT_WERROR is {'not ' if is_wanted else ''}set"
              for name, is_wanted in (("release", False), ("dev", True))
              if bool(variables(presets, name).get("PLIANT_WERROR")) != is_wanted]
    for line in failed:
        print("test_presets:", line)
    print(f"test_presets: {2 - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
