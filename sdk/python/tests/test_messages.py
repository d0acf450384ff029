"""Parsing of an assistant's output, and messages in the format of templates."""

from __future__ import annotations

import base64
import random
import unittest
from typing import Any

from awhost_bridge import GenerateError, parse_message
from awhost_bridge.messages import for_template, tool_for_template

JSON = dict[str, Any]
TOOLS = [{"name": "calc"}]


def call(body: str) -> str:
    return f"<tool_call>{body}</tool_call>"


class ParseTest(unittest.TestCase):
    def test_messages(self) -> None:
        calc = '{"name":"calc","arguments":{"a": 1}}'
        for name, text, expected in (
            ("text", "hello", {"content": "hello"}),
            ("nothing", "", {}),
            ("thoughts", "<think>\nhm\n</think>\n\nyes", {"reasoning": "\nhm\n", "content": "\n\nyes"}),
            ("thoughts only", "<think>hm</think>", {"reasoning": "hm"}),
            ("open thoughts", "<think>hm", {"content": "<think>hm"}),
            ("empty thoughts", "<think></think>x", {"content": "<think></think>x"}),
            ("thoughts later", "a<think>hm</think>", {"content": "a<think>hm</think>"}),
            ("a call", call(calc), {"calls": [("call_4_0", "calc", '{"a": 1}')]}),
            ("with space", call('\n {"name" : "calc" , "arguments":{} }\n'), {"calls": [("call_4_0", "calc", "{}")]}),
            ("arguments first", call('{"arguments":{"a":1},"name":"calc"}'), {"calls": [("call_4_0", "calc", '{"a":1}')]}),
            ("arguments as written", call('{"name":"calc","arguments":{"b":1.50,"a":"\\u00e9"}}'), {"calls": [("call_4_0", "calc", '{"b":1.50,"a":"\\u00e9"}')]}),
            ("arguments of any kind", call('{"name":"calc","arguments":null}'), {"calls": [("call_4_0", "calc", "null")]}),
            ("text between", "a" + call(calc) + "b" + call(calc) + "c", {"content": "abc", "calls": [("call_4_0", "calc", '{"a": 1}'), ("call_4_1", "calc", '{"a": 1}')]}),
            ("thoughts and a call", "<think>x</think>\n" + call(calc), {"reasoning": "x", "content": "\n", "calls": [("call_4_0", "calc", '{"a": 1}')]}),
            ("a call in thoughts", "<think>" + call(calc) + "</think>", {"reasoning": call(calc)}),
            ("not closed", "<tool_call>" + calc, {"content": "<tool_call>" + calc, "bad": ["the call is not closed"]}),
            ("not closed before another", "<tool_call>{" + call(calc), {"content": "<tool_call>{", "bad": ["the call is not closed"], "calls": [("call_4_0", "calc", '{"a": 1}')]}),
            ("closed only", "x</tool_call>", {"content": "x</tool_call>"}),
            ("no object", call("calc(1)"), {"content": call("calc(1)"), "bad": ["the call is not a JSON object"]}),
            ("a list", call("[]"), {"content": call("[]"), "bad": ["the call is not a JSON object"]}),
            ("no name", call('{"arguments":{}}'), {"content": call('{"arguments":{}}'), "bad": ['the call must have exactly the members "name" and "arguments"']}),
            ("more members", call('{"name":"a","arguments":{},"id":1}'), {"content": call('{"name":"a","arguments":{},"id":1}'), "bad": ['the call must have exactly the members "name" and "arguments"']}),
            ("two names", call('{"name":"a","name":"b","arguments":{}}'), {"content": call('{"name":"a","name":"b","arguments":{}}'), "bad": ['the call has two members "name"']}),
            ("empty name", call('{"name":"","arguments":{}}'), {"content": call('{"name":"","arguments":{}}'), "bad": ['the name of the call must be a non-empty string, it is ""']}),
            ("number as name", call('{"name":1,"arguments":{}}'), {"content": call('{"name":1,"arguments":{}}'), "bad": ["the name of the call must be a non-empty string, it is 1"]}),
            ("text after", call('{"name":"a","arguments":{}}x'), {"content": call('{"name":"a","arguments":{}}x'), "bad": ["the call has text after its JSON object"]}),
        ):  # fmt: skip
            with self.subTest(name):
                self.assertEqual(message(expected, text), parse_message(text, TOOLS, position=4))

    def test_json_that_is_none(self) -> None:
        for body in ('{"name":"a","arguments":{}', '{"name":"a" "arguments":{}}', '{"name":"a","arguments":NaN}', '{"name":"a","arguments":{"x":}}', "{,}", "{1:2}",
                     '{"name":"a","arguments":{},}', '{"name":"a\n","arguments":{}}', '{"name":"a","arguments":-Infinity}', '{"name":"a","arguments":' + "[" * 100_000 + "}",
                     '{"name":"a","arguments":' + "9" * 5000 + "}"):  # fmt: skip
            with self.subTest(body[:40]):
                parsed = parse_message(call(body), TOOLS)
                self.assertRegex(parsed["malformed"][0]["reason"], "^the call is not valid JSON: ")
                self.assertEqual(call(body), parsed["malformed"][0]["text"])
                self.assertNotIn("tool_calls", parsed)

    def test_without_tools_there_are_no_calls(self) -> None:
        text = "<think>x</think>" + call('{"name":"calc","arguments":{}}')
        self.assertEqual({"role": "ROLE_ASSISTANT", "reasoning": "x", "content": [{"text": call('{"name":"calc","arguments":{}}')}]}, parse_message(text, []))

    def test_the_prompt_may_have_opened_the_thoughts(self) -> None:
        self.assertEqual({"role": "ROLE_ASSISTANT", "reasoning": "hm\n", "content": [{"text": "yes"}]}, parse_message("hm\n</think>yes", [], thinking=True))
        self.assertEqual({"role": "ROLE_ASSISTANT", "content": [{"text": "cut"}]}, parse_message("cut", [], thinking=True))

    def test_no_lone_surrogates(self) -> None:
        parsed = parse_message("\ud800" + call('{"name":"\\ud800","arguments":{}}'), TOOLS)
        self.assertEqual(([{"text": "?"}], "?"), (parsed["content"], parsed["tool_calls"][0]["name"]))


    def test_nothing_is_lost(self) -> None:
        """For any output of a model, content, reasoning and calls together hold every character of it."""
        draw = random.Random(7)
        pieces = ["<think>", "</think>", "<tool_call>", "</tool_call>", '{"name":"calc","arguments":{"a":1}}', "{", "}", "x", " ", "\n", '"', "é", "[1]"]
        for _ in range(5000):
            text = "".join(draw.choices(pieces, k=draw.randrange(12)))
            parsed = parse_message(text, TOOLS)
            content = "".join(p["text"] for p in parsed.get("content", []))
            thoughts = f"<think>{parsed['reasoning']}</think>" if "reasoning" in parsed else ""
            for made in parsed.get("tool_calls", []):
                self.assertEqual(('calc', '{"a":1}'), (made["name"], made["arguments_json"]))
            for bad in parsed.get("malformed", []):
                self.assertIn(bad["text"], content)
            calls = sum(len(call('{"name":"calc","arguments":{"a":1}}')) for _ in parsed.get("tool_calls", []))
            spaces = text.count(" ") + text.count("\n")  # those inside a call are not kept
            kept = len(thoughts) + len(content) + calls
            self.assertLessEqual(abs(len(text) - kept), spaces, text)


class TemplateMessageTest(unittest.TestCase):
    def test_messages(self) -> None:
        self.assertEqual(
            {"role": "assistant", "content": "ab", "reasoning_content": "hm", "tool_calls": [
                {"id": "call_2_0", "type": "function", "function": {"name": "calc", "arguments": {"b": 1, "a": [2]}}}]},
            for_template({"role": "ROLE_ASSISTANT", "content": [{"text": "a"}, {"text": "b"}], "reasoning": "hm",
                          "tool_calls": [{"id": "call_2_0", "name": "calc", "arguments_json": '{"b":1,"a":[2]}'}]}),
        )  # fmt: skip
        self.assertEqual({"role": "tool", "content": "3", "tool_call_id": "c", "name": "calc"}, for_template({"role": "ROLE_TOOL", "content": [{"text": "3"}], "tool_call_id": "c", "name": "calc"}))
        self.assertEqual({"role": "user", "content": ""}, for_template({"role": "ROLE_USER"}))

    def test_arguments_that_are_no_object(self) -> None:
        made = for_template({"role": "ROLE_ASSISTANT", "tool_calls": [{"name": "calc", "arguments_json": "[1]"}]})
        self.assertEqual("[1]", made["tool_calls"][0]["function"]["arguments"])

    def test_what_no_text_model_can_see(self) -> None:
        calling = {"role": "ROLE_ASSISTANT", "tool_calls": [{"name": "calc", "arguments_json": '{"a":'}]}
        for bad in ({"role": "ROLE_USER", "content": [{"image": {"url": "x"}}]}, {"role": "ROLE_BOSS"}, {}, calling):
            with self.assertRaises(GenerateError) as raised:
                for_template(bad)
            self.assertEqual("refused", raised.exception.kind)

    def test_tools(self) -> None:
        parameters = base64.b64encode(b'{"type":"object","required":["a"]}').decode()
        self.assertEqual(
            {"type": "function", "function": {"name": "calc", "description": "Adds.", "parameters": {"type": "object", "required": ["a"]}}},
            tool_for_template({"name": "calc", "description": "Adds.", "parameters_json": parameters}),
        )
        self.assertEqual({"type": "object", "properties": {}}, tool_for_template({"name": "x"})["function"]["parameters"])


def message(expected: JSON, text: str) -> JSON:
    out: JSON = {"role": "ROLE_ASSISTANT"}
    if "reasoning" in expected:
        out["reasoning"] = expected["reasoning"]
    if "content" in expected:
        out["content"] = [{"text": expected["content"]}]
    if "calls" in expected:
        out["tool_calls"] = [{"id": i, "name": n, "arguments_json": a} for i, n, a in expected["calls"]]
    if "bad" in expected:
        written = [expected["content"]]
        out["malformed"] = [{"text": t, "reason": r} for t, r in zip(written, expected["bad"])]
    return out
