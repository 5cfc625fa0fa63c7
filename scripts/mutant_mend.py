"""Finds mutants again whose code was renamed or moved. scripts/mutants --mend says how."""
import collections
import difflib
import io
import subprocess
import tarfile

import c_tokens
from mutant_places import KEYS, LIST, SEARCHED, Mutant, Place, Tree, parse_list, renaming_between, shape_of


class History:
    """Trees and lists of earlier commits, the newest first."""

    def __init__(self, top, most=12):
        self.top, self.trees, self.commits = top, {}, []
        done = subprocess.run(["git", "log", f"-n{most}", "--format=%H", "--", LIST], cwd=top, capture_output=True, text=True)
        if done.returncode == 0:
            self.commits = done.stdout.split()

    def at(self, commit):
        """The tree and the mutants by name of a commit."""
        if commit not in self.trees:
            def archived(*paths):
                done = subprocess.run(["git", "archive", commit, "--", *paths], cwd=self.top, capture_output=True)
                if done.returncode != 0:
                    return {}
                with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
                    return {m.name: archive.extractfile(m).read().decode() for m in archive if m.isfile()
                            and (c_tokens.language_of(m.name) or m.name == LIST)}
            files = {}
            for folder in SEARCHED:
                files.update(archived(folder))
            parts = parse_list(archived(LIST).get(LIST, ""))
            self.trees[commit] = Tree(files), {m.name: m for m in parts if isinstance(m, Mutant)}
        return self.trees[commit]

    def last_known(self, mutant):
        """(tree, place, mutant) of the newest commit in which the mutant matches, or None."""
        for commit in self.commits:
            tree, mutants = self.at(commit)
            old = mutants.get(mutant.name)
            if old is None:
                continue
            places = tree.places(old)
            if len(places) > 1 and old.file:
                places = [p for p in places if p.path == old.file]
            if len(places) == 1:
                return tree, places[0], old
        return None


def window(tree, place, reach):
    """Words around a place, and whether they are in its definition."""
    source = tree.sources[place.path]
    scope = source.scope_at(place.first)
    first = max(place.first - reach, scope.first if scope else 0)
    last = min(place.last + reach, scope.last if scope else len(source.tokens))
    return source.tokens[first:place.first], source.tokens[place.last:last]


def likeness(known, tree, place, reach=80):
    """From 0 to 1: how much the surroundings of a place are those that were known. Shapes count, and names half as much."""
    old_tree, old_place, _ = known
    total = 0.0
    for old, new in zip(window(old_tree, old_place, reach), window(tree, place, reach)):
        for words, weight in ((shape_of, 0.25), (lambda ts: [t.text for t in ts], 0.25)):
            a, b = words(old), words(new)
            total += weight * (difflib.SequenceMatcher(None, a, b, autojunk=False).ratio() if a or b else 1.0)
    return total


def count_names(old, new, votes):
    """Counts which names stand where names of tokens of the same shape stood."""
    for a, b in zip(old, new):
        if c_tokens.is_identifier(a):
            votes[a.text][b.text] += 1


def names_of_definition(known, tree, place):
    """What became of the names in the definition that holds a mutant: {old: {new: count}}."""
    votes = collections.defaultdict(collections.Counter)
    old_tree, old_place, _ = known
    old_source, new_source = old_tree.sources[old_place.path], tree.sources[place.path]
    old_scope, new_scope = old_source.scope_at(old_place.first), new_source.scope_at(place.first)
    if old_scope and new_scope:
        old = old_source.tokens[old_scope.first:old_scope.last]
        new = new_source.tokens[new_scope.first:new_scope.last]
        matcher = difflib.SequenceMatcher(None, shape_of(old), shape_of(new), autojunk=False)
        for i, j, size in matcher.get_matching_blocks():
            count_names(old[i:i + size], new[j:j + size], votes)
    return votes


def names_of_tree(old_tree, tree):
    """What became of all names, by the definitions that kept their shape."""
    votes = collections.defaultdict(collections.Counter)
    for shape, old in old_tree.shapes.items():
        new = tree.shapes.get(shape, [])
        if len(old) == len(new) == 1:
            (old_path, old_scope), (new_path, new_scope) = old[0], new[0]
            count_names(old_tree.sources[old_path].tokens[old_scope.first:old_scope.last],
                        tree.sources[new_path].tokens[new_scope.first:new_scope.last], votes)
    return votes


def elected(votes, is_wanted):
    return {old: counts.most_common(1)[0][0] for old, counts in votes.items() if is_wanted(old)}


def same_definition(known, tree):
    """Where the definition that held a mutant is now, if it kept its shape and no other has it: the mutant's place."""
    old_tree, old_place, old = known
    source = old_tree.sources[old_place.path]
    scope = source.scope_at(old_place.first)
    if not scope:
        return None
    shape = tuple(shape_of(source.tokens[scope.first:scope.last]))
    if len(shape) < 12 or len(old_tree.shapes[shape]) != 1 or len(tree.shapes.get(shape, [])) != 1:
        return None
    path, new_scope = tree.shapes[shape][0]
    first = new_scope.first + old_place.first - scope.first
    last = first + old_place.last - old_place.first
    tokens = tree.sources[path].tokens[first:last]
    renaming = renaming_between(source.tokens[old_place.first:old_place.last], tokens)
    return Place(path, first, last, renaming) if renaming is not None else None


def renamed_text(text, renaming, language):
    """A text with its identifiers renamed."""
    tokens, parts, at = c_tokens.tokenize(text, language, with_comments=True), [], 0
    for i, token in enumerate(tokens):
        is_member = i > 0 and tokens[i - 1].text in (".", "->")
        name = renaming.get((token.text, is_member), renaming.get((token.text, not is_member), token.text))
        parts.append(text[at:token.start] + (name if c_tokens.is_identifier(token) else token.text))
        at = token.end
    return "".join(parts) + text[at:]


def choose(candidates, tree, known):
    """The one candidate that stands out, or None."""
    if len(candidates) == 1 and known is None:
        place = candidates[0]
        is_telling = any(old == new for (old, _), new in place.renaming.items()) or place.last - place.first >= 8
        return place if is_telling else None
    if not candidates or known is None:
        return None
    ranked = sorted(((likeness(known, tree, p), p) for p in candidates), key=lambda pair: -pair[0])
    best, place = ranked[0]
    second = ranked[1][0] if len(ranked) > 1 else 0.0
    return place if best >= (0.35 if len(ranked) == 1 else 0.5) and best - second >= 0.08 else None


def search(mutant, tree, known):
    """The place where a mutant is now, or None, and what else it might be."""
    exact = tree.places(mutant)
    if len(exact) == 1:
        return exact[0], exact
    exact = exact or tree.find(mutant.from_)
    here = [p for p in exact if p.path == mutant.file]
    if len(exact) == 1 or len(here) == 1:
        return (exact if len(exact) == 1 else here)[0], exact
    if exact:
        return choose(exact, tree, known), exact
    same = same_definition(known, tree) if known else None
    if same:
        return same, [same]
    renamed = tree.find(mutant.from_, is_renamed=True)
    function = known[0].scope_name(known[1]) if known else mutant.scope
    tiers = [[p for p in renamed if p.path == mutant.file and function and tree.scope_name(p) == function],
             [p for p in renamed if function and tree.scope_name(p) == function],
             [p for p in renamed if p.path == mutant.file], renamed]
    for tier in tiers:
        place = choose(tier, tree, known)
        if place:
            return place, renamed
    return None, renamed


def made_unique(mutant, tree, place):
    """The mutant, changed so that it matches at the place alone: by the name of a definition, or by more lines of text."""
    for scope in (None, tree.scope_name(place)):
        candidate = mutant.with_fields(in_=scope)
        if len(tree.places(candidate)) == 1:
            return candidate
    source = tree.sources[place.path]
    tokens, lines = source.tokens, source.lines
    first, last = place.first, place.last
    for _ in range(6):  # one line more, above and below in turn
        for is_above in (True, False):
            end = lines.number(tokens[(first if is_above else last) - 1].start)
            if is_above and first > 0:
                while first > 0 and lines.number(tokens[first - 1].start) == end:
                    first -= 1
            elif not is_above and last < len(tokens):
                end = lines.number(tokens[last].start)
                while last < len(tokens) and lines.number(tokens[last].start) == end:
                    last += 1
            before = source.text[tokens[first].start:tokens[place.first].start]
            after = source.text[tokens[place.last - 1].end:tokens[last - 1].end]
            before, after = (" ".join(part.split()) for part in (before, after))
            candidate = mutant.with_fields(from_=" ".join(filter(None, [before, mutant.from_, after])),
                                           to=" ".join(filter(None, [before, mutant.to, after])), in_=None)
            for scope in (None, tree.scope_name(place)):
                candidate = candidate.with_fields(in_=scope)
                if len(tree.places(candidate)) == 1:
                    return candidate
    return None


def nearest(mutant, tree, known, most=3):
    """The places that are most like what a mutant was, for people to choose from."""
    pattern = c_tokens.tokenize(mutant.from_)
    shape, found = shape_of(pattern), []
    function = known[0].scope_name(known[1]) if known else mutant.scope
    for source in tree.sources.values():
        if source.language != c_tokens.language_of(mutant.file or "x.c"):
            continue
        words = shape_of(source.tokens)
        texts = [t.text for t in source.tokens]
        wanted = [t.text for t in pattern]
        for first in [i for i, t in enumerate(source.tokens) if t.text == wanted[0] or words[i] == shape[0] == "\1"]:
            last = min(first + len(pattern), len(words))
            equal = sum(a == b for a, b in zip(texts[first:last], wanted))
            alike = sum(a == b for a, b in zip(words[first:last], shape))
            score = (2 * equal + alike) / (3 * len(pattern))
            if score > 0.5:
                place = Place(source.path, first, last, {})
                score += 0.2 * (tree.scope_name(place) == function) + 0.1 * (source.path == mutant.file)
                found.append((score, place))
    found.sort(key=lambda pair: -pair[0])
    return [place for _, place in found[:most]]


def mend(parts, tree, history):
    """(new parts, what was changed, what stays unresolved)."""
    resolved, unresolved, trees = {}, [], {}
    for mutant in (p for p in parts if isinstance(p, Mutant)):
        places = tree.places(mutant)
        known = None if len(places) == 1 else history.last_known(mutant)
        place, others = search(mutant, tree, known)
        if place is None:
            unresolved.append((mutant, others if 0 < len(others) <= 4 else nearest(mutant, tree, known)))
            continue
        resolved[mutant.name] = place, known
        if known:
            trees[id(known[0])] = known[0]
    # Names that only `to` has became what they became in the same definition; those that are gone, what they became elsewhere.
    everywhere = {}
    for old_tree in trees.values():
        everywhere.update(elected(names_of_tree(old_tree, tree), lambda old: old not in tree.names))
    fresh, changes = [], []
    for part in parts:
        place, known = resolved.get(part.name, (None, None)) if isinstance(part, Mutant) else (None, None)
        if place is None:
            fresh.append(part)
            continue
        language = c_tokens.language_of(place.path)
        here = elected(names_of_definition(known, tree, place), lambda _: True) if known else {}
        renaming = {**{(old, False): new for old, new in {**everywhere, **here}.items()}, **place.renaming}
        mutant = part.with_fields(from_=renamed_text(part.from_, renaming, language),
                                  to=renamed_text(part.to, renaming, language), file=place.path)
        if len(tree.places(mutant)) != 1:
            mutant = made_unique(mutant, tree, place)
            if mutant is None:
                unresolved.append((part, [place]))
                fresh.append(part)
                continue
        if mutant.to_text() != part.to_text():
            changes.append((part, mutant))
        fresh.append(mutant)
    return fresh, changes, unresolved


def print_mended(changes, unresolved, tree):
    for old, new in changes:
        keys = [key for key in KEYS if old.fields.get(key) != new.fields.get(key)]
        print(f"mended: {new.name}: {', '.join(keys)}")
    for mutant, places in unresolved:
        print(f"UNRESOLVED: {mutant.name} (was in {mutant.file})\n    from: {' '.join(mutant.from_.split())}")
        for place in places:
            print(f"    near: {tree.describe(place)}")
