"""ChatTemplate over tokenizers of transformers. Needs transformers and AWHOST_TESTDATA; is skipped with the reason
without them."""

from __future__ import annotations

import os
import unittest
from typing import Any

from awhost_bridge import ChatTemplate, Ledger
from awhost_bridge.ledger import Call
from awhost_bridge.messages import for_template, tool_for_template
from awhost_bridge.wire import generate_request

try:
    import transformers  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    transformers = None

DATA = os.environ.get("AWHOST_TESTDATA", "")
MISSING = "needs transformers, and AWHOST_TESTDATA to find frameworks/tiny-qwen2"
JSON = dict[str, Any]

# Written for these tests in the style of well-known families; special tokens come from the tokenizer in use.
PLAIN = r"""
{%- for m in messages -%}{{- '<|' + m.role + '|>' + m.content + '<|end|>\n' -}}{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>' -}}{%- endif -%}"""

# Tools are in a system message that is always present; results of tools are together in a user message.
CALLING = r"""
{%- set system = messages[0].content if messages[0].role == 'system' else 'You help.' -%}
{{- '<|system|>' + system -}}
{%- if tools -%}{{- '\n<tools>' -}}{%- for tool in tools -%}{{- '\n' + (tool | tojson) -}}{%- endfor -%}{{- '\n</tools>' -}}{%- endif -%}
{{- '<|end|>\n' -}}
{%- for m in messages -%}
{%- if m.role == 'user' or (m.role == 'system' and not loop.first) -%}{{- '<|' + m.role + '|>\n' + m.content + '<|end|>\n' -}}
{%- elif m.role == 'assistant' -%}
{{- '<|assistant|>\n' + m.content -}}
{%- for c in m.tool_calls or [] -%}{{- '\n<tool_call>\n{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + '}\n</tool_call>' -}}{%- endfor -%}
{{- '<|end|>\n' -}}
{%- elif m.role == 'tool' -%}
{%- if loop.first or messages[loop.index0 - 1].role != 'tool' -%}{{- '<|user|>' -}}{%- endif -%}
{{- '\n<tool_response>\n' + m.content + '\n</tool_response>' -}}
{%- if loop.last or messages[loop.index0 + 1].role != 'tool' -%}{{- '<|end|>\n' -}}{%- endif -%}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\n' -}}{%- endif -%}"""

# Reasoning is shown after the last question only; a last answer without it gets an empty one; the prompt may begin with
# it.
THINKING = r"""
{%- set ns = namespace(last=-1) -%}
{%- for m in messages -%}{%- if m.role == 'user' -%}{%- set ns.last = loop.index0 -%}{%- endif -%}{%- endfor -%}
{%- for m in messages -%}
{{- '<|' + m.role + '|>\n' -}}
{%- if m.role == 'assistant' and loop.index0 > ns.last and (loop.last or m.reasoning_content) -%}
{{- '<think>\n' + (m.reasoning_content or '') | trim + '\n</think>\n\n' -}}
{%- endif -%}
{{- (m.content | trim if m.role == 'assistant' else m.content) + '<|end|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|assistant|>\n' -}}
{%- if enable_thinking is defined and not enable_thinking -%}{{- '<think>\n\n</think>\n\n' -}}{%- endif -%}
{%- endif -%}"""

# The tools come before the last question, at any position; messages end without a line feed.
FLOATING = r"""
{%- set ns = namespace(last=-1) -%}
{%- for m in messages -%}{%- if m.role == 'user' -%}{%- set ns.last = loop.index0 -%}{%- endif -%}{%- endfor -%}
{%- for m in messages -%}
{%- if tools and loop.index0 == ns.last -%}{{- '[TOOLS]' + (tools | tojson) + '[/TOOLS]' -}}{%- endif -%}
{{- '<|' + m.role + '|>' + m.content + '<|end|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>' -}}{%- endif -%}"""

# It rejects results of tools without a call, as some templates do, and shows calls only.
INSISTING = r"""
{%- for m in messages -%}
{%- if m.role == 'tool' -%}
{%- if not messages[loop.index0 - 1].tool_calls and messages[loop.index0 - 1].role != 'tool' -%}{{- raise_exception('a result without a call') -}}{%- endif -%}
{{- '<|tool|>' + m.name + ': ' + m.content + '<|end|>' -}}
{%- elif m.tool_calls -%}
{{- '<|assistant|>' -}}{%- for c in m.tool_calls -%}{{- c.function.name + (c.function.arguments | tojson) -}}{%- endfor -%}{{- '<|end|>' -}}
{%- else -%}{{- '<|' + m.role + '|>' + m.content + '<|end|>' -}}{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>' -}}{%- endif -%}"""

TOOL = {"name": "calc", "description": "Adds.", "parameters_json": "eyJ0eXBlIjoib2JqZWN0In0="}


def message(role: str, text: str, **more: Any) -> JSON:
    return {"role": "ROLE_" + role.upper(), "content": [{"text": text}]} | more


@unittest.skipUnless(transformers and DATA, MISSING)
class TransformersTest(unittest.TestCase):
    def begin(self, template: str | None, **kwargs: Any) -> None:
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(os.path.join(DATA, "frameworks", "tiny-qwen2"))
        if template is not None:
            self.tokenizer.chat_template = template
        self.template = ChatTemplate(self.tokenizer, kwargs=kwargs)
        self.ledger = Ledger(self.template)
        self.history: list[JSON] = []
        self.chain = ""

    def turn(self, answer: str, *new: JSON, tools: tuple[JSON, ...] = ()) -> Call:
        """Extends the conversation, and samples an answer in a model's format."""
        base = len(self.history)
        self.history += new
        body = {"episode_id": "e", "call_id": "k", "attempt": 1, "chain": self.chain, "base": base, "messages": list(new), "tools": list(tools), "trainable": True}
        call = self.ledger.extend(generate_request(body))
        ids = [*self.tokenizer.encode(answer, add_special_tokens=False), self.tokenizer.eos_token_id]
        response = call.sampled(ids, [-1.0] * len(ids), versions=[(1, len(ids))])
        self.chain = response["chain"]
        self.history.append(response["message"])
        return call

    def text(self, call: Call) -> str:
        return self.template.decode(call.prompt_ids)

    def assert_from_scratch(self, call: Call, tools: tuple[JSON, ...] = ()) -> None:
        """Checks that the prompt equals the template's rendering of the whole conversation, by ids."""
        rendered = self.tokenizer.apply_chat_template(
            [for_template(m) for m in self.history[:-1]], tools=[tool_for_template(t) for t in tools] or None, add_generation_prompt=True, tokenize=True, return_dict=False
        )
        self.assertEqual(rendered, call.prompt_ids)
        self.assertEqual("", call.drift)

    def test_templates_that_rewrite_nothing(self) -> None:
        for name, template in (("its own", None), ("plain", PLAIN), ("calling", CALLING)):
            with self.subTest(name):
                self.begin(template)
                self.assert_from_scratch(self.turn("Hello.", message("system", "Be kind."), message("user", "Grüß dich 日本")))
                self.assert_from_scratch(self.turn("Yes", message("user", " and you?\n")))
                self.assert_from_scratch(self.turn("", message("user", "")))
                self.assert_from_scratch(self.turn("x", message("tool", "5"), message("tool", "6"), message("user", "so?")))

    def test_tools_and_their_results(self) -> None:
        self.begin(CALLING)
        called = '\n<tool_call>\n{"name": "calc", "arguments": {"a": 1}}\n</tool_call>'
        call = self.turn("Hm" + called, message("user", "1+1?"), tools=(TOOL,))
        self.assertIn("<|system|>You help.\n<tools>\n{", self.text(call))
        self.assertEqual('{"a": 1}', self.history[-1]["tool_calls"][0]["arguments_json"])
        call = self.turn("2", message("tool", "2", tool_call_id="call_2_0", name="calc"), message("tool", "3"), tools=(TOOL,))
        ended = "</tool_call><|end|>\n<|user|>\n<tool_response>\n2\n</tool_response>\n<tool_response>\n3\n</tool_response><|end|>\n<|assistant|>\n"
        self.assertTrue(self.text(call).endswith(ended), self.text(call))
        self.assertEqual("", call.drift)

    def test_a_tail_has_the_ids_of_the_whole(self) -> None:
        texts = ["4", "", " leading", "two\n\nlines ", "日本 🙂", "ends <|end|> early", "<|assistant|>", "x" * 300, "\n", "e\u0301", "<tool_call>"]
        openings: list[tuple[str, ...]] = [("user", "assistant"), ("system", "user", "assistant"), ("user", "assistant", "tool"), ("user",)]
        for name, template in (("its own", None), ("plain", PLAIN), ("calling", CALLING), ("thinking", THINKING), ("floating", FLOATING), ("insisting", INSISTING)):
            self.begin(template)
            known = ChatTemplate(self.tokenizer)
            for outline in openings:
                for role in ("tool", "user"):
                    for tools in ((), (TOOL,)):
                        for text in texts:
                            with self.subTest(name, outline=outline, role=role, tools=bool(tools), text=text):
                                new = [message(role, text, name="calc")]
                                first = ChatTemplate(self.tokenizer).extend(outline, new, tools)  # tokenizes the whole
                                self.assertEqual(first, known.extend(outline, new, tools))
            if name in ("its own", "plain", "calling"):
                self.assertTrue(any(s.tails.known for s in known._stand_ins.values()), f"{name}: no tail was tried")

    def test_thoughts_are_kept(self) -> None:
        self.begin(THINKING)
        self.turn("<think>\none\n</think>\n\n1", message("user", "a?"))
        call = self.turn("2", message("user", "b?"))
        self.assertEqual("<|user|>\na?<|end|>\n<|assistant|>\n<think>\none\n</think>\n\n1<|end|>\n<|user|>\nb?<|end|>\n<|assistant|>\n", self.text(call))
        call = self.turn("<think>\nx\n</think>\n\n3", message("tool", "5"))
        self.assertTrue(self.text(call).endswith("2<|end|>\n<|tool|>\n5<|end|>\n<|assistant|>\n"))
        call = self.turn("4", message("user", "c?"))
        self.assertIn("<think>\none\n</think>", self.text(call))
        self.assertEqual("", call.drift)

    def test_a_prompt_that_closes_the_thoughts(self) -> None:
        self.begin(THINKING, enable_thinking=False)
        self.turn("1", message("user", "a?"))
        call = self.turn("2", message("user", "b?"))
        empty = "<think>\n\n</think>\n\n"
        self.assertEqual(f"<|user|>\na?<|end|>\n<|assistant|>\n{empty}1<|end|>\n<|user|>\nb?<|end|>\n<|assistant|>\n{empty}", self.text(call))

    def test_no_prefix_is_a_fork(self) -> None:
        self.begin(FLOATING)
        self.turn("x", message("user", "a?"), tools=(TOOL,))
        self.assertEqual("", self.turn("y", message("tool", "5"), tools=(TOOL,)).drift)
        before = self.chain
        call = self.turn("z", message("user", "b?"), tools=(TOOL,))
        self.assertEqual("FORK", call.drift)
        self.assertNotEqual(before, self.chain)
        self.assertEqual(1, self.text(call).count("[TOOLS]"))

    def test_results_need_calls(self) -> None:
        self.begin(INSISTING)
        self.turn("calc{}", message("user", "a?"), tools=(TOOL,))
        call = self.turn("5!", message("tool", "5", name="calc"), tools=(TOOL,))
        self.assertTrue(self.text(call).endswith("calc{}<|end|><|tool|>calc: 5<|end|><|assistant|>"), self.text(call))
        self.assertEqual("", call.drift)
