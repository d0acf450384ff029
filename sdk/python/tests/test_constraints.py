"""Grammars of restricted messages, sampled with a model of random weights."""

from __future__ import annotations

import base64
import dataclasses
import importlib.util
import json
import types
import unittest
from typing import Any
from unittest import mock

if importlib.util.find_spec("torch") is None or importlib.util.find_spec("xgrammar") is None:
    raise unittest.SkipTest("SKIPPED: grammars need torch and xgrammar; the Python of TRL's tests has them")

import torch
from awhost_bridge import ChatTemplate, GenerateError, Ledger, Message
from awhost_bridge.constraints import Grammar, Matcher, _family, grammar
from awhost_bridge.hf import sample
from transformers import Qwen2Config, Qwen2ForCausalLM

from .test_codec import family

JSON = dict[str, Any]
SCHEMA = {
    "type": "object",
    "properties": {"sure": {"type": "boolean"}, "digit": {"enum": [1, 2, 3]}},
    "required": ["sure", "digit"],
}


def encoded(value: Any) -> str:
    return base64.b64encode(json.dumps(value).encode()).decode()


TOOLS = [{"name": name, "description": "", "parameters_json": encoded(SCHEMA)} for name in ("pick", "guess")]
FORMAT = encoded({"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}})


def request(constraints: JSON, tools: list[JSON] = TOOLS) -> JSON:
    return {
        "episode_id": "e",
        "call_id": "1",
        "attempt": 0,
        "chain": "",
        "base": 0,
        "agent": "",
        "trainable": True,
        "tools": tools,
        "messages": [{"role": "ROLE_USER", "content": [{"text": "Choose."}]}],
        "sampling": {},
        "constraints": constraints,
    }


class GrammarsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        torch.manual_seed(0)
        cls.template = family("qwen2.5")
        size = len(cls.template.tokenizer)  # type: ignore[arg-type]
        config = Qwen2Config(
            vocab_size=size + 3,
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
        )
        cls.model = Qwen2ForCausalLM(config).eval()

    def draft(self, constraints: JSON, tools: list[JSON] = TOOLS, template: ChatTemplate | None = None) -> Any:
        return Ledger(template or self.template).extend(request(constraints, tools))

    def sample(self, call: Any, count: int, most: int = 400, **changes: Any) -> list[Message]:
        out = [
            Message(
                **{
                    "prompt": call.prompt_ids,
                    "max_tokens": most,
                    "temperature": 1.0,
                    "top_p": None,
                    "top_k": 0,
                    "stop": [],
                    "seed": i,
                    "slot": i,
                    "call_id": str(i),
                    "grammar": call.grammar,
                }
                | changes
            )
            for i in range(count)
        ]
        sample(self.model, out, set(self.template.end_ids), 0, self.template.decode)
        return out

    def read(self, constraints: JSON, tools: list[JSON], m: Message) -> JSON:
        call = self.draft(constraints, tools)
        return dict(call.sampled(m.ids, m.logprobs, versions=[(0, len(m.ids))], finish=m.finish)["message"])

    def check(self, text: str) -> None:
        value = json.loads(text)
        self.assertEqual(["sure", "digit"], list(value))
        self.assertTrue(isinstance(value["sure"], bool) and value["digit"] in (1, 2, 3), text)

    def test_each_message_keeps_to_its_restriction(self) -> None:
        for constraints, tools, names in (
            ({"tool_required": True, "single_call": True}, TOOLS, {"pick", "guess"}),
            ({"tool_required": True, "tool": "guess"}, TOOLS, {"guess"}),
            ({"format_json": FORMAT}, [], set()),
            ({"format_json": FORMAT, "single_call": True}, TOOLS, {"pick", "guess", None}),
        ):
            seen = set()
            for m in self.sample(self.draft(constraints, tools), 12):
                if m.finish == "length":
                    continue  # white space without end
                message = self.read(constraints, tools, m)
                calls = message.get("tool_calls", [])
                seen.add(calls[0]["name"] if calls else None)
                self.assertLessEqual(len(calls), 1)
                self.assertNotIn("malformed", message)
                self.check(calls[0]["arguments_json"] if calls else message["content"][0]["text"])
            self.assertEqual(names or {None}, seen)

    def test_text_has_no_control_tokens(self) -> None:
        schema = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}
        tools = [{"name": "write", "description": "", "parameters_json": encoded(schema)}]
        constraints = {"tool_required": True, "single_call": True}
        ended = [m for m in self.sample(self.draft(constraints, tools), 24) if m.finish == "stop"]
        self.assertGreater(len(ended), 2)
        for m in ended:
            message = self.read(constraints, tools, m)
            self.assertNotIn("malformed", message)
            self.assertEqual(["note"], list(json.loads(message["tool_calls"][0]["arguments_json"])))

    def test_a_message_without_a_next_token_fails_alone(self) -> None:
        nothing = {"type": "string", "pattern": "^[^\\s\\S]$"}
        schema = {"type": "object", "properties": {"a": nothing}, "required": ["a"]}
        dead = self.draft({"format_json": encoded({"type": "json_schema", "json_schema": {"schema": schema}})}, [])
        free = self.draft({"tool_required": True, "single_call": True})
        messages = self.sample(dead, 1) + self.sample(free, 1)
        messages = [
            dataclasses.replace(m, ids=[], logprobs=[], finish="", grammar=g)
            for m, g in zip(messages, (dead.grammar, free.grammar), strict=True)
        ]
        sample(self.model, messages, set(self.template.end_ids), 0, self.template.decode)
        with self.assertRaisesRegex(GenerateError, "refused: the decoding constraints allow no token at position"):
            m = messages[0]
            dead.sampled(m.ids, m.logprobs, versions=[(0, len(m.ids))], finish=m.finish)
        self.assertIn("tool_calls", self.read({"tool_required": True, "single_call": True}, TOOLS, messages[1]))

    def test_forced_ids_are_masked_and_the_others_have_the_model_s_log_probabilities(self) -> None:
        call = self.draft({"tool_required": True})
        (m,) = self.sample(call, 1, most=60)
        before, row = Matcher(call.grammar), self.row(call, m)
        with torch.no_grad():
            logits = self.model(torch.tensor([m.prompt + m.ids])).logits[0, len(m.prompt) - 1 : -1]
        want = torch.log_softmax(logits, -1).gather(1, torch.tensor(m.ids).unsqueeze(1))[:, 0].tolist()
        ends = set(self.template.end_ids)
        for number, id in enumerate(m.ids):
            allowed = [
                i for i in range(len(self.template.tokenizer)) if self.accepts(call.grammar, [*m.ids[:number], i])
            ]  # type: ignore[arg-type]
            self.assertEqual(int(len(allowed) > 1), row.loss_mask[row.prompt_length + number], (number, allowed[:3]))
            self.assertAlmostEqual(
                want[number] if len(allowed) > 1 else 0.0, row.logprobs[row.prompt_length + number], places=4
            )
            self.assertIn(id, allowed)
            self.assertTrue(id not in ends or before.complete)
            before.accept(id)
        trained = sum(row.loss_mask)
        self.assertEqual(row.trained, trained)
        self.assertTrue(0 < trained < len(m.ids), f"{trained} of {len(m.ids)} ids")

    def row(self, call: Any, m: Message) -> Any:
        response = call.sampled(m.ids, m.logprobs, versions=[(0, len(m.ids))], finish=m.finish)
        listed = types.SimpleNamespace(chain=response["chain"], train=True, reward=None)
        return call._ledger.rows(types.SimpleNamespace(episode_id="e", attempt=0, chains=[listed]))[0]

    def accepts(self, g: Grammar, ids: list[int]) -> bool:
        matcher = Matcher(g)
        return all(map(matcher.accept, ids))

    def test_a_cut_message_is_a_prefix(self) -> None:
        (m,) = self.sample(self.draft({"tool_required": True}), 1, most=9)
        message = self.read({"tool_required": True}, TOOLS, m)
        self.assertEqual(("length", 9), (m.finish, len(m.ids)))
        self.assertNotIn("tool_calls", message)

    def test_greedy_and_top_k_stay_in_the_grammar(self) -> None:
        for change in ({"temperature": 0.0}, {"top_k": 1}, {"top_p": 0.01}):
            for m in self.sample(self.draft({"tool_required": True}), 2, most=30, **change):
                self.assertTrue(self.accepts(self.draft({"tool_required": True}).grammar, m.ids))

    def test_an_engine_that_ignores_the_grammar_is_an_error(self) -> None:
        call = self.draft({"tool_required": True})
        with self.assertRaisesRegex(GenerateError, "engine: id .* violates its decoding constraints"):
            call.sampled([self.template.end_ids[0]], [-1.0], versions=[(0, 1)])

    def test_a_schema_that_does_not_compile_is_refused(self) -> None:
        wrong = encoded({"type": "json_schema", "json_schema": {"schema": {"type": "nothing"}}})
        with self.assertRaisesRegex(GenerateError, "refused: xgrammar cannot apply the decoding constraints"):
            self.draft({"format_json": wrong}, []).grammar

    def test_without_xgrammar_the_request_is_refused(self) -> None:
        with mock.patch.dict("sys.modules", {"xgrammar": None}):
            with self.assertRaisesRegex(
                GenerateError, "refused: decoding constraints need xgrammar: .* -m pip install 'xgrammar>="
            ):
                self.draft({"tool_required": True, "tool": "pick"}, template=family("qwen3")).grammar

    def test_the_constraint_starts_after_the_reasoning(self) -> None:
        thinking = family("qwen3")
        encode: Any = thinking.tokenizer.encode  # type: ignore[attr-defined]
        call, reasoning = (
            '<tool_call>\n{"name": "pick", "arguments": {"sure": true, "digit": 1}}\n</tool_call>',
            "Hm.</think>\n\n",
        )
        codec: Any = types.SimpleNamespace(name="hermes")
        for prompt, text, fits in (
            ("", call, True),
            ("", "<think>" + reasoning + call, True),
            ("<think>\n", reasoning + call, True),
            ("<think>\n", call, False),
            ("", reasoning + call, False),
        ):
            found = grammar(thinking, codec, request({"tool_required": True}), encode(prompt))
            assert found is not None
            matcher = Matcher(found)
            self.assertEqual(fits, matcher.accept_text(text) and matcher.complete, (prompt, text))

    def test_the_grammar_of_each_family_follows_from_its_template(self) -> None:
        for name, want in (
            ("qwen2.5", "qwen_3"),
            ("qwen3", "qwen_3"),
            ("qwen3.5", "qwen_3_5"),
            ("nemotron-3", "qwen_3_5"),
            ("llama-3", "llama"),
            ("deepseek-v3", "deepseek_r1"),
            ("kimi-k2", "kimi"),
            ("gpt-oss", None),
            ("gemma-4", None),
            ("mistral", None),
            ("glm-4.5", None),
        ):
            self.assertEqual(want, _family(family(name), "other"), name)
        codec: Any = types.SimpleNamespace(name="trl")
        for constraints, tools in (({"tool_required": True}, TOOLS), ({"format_json": FORMAT}, [])):
            with self.assertRaisesRegex(GenerateError, "refused: no grammar is known for .*tool_format trl"):
                grammar(family("gpt-oss"), codec, request(constraints, tools), [])


if __name__ == "__main__":
    unittest.main()
