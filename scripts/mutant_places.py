"""The list of mutants, tests/mutants/mutants.txt, and where each of them matches. scripts/mutants says what that means."""
import bisect
import collections
import re
import sys

import c_tokens

LIST = "tests/mutants/mutants.txt"
SEARCHED = ["src", "include", "backends", "tools", "cmake"]
KEYS = ["name", "file", "in", "from", "to", "test"]


# ---- The list ----------------------------------------------------------------------------------------------


class Mutant:
    """A block of the list: each key's lines, and the text that they came from."""

    def __init__(self, fields, text=None):
        self.fields, self.text = fields, text

    def __getattr__(self, key):
        return "\n".join(self.fields.get(key.rstrip("_"), []))

    @property
    def scope(self):
        return self.fields["in"][0] if self.fields.get("in") else None

    @property
    def program(self):
        return self.test.split()[0]

    def with_fields(self, **changes):
        fields = dict(self.fields)
        for key, text in changes.items():
            if text is None:
                fields.pop(key.rstrip("_"), None)
            else:
                fields[key.rstrip("_")] = text.split("\n")
        return Mutant(fields, self.text if fields == self.fields else None)

    def to_text(self):
        if self.text:
            return self.text
        rows = []
        for key in KEYS:
            for i, line in enumerate(self.fields.get(key, [])):
                label = f"{key}:" if i == 0 else ""
                rows.append(f"{label:<6}{line.strip()}".rstrip())
        return "\n".join(rows)


def parse_list(text):
    """The list as comments (strings) and mutants, in order."""
    parts, fields, key, lines = [], {}, None, []
    for line in text.splitlines() + [""]:
        if line.startswith("#"):
            parts.append(line)
            continue
        match = re.match(r"(name|file|in|from|to|test):\s*(.*)", line)
        if match:
            key = match.group(1)
            if key in fields:
                sys.exit(f"mutants.txt: {key} twice in {fields['name']}: a blank line is missing")
            fields[key] = [match.group(2)]
        elif line.strip():
            fields[key].append(line.strip())
        elif fields:
            parts.append(Mutant(fields, "\n".join(lines)))
            fields, lines = {}, []
        if line.strip():
            lines.append(line)
    return parts


def list_text(parts):
    text, last = "", ""
    for part in parts:
        is_comment = isinstance(part, str)
        text += "\n" if text and not (is_comment and isinstance(last, str)) else ""
        text += (part if is_comment else part.to_text()) + "\n"
        last = part
    return text


# ---- Where a mutant matches --------------------------------------------------------------------------------

# tokens[first:last] of a file; the renaming that makes them the mutant's, {(identifier, is a member): identifier}.
Place = collections.namedtuple("Place", "path first last renaming")


class Source:
    """A file: its tokens, and strings of them to search in."""

    def __init__(self, path, text):
        self.path, self.text, self.language = path, text, c_tokens.language_of(path)
        self.tokens = c_tokens.tokenize(text, self.language)
        self.lines = c_tokens.Lines(text)
        self._scopes = None
        self.exact = Searched([t.text for t in self.tokens])
        self.shape = Searched(shape_of(self.tokens))

    @property
    def scopes(self):
        if self._scopes is None:
            self._scopes = c_tokens.scopes(self.text, self.tokens) if self.language != "cmake" else []
        return self._scopes

    def scope_at(self, token):
        """The definition that holds a token, or None."""
        return next((s for s in self.scopes if s.first <= token < s.last), None)


class Searched:
    """Words in a row, and where words in a row are found among them."""

    def __init__(self, words):
        self.starts, offset = [], 1
        for word in words:
            self.starts.append(offset)
            offset += len(word) + 1
        self.text = "\0" + "".join(word + "\0" for word in words)

    def find(self, words):
        wanted, at = "\0" + "".join(word + "\0" for word in words), -1
        while words:
            at = self.text.find(wanted, at + 1)
            if at < 0:
                return
            yield bisect.bisect_left(self.starts, at + 1)


def shape_of(tokens):
    """What is left of tokens when identifiers lose their names."""
    return ["\1" if c_tokens.is_identifier(t) else t.text for t in tokens]


def renaming_between(old, new):
    """Which identifiers of `old` became which of `new`: {(name, is a member): name}, or None if that is not one to one."""
    there, back = {}, {}
    for i, (a, b) in enumerate(zip(old, new)):
        if not c_tokens.is_identifier(a):
            continue
        is_member = i > 0 and old[i - 1].text in (".", "->")
        if there.setdefault((a.text, is_member), b.text) != b.text or back.setdefault((b.text, is_member), a.text) != a.text:
            return None
    return there


class Tree:
    """All files in which mutants are searched."""

    def __init__(self, files):
        self.sources = {path: Source(path, text) for path, text in sorted(files.items()) if c_tokens.language_of(path)}
        self._names = self._shapes = None

    @property
    def shapes(self):
        """Definitions by their shape: {shape: [(path, scope)]}."""
        if self._shapes is None:
            self._shapes = collections.defaultdict(list)
            for source in self.sources.values():
                for scope in source.scopes:
                    self._shapes[tuple(shape_of(source.tokens[scope.first:scope.last]))].append((source.path, scope))
        return self._shapes

    @property
    def names(self):
        if self._names is None:
            self._names = {t.text for s in self.sources.values() for t in s.tokens if t.kind == "name"}
        return self._names

    def find(self, text, scope=None, is_renamed=False):
        """Every place whose tokens are those of a text, or are with identifiers renamed."""
        patterns = {language: c_tokens.tokenize(text, language) for language in ("c", "js", "cmake")}
        found = []
        for source in self.sources.values():
            pattern = patterns[source.language]
            words = shape_of(pattern) if is_renamed else [t.text for t in pattern]
            for first in (source.shape if is_renamed else source.exact).find(words):
                last = first + len(pattern)
                renaming = renaming_between(pattern, source.tokens[first:last])
                holder = source.scope_at(first)
                if renaming is not None and (scope is None or holder and holder.name == scope):
                    found.append(Place(source.path, first, last, renaming))
        return found

    def places(self, mutant):
        return self.find(mutant.from_, mutant.scope)

    def line(self, place):
        source = self.sources[place.path]
        return source.lines.number(source.tokens[place.first].start)

    def scope_name(self, place):
        scope = self.sources[place.path].scope_at(place.first)
        return scope.name if scope else None

    def describe(self, place):
        source, scope = self.sources[place.path], self.scope_name(place)
        text = source.text[source.tokens[place.first].start:source.tokens[place.last - 1].end]
        where = f"{place.path}:{self.line(place)}" + (f" ({scope})" if scope else "")
        return f"{where}: {' '.join(text.split())}"

    def mutated(self, place, to):
        """The file's text with a mutant in it."""
        source = self.sources[place.path]
        start, end = source.tokens[place.first].start, source.tokens[place.last - 1].end
        if source.text[source.text.rfind("\n", 0, start) + 1:].lstrip().startswith("#"):
            to = " ".join(to.split("\n"))  # a directive is one line
        return source.text[:start] + to + source.text[end:]


def read_tree(top):
    files = {}
    for folder in SEARCHED:
        for path in sorted((top / folder).rglob("*")):
            if c_tokens.language_of(path.name) and "node_modules" not in path.parts:
                files[str(path.relative_to(top))] = path.read_text()
    return Tree(files)


def check(parts, tree):
    """What is wrong with the list: each mutant is to match once."""
    found, names = [], set()
    for mutant in parts:
        if isinstance(mutant, str):
            continue
        if mutant.name in names:
            found.append(f"'{mutant.name}': this name is given twice")
        names.add(mutant.name)
        places = tree.places(mutant)
        if len(places) != 1:
            where = f" in {mutant.scope}" if mutant.scope else ""
            found.append(f"'{mutant.name}': matches in {len(places)} places{where}, not in one")
            found += [f"    {tree.describe(place)}" for place in places[:4]]
    return found
