from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import ProfileError
from assay.policy.load import (
    MAX_DEPTH,
    MAX_PROFILE_BYTES,
    builtin_names,
    load_profile,
    parse_profile,
    profile_text,
)
from assay.signals.registry import signal_names

from .mistakes import JUDGES, MISTAKES
from .profiles import BASE, SIGNALS, edited, small


def fault(text: str) -> ProfileError:
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, "p.yaml", SIGNALS)
    assert caught.value.file == "p.yaml"
    assert "\n" not in str(caught.value)
    return caught.value


def gate(name: str, when: str, decision: str = "REVIEW") -> str:
    return f"""\
  - name: {name}
    when: {when}
    decision: {decision}
    failure_type: none
    action: optional_human_review
    reason: r
    why: w
"""


def with_gates(*gates: str) -> str:
    before, _, rest = BASE.partition("  - name: weak\n")
    return before + "".join(gates) + rest[rest.index("accept:") :]


@pytest.mark.parametrize(("change", "line", "field", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_place(
    change: tuple[str, str], line: int | None, field: str | None, message: str
) -> None:
    error = fault(edited(change))
    assert (error.line, error.field, error.message) == (line, field, message)


def test_the_profile_that_the_mistakes_are_put_into_is_right() -> None:
    profile = small()
    assert [g.name for g in profile.gates] == ["weak", "off_topic"]
    assert profile.disagreement_scale == 0.12


@pytest.mark.parametrize(("section", "field", "message"), JUDGES.values(), ids=JUDGES)
def test_a_mistake_in_the_judge_section_is_told_with_its_place(
    section: str, field: str, message: str
) -> None:
    error = fault(f"{BASE}{section}\n")
    assert (error.line, error.field, error.message) == (35, field, message)


@pytest.mark.parametrize(
    "kind", ["empty_response", "no_evidence", "unsupported_language", "citation_error", "over_refusal"]
)
def test_no_judge_settles_plain_facts(kind: str) -> None:
    text = BASE.replace("failure_type: off_topic", f"failure_type: {kind}")
    assert (
        fault(f"{text}judge: {{ask: claims, settles: [off_topic]}}\n").message == f"no judge settles {kind}"
    )


def test_a_judge_that_names_gates_is_not_inherited_by_other_gates(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(f"{BASE}judge: {{ask: claims, settles: [off_topic]}}\n", "utf-8")
    other = "gates:\n" + gate("other", "{attribution: {below: 0.5}}")
    for name, text in (("same", ""), ("other", other)):
        (tmp_path / f"{name}.yaml").write_text(f"extends: base.yaml\nname: {name}\n{text}", "utf-8")
    assert load_profile(tmp_path / "same.yaml", SIGNALS).judge is not None
    assert load_profile(tmp_path / "other.yaml", SIGNALS).judge is None


class TestUnreachableGates:
    # An earlier condition, and a later one that can then never fire.
    HIDDEN = (
        ("{attribution: {below: 0.5}}", "{attribution: {below: 0.5}}"),
        ("{attribution: {below: 0.5}}", "{attribution: {below: 0.4}}"),
        ("{attribution: {at_most: 0.5}}", "{attribution: {below: 0.5}}"),
        ("{attribution: {below: 0.5}}", "{attribution: {below: 0.5}, relevance: {above: 0.2}}"),
        ("{attribution: {above: 0.5}}", "{attribution: {at_least: 0.6, below: 0.9}}"),
        ("{attribution: {below: 0.5}, relevance: {below: 0.5}}",) * 2,
        (
            "{attribution: {below: 0.5}, relevance: {below: 0.5}}",
            "{relevance: {below: 0.3}, final: {below: 0.9}, attribution: {below: 0.3}}",
        ),
        ("{attribution: {at_least: 0.0}}", "{attribution: {below: 0.5}}"),
    )
    # A later condition that can still fire.
    REACHABLE = (
        ("{attribution: {below: 0.4}}", "{attribution: {below: 0.5}}"),
        ("{attribution: {below: 0.5}}", "{attribution: {at_most: 0.5}}"),
        ("{attribution: {below: 0.5}}", "{attribution: {above: 0.4}}"),
        ("{attribution: {below: 0.5}}", "{relevance: {below: 0.5}}"),
        ("{attribution: {below: 0.5}, relevance: {below: 0.5}}", "{attribution: {below: 0.5}}"),
        (
            "{attribution: {below: 0.5}, relevance: {below: 0.5}}",
            "{attribution: {below: 0.4}, relevance: {below: 0.6}}",
        ),
        ("{attribution: {above: 0.5}}", "{attribution: {at_least: 0.5}}"),
        ("{attribution: {below: 1.0}}", "{attribution: {at_least: 0.5}}"),
    )

    @pytest.mark.parametrize(("earlier", "later"), HIDDEN)
    def test_are_mistakes(self, earlier: str, later: str) -> None:
        text = with_gates(
            gate("first", earlier), gate("between", "{final: {above: 0.99}}"), gate("last", later)
        )
        error = fault(text)
        assert (error.line, error.field) == (30, "gates[2]")
        assert error.message == "unreachable: gate 'first' before it fires whenever 'last' would"

    @pytest.mark.parametrize(("earlier", "later"), REACHABLE)
    def test_are_not_those_that_overlap(self, earlier: str, later: str) -> None:
        text = with_gates(gate("first", earlier), gate("last", later))
        assert len(parse_profile(text, "p.yaml", SIGNALS).gates) == 2


class TestTraps:
    @pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "null"])
    def test_an_empty_file_says_what_a_profile_is(self, text: str) -> None:
        error = fault(text)
        assert error.message == "a profile is a mapping with name, signals, final, gates and accept"

    @pytest.mark.parametrize("text", ["- name: a", "just words", "42", "[]"])
    def test_what_is_no_mapping_says_what_a_profile_is(self, text: str) -> None:
        assert fault(text).message.startswith("a profile is a mapping with name")

    def test_a_bomb_of_aliases_is_refused_before_it_grows(self) -> None:
        rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
        rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 30)]
        error = fault("\n".join(rows))
        assert (error.line, error.message) == (2, "YAML aliases are not used in profiles")

    def test_a_list_that_holds_itself_is_refused(self) -> None:
        assert fault("&a [*a]").message == "YAML aliases are not used in profiles"

    @pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ("{a: ", "}")])
    @pytest.mark.parametrize("depth", [MAX_DEPTH, 1_000, 30_000])
    def test_deep_nesting_is_refused(self, opened: str, closed: str, depth: int) -> None:
        text = edited(("{formula: words}", "{formula: " + opened * depth + closed * depth + "}"))
        error = fault(text)
        assert (error.line, error.message) == (5, f"nested more than {MAX_DEPTH} levels deep")

    def test_deep_nesting_by_indentation_is_refused(self) -> None:
        text = "\n".join(" " * i + f"k{i}:" for i in range(100))
        assert fault(text).line == MAX_DEPTH + 1

    def test_no_number_is_too_long_to_be_refused(self) -> None:
        error = fault(edited(("{below: 0.90}", "{below: " + "9" * 5000 + "}")))
        assert error.line == 24

    @pytest.mark.parametrize("tag", ["bool", "int", "float", "timestamp", "binary"])
    def test_a_tag_that_the_value_does_not_fit_is_refused(self, tag: str) -> None:
        error = fault(edited(("name: small", f"name: !!{tag} ü")))
        assert error.line == 1
        assert error.message.startswith("not valid YAML: ")


class TestFiles:
    def test_a_profile_is_read_from_its_path(self, tmp_path: Path) -> None:
        path = tmp_path / "small.yaml"
        path.write_text(BASE, "utf-8")
        assert load_profile(path, SIGNALS) == load_profile(str(path), SIGNALS) == small()

    def test_the_error_names_the_file_as_it_was_given(self, tmp_path: Path) -> None:
        path = tmp_path / "small.yaml"
        path.write_text(edited(("name: small", "nome: small")), "utf-8")
        with pytest.raises(ProfileError) as caught:
            load_profile(path, SIGNALS)
        # All missing fields come before those too many.
        assert str(caught.value) == f"{path}: name: Field required"

    def test_a_byte_order_mark_and_windows_line_ends_are_read(self, tmp_path: Path) -> None:
        path = tmp_path / "notepad.yaml"
        path.write_bytes(b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode())
        assert load_profile(path, SIGNALS) == small()

    @pytest.mark.parametrize(
        "content",
        [b"\x80\x81binary", b"name: caf\xe9", b"\xff\xfen\x00a\x00m\x00e\x00", bytes(range(128, 256))],
    )
    def test_what_is_not_utf8_is_refused(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "binary.yaml"
        path.write_bytes(content)
        with pytest.raises(ProfileError, match="not readable as UTF-8 text") as caught:
            load_profile(path, SIGNALS)
        assert (caught.value.file, caught.value.line) == (str(path), None)

    def test_a_file_may_have_so_many_bytes_and_no_more(self, tmp_path: Path) -> None:
        path = tmp_path / "large.yaml"
        path.write_text(BASE + "#" * (MAX_PROFILE_BYTES - len(BASE)), "utf-8")
        assert load_profile(path, SIGNALS) == small()
        path.write_text(BASE + "#" * (MAX_PROFILE_BYTES - len(BASE) + 1), "utf-8")
        with pytest.raises(ProfileError, match=f"a profile has at most {MAX_PROFILE_BYTES:,} bytes"):
            load_profile(path, SIGNALS)

    @pytest.mark.parametrize("name", ["nosuch", "nosuch.yaml", "", "Default", "a/../b", "x" * 5000, "a\x00b"])
    def test_what_is_neither_a_name_nor_a_file_is_refused(self, name: str) -> None:
        with pytest.raises(ProfileError) as caught:
            load_profile(name, SIGNALS)
        assert caught.value.file == name
        known = "no such file, and no built-in profile: those are " + ", ".join(builtin_names())
        assert caught.value.message == known or "File name too long" in caught.value.message

    def test_a_folder_is_no_profile(self, tmp_path: Path) -> None:
        with pytest.raises(ProfileError, match="no such file") as caught:
            load_profile(tmp_path, SIGNALS)
        assert caught.value.file == str(tmp_path)

    def test_a_builtin_name_wins_over_a_file_beside(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("default").write_text(BASE, "utf-8")
        assert load_profile("default", signal_names()).name == "default"
        assert load_profile(Path("./default").absolute(), SIGNALS).name == "small"


class TestBuiltins:
    def test_their_names(self) -> None:
        assert builtin_names() == sorted(builtin_names())
        assert {"article", "default", "lexical"} <= set(builtin_names())

    @pytest.mark.parametrize("name", builtin_names())
    def test_each_loads_under_its_own_name(self, name: str) -> None:
        profile = load_profile(name, signal_names())
        assert profile.name == name
        assert profile.description
        assert profile_text(name)[1] == f"{name}.yaml"

    def test_lexical_decides_as_default_does(self) -> None:
        lexical, default = (load_profile(name, signal_names()) for name in ("lexical", "default"))
        assert (lexical.gates, lexical.final, lexical.signals) == (
            default.gates,
            default.final,
            default.signals,
        )
        assert lexical.embedder == ("lexical",)


class TestExtends:
    def write(self, folder: Path, name: str, text: str) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def fault(self, path: Path, signals: tuple[str, ...] = SIGNALS) -> ProfileError:
        with pytest.raises(ProfileError) as caught:
            load_profile(path, signals)
        return caught.value

    def test_a_builtin_lends_what_the_file_does_not_say(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, "mine.yaml", "extends: article\nname: mine\ndisagreement_scale: 0.2\n")
        mine, article = load_profile(path, signal_names()), load_profile("article", signal_names())
        assert (mine.name, mine.disagreement_scale) == ("mine", 0.2)
        assert mine.gates == article.gates

    def test_a_field_replaces_the_whole_field(self, tmp_path: Path) -> None:
        self.write(tmp_path, "small.yaml", BASE)
        path = self.write(tmp_path, "mine.yaml", "extends: small.yaml\nfinal: {weights: {relevance: 1.0}}\n")
        mine = load_profile(path, SIGNALS)
        assert mine.final.weights == {"relevance": 1.0}
        assert mine.final.adjust == ()
        assert mine.gates == small().gates

    def test_paths_are_relative_to_the_file_that_extends(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.write(tmp_path, "base/small.yaml", BASE)
        self.write(tmp_path, "base/middle.yml", "extends: ./small.yaml\ndescription: middle\n")
        path = self.write(tmp_path, "team/mine.yaml", "extends: ../base/middle.yml\nname: mine\n")
        monkeypatch.chdir("/")
        mine = load_profile(path, SIGNALS)
        assert (mine.name, mine.description, mine.gates) == ("mine", "middle", small().gates)

    def test_of_itself_ends(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, "loop.yaml", "name: loop\nextends: loop.yaml\n")
        error = self.fault(path)
        assert (error.file, error.line, error.field) == (str(path), 2, "extends")
        assert error.message == "more than 5 profiles extend each other"

    def test_in_a_circle_ends(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, "a.yaml", "extends: b.yaml\n")
        self.write(tmp_path, "b.yaml", "extends: a.yaml\n")
        assert self.fault(path).message == "more than 5 profiles extend each other"

    def test_five_deep_is_deep_enough(self, tmp_path: Path) -> None:
        self.write(tmp_path, "0.yaml", BASE)
        for i in range(1, 7):
            self.write(tmp_path, f"{i}.yaml", f"extends: {i - 1}.yaml\n")
        assert load_profile(tmp_path / "5.yaml", SIGNALS) == small()
        assert self.fault(tmp_path / "6.yaml").message == "more than 5 profiles extend each other"

    @pytest.mark.parametrize("missing", ["nosuch", "nosuch.yaml", "../nosuch/x.yaml", "."])
    def test_of_what_is_missing_points_at_the_line(self, tmp_path: Path, missing: str) -> None:
        path = self.write(tmp_path, "mine.yaml", f"name: mine\nextends: {missing}\n")
        error = self.fault(path)
        assert (error.file, error.line, error.field) == (str(path), 2, "extends")
        assert f"{tmp_path / missing}: no such file, and no built-in profile" in error.message

    def test_of_a_name_too_long_for_a_file_points_at_the_line(self, tmp_path: Path) -> None:
        error = self.fault(self.write(tmp_path, "mine.yaml", f"name: mine\nextends: {'x' * 300}\n"))
        assert (error.line, error.field) == (2, "extends")

    @pytest.mark.parametrize("value", ["5", "[article]", "null", "{name: article}"])
    def test_takes_one_name(self, tmp_path: Path, value: str) -> None:
        error = self.fault(self.write(tmp_path, "mine.yaml", f"name: mine\nextends: {value}\n"))
        assert (error.line, error.field) == (2, "extends")
        assert error.message == "expected the name or path of a profile"

    def test_of_broken_yaml_names_the_file_that_is_broken(self, tmp_path: Path) -> None:
        broken = self.write(tmp_path, "broken.yaml", "name: x\n  nope: [")
        path = self.write(tmp_path, "mine.yaml", "extends: broken.yaml\n")
        error = self.fault(path)
        assert (error.file, error.line) == (str(broken), 2)

    def test_a_mistake_that_comes_with_the_parent_is_told_at_extends(self, tmp_path: Path) -> None:
        self.write(tmp_path, "small.yaml", BASE)
        changed = "name: mine\nextends: small.yaml\nsignals: {attribution: {}}\nfinal: {weights: {attribution: 1}}\n"
        error = self.fault(self.write(tmp_path, "mine.yaml", changed))
        assert (error.line, error.field) == (2, "gates[1].when.relevance")
        assert error.message == "unknown signal 'relevance'; the profile measures attribution, final"

    def test_a_mistake_of_the_file_itself_is_told_at_its_line(self, tmp_path: Path) -> None:
        self.write(tmp_path, "small.yaml", BASE)
        changed = "extends: small.yaml\nname: mine\nfinal:\n  weights: {attribution: 0.5}\n"
        error = self.fault(self.write(tmp_path, "mine.yaml", changed))
        assert (error.line, error.field) == (3, "final")
