"""Reading a profile from YAML: by name or by path, with the place of every mistake."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from assay.errors import ProfileError
from assay.policy.profile import BRACED, FINAL, UNSETTLED, ClaimsJudge, Profile, ScoresJudge, When
from assay.verdict import Decision

MAX_PROFILE_BYTES = 100_000
MAX_DEPTH = 20
MAX_EXTENDS = 5


def builtin_names() -> list[str]:
    """Names of the profiles that come with Assay."""
    folder = files("assay.policy") / "profiles"
    names = (entry.name for entry in folder.iterdir())
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def profile_text(source: str | Path) -> tuple[str, str]:
    """The YAML of a profile and the name to use in messages.

    Args:
        source: A built-in name, or a path (anything with a slash or ending in .yaml or .yml, or a Path).

    Raises:
        ProfileError: No such profile, or the file cannot be read as UTF-8 text.
    """
    if isinstance(source, str) and source in builtin_names():
        return (files("assay.policy") / "profiles" / f"{source}.yaml").read_text("utf-8"), f"{source}.yaml"
    path = Path(source)
    shown = str(source)
    try:
        if not path.is_file():
            known = ", ".join(builtin_names())
            raise ProfileError(f"no such file, and no built-in profile: those are {known}", file=shown)
        if path.stat().st_size > MAX_PROFILE_BYTES:
            raise ProfileError(f"a profile has at most {MAX_PROFILE_BYTES:,} bytes", file=shown)
        return path.read_text("utf-8"), shown
    except (UnicodeDecodeError, OSError) as error:
        raise ProfileError(f"not readable as UTF-8 text ({error})", file=shown) from error


def load_profile(source: str | Path, signals: Collection[str]) -> Profile:
    """Read and validate a profile.

    Args:
        source: A built-in name or a path to a YAML file.
        signals: Names of the signals that exist (built in and installed).

    Raises:
        ProfileError: With file, line and field of the first mistake.
    """
    text, name = profile_text(source)
    return parse_profile(text, name, signals, base=Path(source).parent)


def parse_profile(text: str, name: str, signals: Collection[str], base: Path = Path()) -> Profile:
    """Validate the YAML of a profile; see `load_profile`."""
    data, lines = _read(text, name)
    merged = _extended(data, lines, name, base, MAX_EXTENDS)
    try:
        profile = Profile.model_validate(merged)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        location = _untagged(first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            message = "no such field here"
        raise ProfileError(message, file=name, line=_line(lines, location), field=_dotted(location)) from None
    for location, message in _mistakes(profile, signals):
        raise ProfileError(message, file=name, line=_line(lines, location), field=_dotted(location))
    return profile


class _LocatedLoader(yaml.SafeLoader):
    """PyYAML's safe loader; duplicate keys are errors instead of a silent last one wins."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ArithmeticError, AttributeError, LookupError, ValueError) as error:
            # What Python's own conversions raise: the date 2024-13-45, a number of 5,000 digits.
            problem = f"unreadable value ({error})"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from error

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = key_node.value
            if key_node.tag != "tag:yaml.org,2002:str":
                problem = "a key of a profile is text"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            if key in seen:
                problem = f"{key!r} is given twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


Location = tuple[str | int, ...]


def _read(text: str, name: str) -> tuple[dict[str, Any], dict[Location, int]]:
    try:
        _refuse_traps(text, name)
        loader = _LocatedLoader(text)
        node = loader.get_single_node()
        data = loader.construct_document(node) if node is not None else None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ProfileError(f"not valid YAML: {error.reason}", file=name, line=line) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise ProfileError(
            f"not valid YAML: {problem}", file=name, line=mark.line + 1 if mark is not None else None
        ) from None
    if not isinstance(data, dict):
        raise ProfileError("a profile is a mapping with name, signals, final, gates and accept", file=name)
    return data, dict(_locations(node))


def _refuse_traps(text: str, name: str) -> None:
    """Refuse what small files blow up with, before anything is built from them: aliases and deep nesting."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark is not None else None
        if isinstance(event, yaml.AliasEvent):
            raise ProfileError("YAML aliases are not used in profiles", file=name, line=line)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise ProfileError(f"nested more than {MAX_DEPTH} levels deep", file=name, line=line)


def _locations(node: yaml.Node | None, path: Location = ()) -> Iterator[tuple[Location, int]]:
    if node is None:
        return
    yield path, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (*path, key.value), key.start_mark.line + 1
            for location, line in _locations(value, (*path, key.value)):
                if location != (*path, key.value):
                    yield location, line
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            yield from _locations(item, (*path, i))


def _extended(
    data: dict[str, Any], lines: dict[Location, int], name: str, base: Path, depth: int
) -> dict[str, Any]:
    """Lay a profile over the one that it extends: top-level fields replace, nothing is merged deeper."""
    if "extends" not in data:
        return data
    parent, line = data["extends"], _line(lines, ("extends",))
    if not isinstance(parent, str):
        raise ProfileError("expected the name or path of a profile", file=name, line=line, field="extends")
    if depth == 0:
        problem = f"more than {MAX_EXTENDS} profiles extend each other"
        raise ProfileError(problem, file=name, line=line, field="extends")
    source = parent if parent in builtin_names() else base / parent
    try:
        text, parent_name = profile_text(source)
    except ProfileError as error:
        raise ProfileError(str(error), file=name, line=line, field="extends") from None
    parent_data, parent_lines = _read(text, parent_name)
    over = {key: value for key, value in data.items() if key != "extends"}
    under = _extended(parent_data, parent_lines, parent_name, Path(source).parent, depth - 1)
    if "gates" in over and isinstance(judge := under.get("judge"), dict) and "settles" in judge:
        del under["judge"]  # it names gates that are replaced
    return {**under, **over}


def _mistakes(profile: Profile, signals: Collection[str]) -> Iterator[tuple[Location, str]]:
    """What single fields cannot show: unknown names, and gates that can never fire."""
    for signal in profile.signals:
        if signal not in signals:
            yield ("signals", signal), f"unknown signal; there are {', '.join(sorted(signals))}"
    usable = {*profile.signals, FINAL}
    for signal in profile.final.weights:
        if signal not in profile.signals:
            yield ("final", "weights", signal), "a weight for a signal that the profile does not measure"
    for i, adjustment in enumerate(profile.final.adjust):
        if FINAL in adjustment.when:
            yield ("final", "adjust", i, "when", FINAL), "the final score cannot adjust itself"
    for location, name in _references(profile):
        if name not in usable:
            listed = ", ".join(sorted(usable))
            yield location, f"unknown signal {name!r}; the profile measures {listed}"
    yield from _gate_mistakes(profile)
    yield from _judge_mistakes(profile)


def _judge_mistakes(profile: Profile) -> Iterator[tuple[Location, str]]:
    if isinstance(profile.judge, ScoresJudge):
        for signal in profile.judge.blend:
            if signal not in profile.signals:
                yield ("judge", "blend", signal), "a score to blend that the profile does not measure"
    if isinstance(profile.judge, ClaimsJudge):
        gates = {gate.name: gate for gate in profile.gates}
        for i, name in enumerate(profile.judge.settles):
            place = ("judge", "settles", i)
            if name not in gates:
                yield place, f"no gate is called {name!r}; there are {', '.join(gates)}"
            elif gates[name].decision is not Decision.REVIEW:
                yield (
                    place,
                    f"a judge settles gates that give REVIEW; {name!r} gives {gates[name].decision.value}",
                )
            elif gates[name].failure_type in UNSETTLED:
                yield place, f"no judge settles {gates[name].failure_type.value}"


def _gate_mistakes(profile: Profile) -> Iterator[tuple[Location, str]]:
    names_seen: set[str] = set()
    for i, gate in enumerate(profile.gates):
        if gate.name in names_seen:
            yield ("gates", i, "name"), f"two gates are called {gate.name!r}"
        names_seen.add(gate.name)
        for earlier in profile.gates[:i]:
            if gate.hidden_by(earlier):
                yield (
                    ("gates", i),
                    f"unreachable: gate {earlier.name!r} before it fires whenever {gate.name!r} would",
                )


def _references(profile: Profile) -> Iterator[tuple[Location, str]]:
    """Every place that names a signal, with the name."""
    for i, adjustment in enumerate(profile.final.adjust):
        yield from _named_in(("final", "adjust", i, "when"), adjustment.when)
    if isinstance(profile.judge, ScoresJudge):
        yield from _named_in(("judge", "when"), profile.judge.when)
    for i, rule in enumerate(profile.hallucination_status):
        yield from _named_in(("hallucination_status", i, "when"), rule.when)
    for i, gate in enumerate(profile.gates):
        yield from _named_in(("gates", i, "when"), gate.when)
        if gate.margin is not None:
            yield ("gates", i, "margin", "signal"), gate.margin.signal
        yield from ((("gates", i, "reason"), name) for name in BRACED.findall(gate.reason))
    yield ("accept", "margin", "signal"), profile.accept.margin.signal
    yield from ((("accept", "reason"), name) for name in BRACED.findall(profile.accept.reason))


def _named_in(location: Location, when: When) -> Iterator[tuple[Location, str]]:
    return (((*location, name), name) for name in when)


def _untagged(location: Location) -> Location:
    """Pydantic puts the kind of judge into the place of a mistake; the file has no such level."""
    tagged = location[:1] == ("judge",) and location[1:2] in (("scores",), ("claims",))
    return (*location[:1], *location[2:]) if tagged else location


def _line(lines: dict[Location, int], location: Location) -> int | None:
    """The line of a field, or of the nearest field around it that the file itself holds.

    A field that stands in the profile extended, or in none, is reported at ``extends``, if there is one.
    """
    for end in range(len(location), 0, -1):
        if location[:end] in lines:
            return lines[location[:end]]
    return lines.get(("extends",))


def _dotted(location: Location) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text
