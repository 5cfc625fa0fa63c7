"""Tokens of C, JavaScript and CMake text, and the top-level definitions that they form.

The scripts here that compare, rename or search code share this module. A token is (kind, text, start, end), where kind is
one of "name", "number", "string", "op" and "comment", and text[start:end] is the token in its file.
"""
import bisect
import collections
import re

Token = collections.namedtuple("Token", "kind text start end")

# A definition at the top level of a file: tokens[first:last] are its tokens.
Scope = collections.namedtuple("Scope", "name kind first last")

KEYWORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas
    _Alignof _Atomic _Bool _Generic _Noreturn _Static_assert _Thread_local bool true false NULL define defined include
    ifdef ifndef elif endif undef pragma error
    await class const export function import let new of this throw try catch var yield async null undefined""".split())

_OPERATORS = r"""\.\.\.|<<=|>>=|===|!==|=>|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\^=|\|=|\#\#"""
_COMMON = rf"""(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?P<name>[A-Za-z_$][\w$]*)|(?P<space>(?:\s|\\\n)+)|(?P<op>{_OPERATORS}|.)"""
_STRING = r'"(?:\\.|[^"\\\n])*"'
_CHARACTER = r"'(?:\\.|[^'\\\n])*'"
_PATTERNS = {
    "c": rf"(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>(?:u8|[uUL])?(?:{_STRING}|{_CHARACTER}))|{_COMMON}",
    "js": rf"(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>{_STRING}|{_CHARACTER}|`[^`]*`)|{_COMMON}",
    "cmake": rf"(?P<comment>\#[^\n]*)|(?P<string>\"(?:\\.|[^\"\\])*\")|{_COMMON}",
}
_PATTERNS = {language: re.compile(pattern, re.S | re.X) for language, pattern in _PATTERNS.items()}

_LANGUAGES = {".c": "c", ".h": "c", ".cpp": "c", ".hpp": "c", ".js": "js", ".mjs": "js", ".cmake": "cmake"}


def language_of(path):
    """The language of a file by its name, or None."""
    path = str(path)
    if path.endswith("CMakeLists.txt"):
        return "cmake"
    return next((language for suffix, language in _LANGUAGES.items() if path.endswith(suffix)), None)


def tokenize(text, language="c", with_comments=False):
    """All tokens of a text. Comments are left out unless asked for."""
    found = []
    for match in _PATTERNS[language].finditer(text):
        kind = match.lastgroup
        if kind != "space" and (with_comments or kind != "comment"):
            found.append(Token(kind, match.group(), match.start(), match.end()))
    return found


def is_identifier(token):
    """Whether a token is a name that somebody chose, and could choose anew."""
    return token.kind == "name" and token.text not in KEYWORDS


class Lines:
    """Line numbers of offsets in a text."""

    def __init__(self, text):
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]

    def number(self, offset):
        return bisect.bisect_right(self.starts, offset)

    def span(self, number):
        """Where a line starts, and where the next one does."""
        after = self.starts[number] if number < len(self.starts) else None
        return self.starts[number - 1], after


def _directives(text, tokens):
    """{index of a '#' that begins a preprocessor line: index behind that line's last token}."""
    found = {}
    for i, token in enumerate(tokens):
        if token.text != "#":
            continue
        line_start = text.rfind("\n", 0, token.start) + 1
        if text[line_start:token.start].strip():
            continue
        end = token.end
        while True:
            end = text.find("\n", end)
            if end < 0 or text[end - 1] != "\\":
                break
            end += 1
        last = i
        while last < len(tokens) and (end < 0 or tokens[last].start < end):
            last += 1
        found[i] = last
    return found


def _closing(tokens, i):
    """The index of the bracket that closes the one at i."""
    depth = 0
    for j in range(i, len(tokens)):
        if tokens[j].text in "([{":
            depth += 1
        elif tokens[j].text in ")]}":
            depth -= 1
            if depth == 0:
                return j
    return len(tokens) - 1


def _item_name(item):
    """(name, kind) of a top-level item, by its tokens up to the brace: function, type or variable."""
    i, last = 0, None
    while i < len(item):
        text = item[i].text
        if text == "(" and last is not None and item[last].kind == "name":
            end = _closing(item, i)
            if item[last].text in ("__attribute__", "_Alignas", "_Static_assert"):
                i, last = end + 1, None
                continue
            if end + 1 < len(item) and item[end + 1].text == "(":  # NAME(core)(arguments)
                inner = [t for t in item[i + 1:end] if t.kind == "name"]
                return (inner[0].text if inner else item[last].text), "function"
            return item[last].text, "function"
        if text in ("=", "["):
            return (item[last].text if last is not None else ""), "variable"
        if item[i].kind == "name":
            if text in ("struct", "enum", "union", "class") and i + 1 >= len(item):
                return "", "type"
            last = i
        i += 1
    is_type = any(t.text in ("struct", "enum", "union", "class") for t in item)
    return (item[last].text if last is not None and is_type else ""), "type"


def scopes(text, tokens):
    """The definitions at the top level, macros too, in order."""
    found, directives = [], _directives(text, tokens)
    item, start, depth, saved = [], 0, 0, []
    body = None  # (name, kind, index where its item starts) of what is open
    i = 0
    while i < len(tokens):
        if i in directives:
            after = directives[i]
            word = tokens[i + 1].text if i + 1 < after else ""
            if word == "define" and i + 2 < after and depth == 0:
                found.append(Scope(tokens[i + 2].text, "macro", i, after))
            elif word in ("if", "ifdef", "ifndef"):
                saved.append(depth)
            elif word in ("else", "elif") and saved:
                depth = saved[-1]
            elif word == "endif" and saved:
                saved.pop()
            i = after
            if depth == 0 and not item:
                start = i
            continue
        token = tokens[i]
        if token.text == "{":
            if depth == 0 and len(item) == 2 and item[0].text == "extern":
                item, start = [], i + 1  # extern "C": what is inside is at the top level
                i += 1
                continue
            if depth == 0:
                body = (*_item_name(item), start)
            depth += 1
        elif token.text == "}":
            depth -= 1
            if depth < 0:  # the end of extern "C"
                depth, item, start = 0, [], i + 1
            elif depth == 0 and body:
                name, kind, first = body
                if kind == "function":
                    found.append(Scope(name, kind, first, i + 1))
                    item, start, body = [], i + 1, None
        elif depth == 0 and token.text == ";":
            if body:  # a type or a variable with a body
                name, kind, first = body
                if kind == "type" and not name and tokens[i - 1].kind == "name":
                    name = tokens[i - 1].text
                found.append(Scope(name, kind, first, i + 1))
            elif item:
                name, kind = _item_name(item)
                found.append(Scope(name, "declaration" if kind == "function" else kind, start, i + 1))
            item, start, body = [], i + 1, None
        elif depth == 0:
            if not item:
                start = i
            item.append(token)
        i += 1
    return found
