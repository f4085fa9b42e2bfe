"""Every kind of mistake in a profile: what is changed in `BASE`, and the line, field and words of the error."""

from __future__ import annotations

MISTAKES = {
    "unknown signal": (
        ("  relevance: {}", "  relevance: {}\n  relevanse: {}"),
        7,
        "signals.relevanse",
        "unknown signal; there are attribution, relevance, spread",
    ),
    "unknown signal in a gate": (
        ("final: {below: 0.90}", "finale: {below: 0.90}"),
        24,
        "gates[1].when.finale",
        "unknown signal 'finale'; the profile measures attribution, final, relevance",
    ),
    "signal in a gate that exists but is not listed": (
        ("final: {below: 0.90}", "spread: {below: 0.90}"),
        24,
        "gates[1].when.spread",
        "unknown signal 'spread'; the profile measures attribution, final, relevance",
    ),
    "unknown signal in a weight": (
        ("{attribution: 0.75, relevance: 0.25}", "{attribution: 0.75, spread: 0.25}"),
        8,
        "final.weights.spread",
        "a weight for a signal that the profile does not measure",
    ),
    "the final score in a weight": (
        ("{attribution: 0.75, relevance: 0.25}", "{attribution: 0.75, final: 0.25}"),
        8,
        "final.weights.final",
        "a weight for a signal that the profile does not measure",
    ),
    "unknown signal in a margin": (
        ("{signal: relevance, threshold: 0.30}", "{signal: relevanse, threshold: 0.30}"),
        28,
        "gates[1].margin.signal",
        "unknown signal 'relevanse'; the profile measures attribution, final, relevance",
    ),
    "unknown signal in the margin of accept": (
        ("{signal: final, threshold: 0.60}", "{signal: finale, threshold: 0.60}"),
        32,
        "accept.margin.signal",
        "unknown signal 'finale'; the profile measures attribution, final, relevance",
    ),
    "unknown signal in a reason": (
        ("Off topic ({relevance})", "Off topic ({relevanse})"),
        29,
        "gates[1].reason",
        "unknown signal 'relevanse'; the profile measures attribution, final, relevance",
    ),
    "unknown signal in the reason of accept": (
        ("Fine ({final})", "Fine ({finale})"),
        33,
        "accept.reason",
        "unknown signal 'finale'; the profile measures attribution, final, relevance",
    ),
    "unknown signal in an adjustment": (
        ("{when: {relevance: {below: 0.30}}, multiply", "{when: {relevanse: {below: 0.30}}, multiply"),
        10,
        "final.adjust[0].when.relevanse",
        "unknown signal 'relevanse'; the profile measures attribution, final, relevance",
    ),
    "final score that adjusts itself": (
        ("{when: {relevance: {below: 0.30}}, multiply", "{when: {final: {below: 0.30}}, multiply"),
        10,
        "final.adjust[0].when.final",
        "the final score cannot adjust itself",
    ),
    "unknown signal in a status rule": (
        ("{status: confirmed, when: {attribution:", "{status: confirmed, when: {attributon:"),
        13,
        "hallucination_status[0].when.attributon",
        "unknown signal 'attributon'; the profile measures attribution, final, relevance",
    ),
    "threshold above 1": (
        ("when: {attribution: {below: 0.50}}\n    dec", "when: {attribution: {below: 1.5}}\n    dec"),
        17,
        "gates[0].when.attribution.below",
        "Input should be less than or equal to 1",
    ),
    "threshold below 0": (
        ("final: {below: 0.90}", "final: {below: -0.1}"),
        24,
        "gates[1].when.final.below",
        "Input should be greater than or equal to 0",
    ),
    "NaN threshold": (
        ("final: {below: 0.90}", "final: {below: .nan}"),
        24,
        "gates[1].when.final.below",
        "Input should be a finite number",
    ),
    "infinite threshold": (
        ("final: {below: 0.90}", "final: {below: -.inf}"),
        24,
        "gates[1].when.final.below",
        "Input should be a finite number",
    ),
    "threshold that is a flag": (
        ("final: {below: 0.90}", "final: {below: yes}"),
        24,
        "gates[1].when.final.below",
        "expected a number, not true or false",
    ),
    "threshold that is text": (
        ("final: {below: 0.90}", "final: {below: '0,9'}"),
        24,
        "gates[1].when.final.below",
        "Input should be a valid number, unable to parse string as a number",
    ),
    "NaN weight": (
        ("attribution: 0.75", "attribution: .nan"),
        8,
        "final.weights.attribution",
        "Input should be a finite number",
    ),
    "NaN margin": (
        ("{signal: final, threshold: 0.60}", "{signal: final, threshold: .nan}"),
        32,
        "accept.margin.threshold",
        "Input should be a finite number",
    ),
    "NaN scale": (
        ("accept:\n", "disagreement_scale: .nan\naccept:\n"),
        31,
        "disagreement_scale",
        "Input should be less than or equal to 1",
    ),
    "scale of zero": (
        ("accept:\n", "disagreement_scale: 0\naccept:\n"),
        31,
        "disagreement_scale",
        "Input should be greater than 0",
    ),
    "weights that do not sum to 1": (
        ("relevance: 0.25", "relevance: 0.35"),
        7,
        "final",
        "the weights sum to 1.1, not to 1",
    ),
    "no weights": (
        ("{attribution: 0.75, relevance: 0.25}", "{}"),
        8,
        "final.weights",
        "Dictionary should have at least 1 item after validation, not 0",
    ),
    "adjustment that does nothing": (
        (", multiply: 0.50", ""),
        10,
        "final.adjust[0]",
        "give multiply, at_most, or both",
    ),
    "impossible condition": (
        ("final: {below: 0.90}", "final: {below: 0.30, above: 0.40}"),
        24,
        "gates[1].when.final",
        "no value satisfies < 0.3 and > 0.4",
    ),
    "condition without a bound": (
        ("final: {below: 0.90}", "final: {}"),
        24,
        "gates[1].when.final",
        "give at least one of below, above, at_least, at_most",
    ),
    "unknown bound": (
        ("final: {below: 0.90}", "final: {under: 0.90}"),
        24,
        "gates[1].when.final.under",
        "no such field here",
    ),
    "gate without a condition": (
        ("{relevance: {below: 0.30}, final: {below: 0.90}}", "{}"),
        24,
        "gates[1].when",
        "Dictionary should have at least 1 item after validation, not 0",
    ),
    "unknown field": (
        ("    why: It is weak\n", "    why: It is weak\n    severity: 3\n"),
        23,
        "gates[0].severity",
        "no such field here",
    ),
    "unknown field at the top": (
        ("accept:\n", "thresholds: {}\naccept:\n"),
        31,
        "thresholds",
        "no such field here",
    ),
    "missing field": (("    why: It is weak\n", ""), 16, "gates[0].why", "Field required"),
    "missing field at the top": (("embedder: [lexical]\n", ""), None, "embedder", "Field required"),
    "no gates": (
        ("gates:\n", "gates: []\nx:\n"),
        15,
        "gates",
        "Tuple should have at least 1 item after validation, not 0",
    ),
    "no embedder": (
        ("embedder: [lexical]", "embedder: []"),
        3,
        "embedder",
        "Tuple should have at least 1 item after validation, not 0",
    ),
    "empty name": (("name: small", "name: ''"), 1, "name", "String should have at least 1 character"),
    "confidence above 100": (
        ("    why: It is weak\n", "    why: It is weak\n    confidence: 101\n"),
        23,
        "gates[0].confidence",
        "Input should be less than or equal to 100",
    ),
    "unknown decision": (
        ("decision: REJECT", "decision: BLOCK"),
        18,
        "gates[0].decision",
        "Input should be 'ACCEPT', 'REVIEW' or 'REJECT'",
    ),
    "ACCEPT with a failure": (
        ("decision: REJECT", "decision: ACCEPT"),
        16,
        "gates[0]",
        "an ACCEPT has failure_type none, not hallucination",
    ),
    "two gates of one name": (
        ("name: off_topic", "name: weak"),
        23,
        "gates[1].name",
        "two gates are called 'weak'",
    ),
    "option that is no JSON": (
        ("{formula: words}", "{formula: 2024-01-01}"),
        5,
        "signals.attribution.formula",
        "input was not a valid JSON value",
    ),
    "signal without options": (
        ("relevance: {}", "relevance:"),
        6,
        "signals.relevance",
        "Input should be a valid dictionary",
    ),
    # What no longer is YAML of a profile has a line and no field.
    "key given twice": (
        ("    why: It is weak\n", "    why: It is weak\n    decision: ACCEPT\n"),
        23,
        None,
        "not valid YAML: 'decision' is given twice",
    ),
    "key given twice at the top": (
        ("accept:\n", "final: {weights: {relevance: 1.0}}\naccept:\n"),
        31,
        None,
        "not valid YAML: 'final' is given twice",
    ),
    "key given twice on one line": (
        ("{attribution: 0.75, relevance: 0.25}", "{attribution: 0.75, attribution: 0.25}"),
        8,
        None,
        "not valid YAML: 'attribution' is given twice",
    ),
    "syntax": (("name: small", "name: [small"), 2, None, "not valid YAML: expected ',' or ']', but got ':'"),
    "tab": (
        ("  attribution: {formula", "\tattribution: {formula"),
        5,
        None,
        "not valid YAML: found character '\\t' that cannot start any token",
    ),
    "second document": (
        ("accept:\n", "---\naccept:\n"),
        31,
        None,
        "not valid YAML: but found another document",
    ),
    "alias": (
        ("name: small\ndescription: Two gates", "name: &n small\ndescription: *n"),
        2,
        None,
        "YAML aliases are not used in profiles",
    ),
    "python object": (
        ("name: small", "name: !!python/object/apply:os.system ['true']"),
        1,
        None,
        "not valid YAML: could not determine a constructor for the tag "
        "'tag:yaml.org,2002:python/object/apply:os.system'",
    ),
    "python name": (
        ("{formula: words}", "{formula: !!python/name:os.system x}"),
        5,
        None,
        "not valid YAML: could not determine a constructor for the tag "
        "'tag:yaml.org,2002:python/name:os.system'",
    ),
    "number as a key": (("relevance: {}", "7: {}"), 6, None, "not valid YAML: a key of a profile is text"),
    "list as a key": (
        ("relevance: {}", "? [a]\n  : {}"),
        6,
        None,
        "not valid YAML: a key of a profile is text",
    ),
    "date that does not exist": (
        ("name: small", "name: 2024-13-45"),
        1,
        None,
        "not valid YAML: unreadable value (month must be in 1..12)",
    ),
    "NUL": (("Two gates", "Two\x00gates"), 2, None, "not valid YAML: special characters are not allowed"),
    "escape sequence": (
        ("Fine ({final})", "\x1b[31mFine"),
        33,
        None,
        "not valid YAML: special characters are not allowed",
    ),
}

JUDGES = {
    "unknown kind of judge": (
        "judge: {ask: opinions}",
        "judge",
        "Input tag 'opinions' found using 'ask' does not match any of the expected tags: 'scores', 'claims'",
    ),
    "no kind of judge": (
        "judge: {settles: [off_topic]}",
        "judge",
        "Unable to extract tag using discriminator 'ask'",
    ),
    "unknown gate": (
        "judge: {ask: claims, settles: [nobody]}",
        "judge.settles[0]",
        "no gate is called 'nobody'; there are weak, off_topic",
    ),
    "a gate that rejects": (
        "judge: {ask: claims, settles: [off_topic, weak]}",
        "judge.settles[1]",
        "a judge settles gates that give REVIEW; 'weak' gives REJECT",
    ),
    "no gate": (
        "judge: {ask: claims, settles: []}",
        "judge.settles",
        "Tuple should have at least 1 item after validation, not 0",
    ),
    "unknown signal": (
        "judge: {ask: scores, when: {finale: {below: 0.5}}, blend: {relevance: 0.4}}",
        "judge.when.finale",
        "unknown signal 'finale'; the profile measures attribution, final, relevance",
    ),
    "a share above 1": (
        "judge: {ask: scores, when: {final: {below: 0.5}}, blend: {relevance: 1.4}}",
        "judge.blend.relevance",
        "Input should be less than or equal to 1",
    ),
    "a score that no judge gives": (
        "judge: {ask: scores, when: {final: {below: 0.5}}, blend: {attribution: 0.4}}",
        "judge.blend.attribution.[key]",
        "Input should be 'faithfulness' or 'relevance'",
    ),
    "a score that is not measured": (
        "judge: {ask: scores, when: {final: {below: 0.5}}, blend: {faithfulness: 0.4}}",
        "judge.blend.faithfulness",
        "a score to blend that the profile does not measure",
    ),
    "a field too many": (
        "judge: {ask: claims, settles: [off_topic], model: gpt}",
        "judge.model",
        "no such field here",
    ),
    "no room": (
        "judge: {ask: claims, settles: [off_topic], room: 5}",
        "judge.room",
        "Input should be greater than or equal to 500",
    ),
    "accepting what is unsupported": (
        "judge: {ask: claims, settles: [off_topic], unsupported: ACCEPT}",
        "judge.unsupported",
        "Input should be 'REVIEW' or 'REJECT'",
    ),
}
"""Judge sections after `BASE`: the section, the field and the words of the error. All stand in line 35."""
