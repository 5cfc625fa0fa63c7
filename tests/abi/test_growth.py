#!/usr/bin/env python3
"""Records may grow: a program runs with a library whose records have one field more, or one less.

usage: test_growth.py --source TOP --work FOLDER [--compiler CC]

A copy of the headers and the source gets `uint64_t later_field;` at the end of every record, which
is found by `size_t struct_size;` as its first member. Both are built as shared libraries, in plain C.
growth.c is compiled against either set of headers and run with both libraries:

    headers  library  must print
    today    today    something, and succeed
    today    later    the same
    later    today    the same; and with the field set, every call fails with PLIANT_BAD_DEF
    later    later    the same
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

RECORD = re.compile(r'typedef struct (\w+) \{\n(    size_t struct_size;\n.*?)\n\} \1;', re.S)
KNOWN = {'PliantHost', 'PliantShapeDef', 'PliantSkin', 'PliantContacts', 'PliantCollideDef', 'PliantExperiments', 'PliantStats',
         'PliantVolume', 'PliantTrianglePairs'}
FLAGS = ['-std=c17', '-O0', '-ffp-contract=off', '-fPIC', '-fvisibility=hidden', '-DPLIANT_SHARED',
         '-DPLIANT_BUILDING', '-DPLIANT_SCALAR']


def run(command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    return result.returncode, result.stdout, result.stderr


def must(command, **options):
    code, output, errors = run(command, **options)
    if code != 0:
        sys.exit(f'test_growth: {" ".join(map(str, command))}: {code}\n{output}{errors}')
    return output


def add_later_fields(include):
    """Returns the names of all records."""
    records = set()
    for header in sorted(include.glob('pliant/*.h')):
        text = header.read_text()
        records |= {match[0] for match in RECORD.findall(text)}
        header.write_text(RECORD.sub(r'typedef struct \1 {\n\2\n\n    uint64_t later_field;\n} \1;', text))
    return records


def build_library(compiler, tree, folder):
    """All sources but the kernels that are compiled per instruction set. Two compilers at a time."""
    folder.mkdir(parents=True)
    sources = [path for path in sorted(tree.glob('src/*/*.c')) if not path.stem.endswith('_wide')]
    if len(sources) < 50:
        sys.exit(f'test_growth: only {len(sources)} sources in {tree}')
    objects = [folder / f'{path.parent.name}_{path.stem}.o' for path in sources]
    commands = [[compiler, *FLAGS, f'-I{tree}/include', f'-I{tree}/src', '-c', path, '-o', target]
                for path, target in zip(sources, objects)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(must, commands))
    must([compiler, '-shared', '-Wl,-soname,libpliant.so', *objects, '-lm', '-o', folder / 'libpliant.so'])


def build_program(compiler, include, source, library, program, *flags):
    must([compiler, '-std=c17', '-O0', '-Wall', '-Wextra', '-Werror', '-DPLIANT_SHARED', *flags, f'-I{include}', source,
          f'-L{library}', '-lpliant', '-o', program])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--source', type=pathlib.Path, required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    parser.add_argument('--compiler', default=os.environ.get('CC', 'cc'))
    options = parser.parse_args()
    work, top = options.work.resolve(), options.source.resolve()
    program_source = top / 'tests/abi/growth.c'
    shutil.rmtree(work, ignore_errors=True)
    trees = {name: work / name for name in ('today', 'later')}
    for tree in trees.values():
        for part in ('include', 'src'):
            shutil.copytree(top / part, tree / part)
    records = add_later_fields(trees['later'] / 'include')
    if not KNOWN <= records:
        sys.exit(f'test_growth: found only {sorted(records)}')
    unused = [name for name in sorted(records) if name not in program_source.read_text()]
    if unused:
        sys.exit(f'test_growth: growth.c does not use {", ".join(unused)}')

    for name, tree in trees.items():
        build_library(options.compiler, tree, work / 'lib' / name)
    for name, tree in trees.items():
        build_program(options.compiler, tree / 'include', program_source, work / 'lib' / name, work / f'program-{name}',
                      *(['-DLATER'] if name == 'later' else []))

    def output_of(headers, library, *arguments):
        environment = dict(os.environ, LD_LIBRARY_PATH=str(work / 'lib' / library))
        code, output, errors = run([work / f'program-{headers}', *arguments], env=environment)
        if code != 0:
            sys.exit(f'test_growth: headers of {headers}, library of {library}, {arguments}: exit code {code}\n{output}{errors}')
        return output

    wanted = output_of('today', 'today')
    if wanted.count('\n') < 50:
        sys.exit(f'test_growth: hardly anything was printed\n{wanted}')
    for headers, library in (('today', 'later'), ('later', 'today'), ('later', 'later')):
        found = output_of(headers, library)
        if found != wanted:
            (work / 'wanted.txt').write_text(wanted)
            (work / 'found.txt').write_text(found)
            _, difference, _ = run(['diff', work / 'wanted.txt', work / 'found.txt'])
            sys.exit(f'test_growth: headers of {headers} with the library of {library} differ\n{difference}')
    output_of('later', 'today', 'set')
    print(f'test_growth: {len(records)} records, {wanted.count(chr(10))} lines the same in all four ways')


if __name__ == '__main__':
    main()
