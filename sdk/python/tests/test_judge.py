"""The rows that a chat template leads to."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from awhost_bridge.evidence import save
from awhost_bridge.judge import Judged, codec, judge, main, note

# As in Qwen2: all messages unchanged, tools in the system's message.
PLAIN = """{%- if tools %}<|im_start|>system
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}
{%- for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}{% for call in m.tool_calls or [] %}<call>{{ call.function | tojson }}</call>{% endfor %}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""

# As in Qwen3: reasoning is shown after the last question only.
DROPPING = """{%- set ns = namespace(last=0) %}
{%- for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}
{%- for m in messages %}
{%- set content = m.content %}{% set thought = m.reasoning_content or '' %}
{%- if m.role == 'assistant' and '</think>' in content %}
{%- set thought = content.split('</think>')[0].split('<think>')[-1].strip() %}
{%- set content = content.split('</think>')[-1].lstrip() %}
{%- endif %}<|im_start|>{{ m.role }}
{% if m.role == 'assistant' and loop.index0 > ns.last %}<think>
{{ thought }}
</think>

{% endif %}{% generation %}{{ content }}{% endgeneration %}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% if enable_thinking is defined and not enable_thinking %}<think>

</think>

{% endif %}{% endif %}"""

# As in Qwen3.6: the prompt opens the reasoning.
OPENING = DROPPING.replace(
    "{% if enable_thinking is defined and not enable_thinking %}<think>",
    "{% if enable_thinking is not defined or enable_thinking %}<think>\n{% else %}<think>",
)

# The first line contains the number of messages.
COUNTING = "{{ messages | length }} messages\n" + PLAIN
REFUSING = "{{ raise_exception('roles must alternate, ' ~ bos_token) }}"


@unittest.skipIf(importlib.util.find_spec("jinja2") is None, "there is no jinja2")
class TemplatesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = pathlib.Path(folder.name)
        elsewhere = {name: "" for name in ("HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME")}
        patched = mock.patch.dict(os.environ, {**elsewhere, "HOME": folder.name})
        patched.start()
        self.addCleanup(patched.stop)

    def write(self, template: str | None, **settings: object) -> pathlib.Path:
        (self.model / "tokenizer_config.json").write_text(
            json.dumps({"eos_token": {"content": "<|im_end|>"}, "bos_token": "<s>", **settings})
        )
        if template is not None:
            (self.model / "chat_template.jinja").write_text(template)
        return self.model

    def test_templates(self) -> None:
        for template, want, says in (
            (PLAIN, Judged(extends=True, keeps_thinking=True), "only appends: a conversation is one row"),
            (DROPPING, Judged(extends=True, keeps_thinking=False), "drops earlier thinking"),
            (OPENING, Judged(extends=True, keeps_thinking=False, merges=True), "a tokenizer may merge"),
            (COUNTING, Judged(extends=False, keeps_thinking=False), "each turn becomes a row of its own"),
        ):
            judged = judge(self.write(template))
            self.assertEqual(want, judged)
            self.assertIn(says, judged.note("m"))
        self.assertEqual(
            Judged(extends=True, keeps_thinking=False), judge(self.write(DROPPING), {"enable_thinking": False})
        )
        self.assertFalse(judge(self.write(OPENING), {"enable_thinking": False}).merges)

    def test_where_a_template_stands(self) -> None:
        self.assertTrue(judge(self.write(None, chat_template=PLAIN)).keeps_thinking)
        self.assertFalse(judge(self.write(PLAIN), template=DROPPING).keeps_thinking)
        (self.model / "chat_template.jinja").unlink()
        several = [{"name": "tool_use", "template": PLAIN}, {"name": "default", "template": DROPPING}]
        self.assertFalse(judge(self.write(None, chat_template=several)).keeps_thinking)
        found = {"codec": "hermes 1", "result": "which read 2 calls"}
        save(str({"tool_use": PLAIN, "default": DROPPING}), {}, ("auto", "auto"), **found)
        self.assertIn("hermes 1, which read 2 calls", codec(self.model, {}, ("auto", "auto"))[0])
        save(PLAIN, {}, ("auto", "auto"), **found)
        self.assertIn("hermes 1, which read 2 calls", codec(self.write(PLAIN), {}, ("auto", "auto"))[0])
        (self.model / "additional_chat_templates").mkdir()
        self.assertIn("is chosen at the start", codec(self.model, {}, ("auto", "auto"))[0])

    def test_a_message_may_end_as_the_generation_config_says(self) -> None:
        (self.model / "generation_config.json").write_text(json.dumps({"eos_token_id": [0, 2]}))
        added = {"0": {"content": "</s>"}, "2": {"content": "<|im_end|>"}}
        want = Judged(extends=True, keeps_thinking=False)
        self.assertEqual(want, judge(self.write(DROPPING, eos_token="</s>", added_tokens_decoder=added)))
        (self.model / "tokenizer.json").write_text(json.dumps({"added_tokens": [{"id": 2, "content": "<|im_end|>"}]}))
        self.assertEqual(want, judge(self.write(DROPPING, eos_token="</s>")))
        (self.model / "tokenizer.json").write_text("[")
        self.assertIn("tokenizer.json cannot be read", note(self.write(DROPPING, eos_token="</s>")))

    def test_a_plugin_in_go_is_answered(self) -> None:
        for asked, member, says in (
            ({"template": None, "kwargs": None}, "note", "only appends"),
            ({"template": DROPPING, "kwargs": {"enable_thinking": True}}, "note", "drops earlier thinking"),
            ({"template": REFUSING}, "unknown", "roles must alternate"),
        ):
            self.assertIn(says, self.answer(self.write(PLAIN), asked)[member])
        with mock.patch.dict(sys.modules, {"jinja2": None, "jinja2.exceptions": None}):
            self.assertIn("has no jinja2", self.answer(self.model, {})["lacks"])

    def answer(self, model: pathlib.Path, asked: dict[str, object]) -> dict[str, str]:
        out = io.StringIO()
        line = io.StringIO(json.dumps({"model": str(model), **asked}))
        with mock.patch.object(sys, "stdin", line), mock.patch.object(sys, "stdout", out):
            main()
        answer: dict[str, str] = json.loads(out.getvalue())
        return answer

    def test_what_cannot_be_judged_says_why(self) -> None:
        for template, settings, says in (
            (REFUSING, {}, "roles must alternate, <s>"),
            ("{% for %}", {}, "cannot be read"),
            (None, {"chat_template": None}, "has no chat template"),
            (PLAIN, {"eos_token": None}, "no eos_token"),
            (PLAIN, {"eos_token": "</s>"}, "ends a message of the assistant with none"),
            ("{{ ''.__class__.__mro__ }}", {}, "cannot be judged"), ("{{ 1 + messages }}", {}, "TypeError"),
        ):
            (self.model / "chat_template.jinja").unlink(missing_ok=True)
            with self.assertRaisesRegex(ValueError, says):
                judge(self.write(template, **settings))
        self.assertIn("were not checked: /none/there is not a folder on this machine.", note("/none/there"))

    def test_a_name_is_looked_for_in_the_hub_s_cache(self) -> None:
        for variable, below in (("HF_HUB_CACHE", ""), ("HF_HOME", "hub"), ("XDG_CACHE_HOME", "huggingface/hub")):
            with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {variable: folder}):
                hub = pathlib.Path(folder) / below
                missing = f"Qwen/Qwen3-8B is not a folder on this machine, and {hub} does not"
                self.assertIn(missing, note("Qwen/Qwen3-8B"))
                kept = hub / "models--Qwen--Qwen3-8B"
                (kept / "refs").mkdir(parents=True)
                (kept / "refs" / "main").write_text("1a2b\n")
                self.assertIn("cannot be read", note("Qwen/Qwen3-8B"))
                (kept / "snapshots").mkdir()
                (kept / "snapshots" / "1a2b").symlink_to(self.write(DROPPING))
                self.assertIn("The chat template of Qwen/Qwen3-8B drops earlier thinking", note("Qwen/Qwen3-8B"))

    @unittest.skipUnless(os.environ.get("AWHOST_TESTDATA"), "AWHOST_TESTDATA names no folder with a model")
    def test_a_real_tokenizer(self) -> None:
        self.assertTrue(judge(pathlib.Path(os.environ["AWHOST_TESTDATA"]) / "frameworks" / "tiny-qwen2").extends)


if __name__ == "__main__":
    unittest.main()
