"""Codecs over the chat templates of model families. Without transformers and TRL's templates (.ci/codecs installs both)
most tests are skipped with the reason."""

from __future__ import annotations

import base64
import importlib.util
import inspect
import json
import os
import pathlib
import random
import tempfile
import unittest
from typing import Any, Sequence
from unittest import mock

from awhost_bridge import ChatTemplate, CodecError, Ledger, Sample, choose, examine, identity
from awhost_bridge.codec import codecs, split_answer
from awhost_bridge.evidence import describe
from awhost_bridge.judge import codec as planned, judge

from .toy import Toy

JSON = dict[str, Any]


def _has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _templates() -> pathlib.Path | None:
    spec = importlib.util.find_spec("trl")
    folder = os.environ.get("AWHOST_CHAT_TEMPLATES") or (
        spec and spec.origin and pathlib.Path(spec.origin).parent / "chat_templates"
    )
    return pathlib.Path(folder) if folder and _has("transformers") else None


TEMPLATES = _templates()
MISSING = (
    "needs transformers, and the chat templates of TRL, installed or at AWHOST_CHAT_TEMPLATES: .ci/codecs installs both"
)
LIBRARIES = [name for name in ("renderers", "verl") if _has(name)] + (["trl"] if _has("trl") and _has("torch") else [])
if _has("transformers"):
    from transformers import PreTrainedTokenizerBase  # type: ignore[import-not-found, unused-ignore]

    if "prefix" in inspect.signature(PreTrainedTokenizerBase.parse_response).parameters:
        LIBRARIES.append("transformers")

QWEN = (
    "<|endoftext|> <|im_start|> <|im_end|> <tool_call> </tool_call> <tool_response> </tool_response> <think> "
    "</think> <|vision_start|> <|vision_end|> <|image_pad|> <|video_pad|>"
)
GLM = (
    "[gMASK] <sop> <|endoftext|> <|system|> <|user|> <|assistant|> <|observation|> <think> </think> "
    "<tool_call> </tool_call> <arg_key> </arg_key> <arg_value> </arg_value> "
    "<tool_response> </tool_response> /nothink"
)
HARMONY = "<|startoftext|> <|endoftext|> <|return|> <|constrain|> <|channel|> <|start|> <|end|> <|message|> <|call|>"
LLAMA = "<|begin_of_text|> <|end_of_text|> <|start_header_id|> <|end_header_id|> <|eot_id|> <|eom_id|> <|python_tag|>"
DEEPSEEK = (
    "<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> <｜User｜> <｜Assistant｜> <｜tool▁calls▁begin｜> <｜tool▁calls▁end｜> "
    "<｜tool▁call▁begin｜> <｜tool▁call▁end｜> <｜tool▁sep｜> "
    "<｜tool▁outputs▁begin｜> <｜tool▁outputs▁end｜> <｜tool▁output▁begin｜> <｜tool▁output▁end｜> <think> </think>"
)
GEMMA = (
    "<bos> <eos> <pad> <|turn> <turn|> <|tool> <tool|> <|tool_call> <tool_call|> <|tool_response> "
    '<tool_response|> <|channel> <channel|> <|think|> <|"|> <|image|> <|video|> <|audio|> '
    "<|image> <image|> <|audio> <audio|>"
)
KIMI = (
    "[BOS] [EOS] <|im_end|> <|im_user|> <|im_assistant|> <|im_system|> <|im_middle|> "
    "<|tool_calls_section_begin|> <|tool_calls_section_end|> <|tool_call_begin|> <|tool_call_end|> "
    "<|tool_call_argument_begin|> <think> </think>"
)
MISTRAL = (
    "<s> </s> [INST] [/INST] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] "
    "[/TOOL_RESULTS] [TOOL_CALLS] [CALL_ID] [ARGS] [THINK] [/THINK]"
)
MINIMAX = "]~!b[ ]~b] [e~[ <minimax:tool_call> </minimax:tool_call> <think> </think>"

# Written for this test after the formats' descriptions. The parsers of renderers are the oracle; for Mistral, SGLang's.
MISTRAL_TEMPLATE = r"""
{{- '<s>' }}{%- if tools -%}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{%- endif -%}
{%- for m in messages -%}
{%- if m.role == 'system' -%}[SYSTEM_PROMPT]{{ m.content }}[/SYSTEM_PROMPT]
{%- elif m.role == 'user' -%}[INST]{{ m.content }}[/INST]
{%- elif m.role == 'tool' -%}[TOOL_RESULTS]{{ m.content }}[/TOOL_RESULTS]
{%- else -%}{%- if m.reasoning_content -%}[THINK]{{ m.reasoning_content }}[/THINK]{%- endif -%}{{ m.content -}}
{%- for c in m.tool_calls or [] -%}[TOOL_CALLS]{{ c.function.name }}[ARGS]{{ c.function.arguments | tojson -}}
{%- endfor -%}</s>{%- endif -%}
{%- endfor -%}"""
KIMI_TEMPLATE = r"""
{%- if tools -%}<|im_system|>tool_declare<|im_middle|>{{ tools | tojson }}<|im_end|>{%- endif -%}
{%- for m in messages -%}
{%- if m.role == 'assistant' -%}<|im_assistant|>assistant<|im_middle|>{{ m.content }}
{%- if m.tool_calls -%}<|tool_calls_section_begin|>
{%- for c in m.tool_calls -%}<|tool_call_begin|>functions.{{ c.function.name }}:{{ loop.index0 -}}
<|tool_call_argument_begin|>{{ c.function.arguments | tojson }}<|tool_call_end|>{%- endfor -%}
<|tool_calls_section_end|>{%- endif -%}
{%- else -%}<|im_{{ 'user' if m.role == 'user' else 'system' }}|>{{ m.role }}<|im_middle|>{{ m.content -}}
{%- endif -%}<|im_end|>
{%- endfor -%}
{%- if add_generation_prompt -%}<|im_assistant|>assistant<|im_middle|>{%- endif -%}"""
MINIMAX_TEMPLATE = r"""
{{- ']~!b[]~b]system\n' }}{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}{{ '[e~[\n' -}}
{%- for m in messages -%}
{%- if m.role == 'assistant' -%}{{- ']~b]ai\n' -}}
{%- if m.reasoning_content -%}{{- '<think>\n' + m.reasoning_content + '\n</think>\n\n' -}}{%- endif -%}
{{- m.content -}}
{%- if m.tool_calls -%}{{- '\n<minimax:tool_call>\n' -}}
{%- for c in m.tool_calls -%}{{- '<invoke name="' + c.function.name + '">\n' -}}
{%- for k, v in c.function.arguments.items() -%}
{{- '<parameter name="' + k + '">' -}}{{- v if v is string else v | tojson -}}{{- '</parameter>\n' -}}{%- endfor -%}
{{- '</invoke>\n' -}}{%- endfor -%}{{- '</minimax:tool_call>' -}}{%- endif -%}
{%- else -%}{{- ']~b]' + m.role + '\n' + m.content -}}{%- endif -%}{{- '[e~[\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- ']~b]ai\n' -}}{%- endif -%}"""

# Name, template, special tokens, end of a message, further ends as in the models' generation configurations, and the
# codecs that read it, by library.
FAMILIES: list[tuple[str, str, str, str, str, dict[str, str]]] = [
    ("qwen2.5", "qwen2_5.jinja", QWEN, "<|im_end|>", "", {"": "hermes"}),
    ("qwen3", "qwen3.jinja", QWEN, "<|im_end|>", "", {"": "hermes"}),
    (
        "qwen3.5",
        "qwen3_5_think.jinja",
        QWEN,
        "<|im_end|>",
        "",
        {"renderers": "renderers/qwen3.5", "trl": "trl", "verl": "verl/qwen3_coder"},
    ),
    (
        "qwen3.6",
        "qwen3_6.jinja",
        QWEN,
        "<|im_end|>",
        "",
        {"renderers": "renderers/qwen3.6", "trl": "trl", "verl": "verl/qwen3_coder"},
    ),
    (
        "qwen3.8",
        "qwen3_8.jinja",
        QWEN,
        "<|im_end|>",
        "",
        {"renderers": "renderers/qwen3.8", "trl": "trl", "verl": "verl/qwen3_coder"},
    ),
    (
        "nemotron-3",
        "nemotron_3_nano.jinja",
        QWEN,
        "<|im_end|>",
        "",
        {"renderers": "renderers/nemotron-3", "trl": "trl", "verl": "verl/qwen3_coder"},
    ),
    (
        "glm-4.5",
        "glm4moe.jinja",
        GLM,
        "<|endoftext|>",
        "<|user|> <|observation|>",
        {"renderers": "renderers/glm-4.5", "trl": "trl", "verl": "verl/glm"},
    ),
    (
        "gpt-oss",
        "gptoss.jinja",
        HARMONY,
        "<|return|>",
        "<|endoftext|> <|call|>",
        {"transformers": "transformers/gpt-oss", "trl": "trl"},
    ),
    ("mistral", MISTRAL_TEMPLATE, MISTRAL, "</s>", "", {"transformers": "transformers/mistral"}),
    (
        "llama-3",
        "llama3_1.jinja",
        LLAMA,
        "<|eot_id|>",
        "<|end_of_text|> <|eom_id|>",
        {"renderers": "renderers/llama-3"},
    ),
    ("deepseek-v3", "deepseekv3.jinja", DEEPSEEK, "<｜end▁of▁sentence｜>", "", {"renderers": "renderers/deepseek-v3"}),
    (
        "gemma-4",
        "gemma4_v5.jinja",
        GEMMA,
        "<turn|>",
        "<eos> <|tool_response>",
        {"renderers": "renderers/gemma4", "trl": "trl"},
    ),
    ("kimi-k2", KIMI_TEMPLATE, KIMI, "<|im_end|>", "", {"renderers": "renderers/kimi-k2"}),
    ("minimax-m2", MINIMAX_TEMPLATE, MINIMAX, "[e~[", "", {"renderers": "renderers/minimax-m2"}),
]


def family(name: str, **kwargs: Any) -> ChatTemplate:
    """Returns the template of a family over a tokenizer with its special tokens, the bytes, and a double line feed."""
    import tokenizers  # type: ignore[import-not-found, unused-ignore]
    from tokenizers import decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast  # type: ignore[import-not-found, unused-ignore]

    assert TEMPLATES is not None
    _, template, special, end, more, _ = next(f for f in FAMILIES if f[0] == name)
    letters = {c: i for i, c in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    letters["ĊĊ"] = len(letters)
    byte_level = tokenizers.Tokenizer(models.BPE(vocab=letters, merges=[("Ċ", "Ċ")]))
    byte_level.pre_tokenizer, byte_level.decoder = (
        pre_tokenizers.ByteLevel(add_prefix_space=False),
        decoders.ByteLevel(),
    )
    byte_level.add_special_tokens([tokenizers.AddedToken(s, special=True, normalized=False) for s in special.split()])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=byte_level, eos_token=end)
    tokenizer.chat_template = (
        (TEMPLATES / template).read_text(encoding="utf-8") if template.endswith(".jinja") else template
    )
    if name == "nemotron-3":  # nothing else tells it from Qwen3.5
        tokenizer.name_or_path = "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"
    ends = [tokenizer.eos_token_id, *tokenizer.convert_tokens_to_ids(more.split())]
    return ChatTemplate(tokenizer, kwargs=kwargs, end_ids=ends)


def tool(name: str, **properties: str) -> JSON:
    schema = {"type": "object", "properties": {p: {"type": t} for p, t in properties.items()}}
    return {
        "name": name,
        "description": "A tool.",
        "parameters_json": base64.b64encode(json.dumps(schema).encode()).decode(),
    }


BASH = [tool("bash", command="string")]


def read(template: ChatTemplate, codec: Any, text: str, tools: Sequence[JSON] = BASH) -> JSON:
    ids = template.tokenizer.encode(text, add_special_tokens=False)
    message: JSON = codec.parse(Sample(ids, text, tools, position=2))
    return message


@unittest.skipIf(TEMPLATES is None, MISSING)
class FamiliesTest(unittest.TestCase):
    def test_the_codec_of_each_family_has_evidence(self) -> None:
        for name, *_, readers in FAMILIES:
            template = family(name)
            available = [r for library, r in readers.items() if not library or library in LIBRARIES]
            if not available:
                continue
            with self.subTest(name):
                codec, evidence = examine(template)
                assert evidence is not None
                self.assertEqual((codec.name, codec.version), (evidence.codec, evidence.version))
                self.assertIn("call", evidence.parts)
                if "renderers" in available[0] and name not in ("qwen3.6", "qwen3.8"):  # qwen3.5 reads these
                    self.assertEqual(available[0], codec.name)
                for reader in available:
                    self.assertEqual(reader, choose(template, reader).name)

    def test_a_plan_names_templates_whose_empty_reasoning_may_merge(self) -> None:
        for name, kwargs, merges in (
            ("qwen3", {}, False),
            ("qwen3.5", {}, True),
            ("qwen3.6", {}, True),
            ("qwen3.6", {"enable_thinking": False}, False),
        ):
            with self.subTest(name, kwargs=kwargs), tempfile.TemporaryDirectory() as model:
                family(name).tokenizer.save_pretrained(model)
                self.assertEqual(merges, judge(pathlib.Path(model), kwargs).merges)

    def test_without_a_codec_the_error_names_the_choices(self) -> None:
        template = family("qwen3.5")
        with self.assertRaisesRegex(
            CodecError,
            r"no codec reads the calls that the chat template renders, .*<function=read_note>.*"
            r"hermes: it reads the calls \[\]",
        ):
            choose(template, "hermes")
        with self.assertRaisesRegex(CodecError, "unknown tool_format 'qwen4': .* allow auto, hermes"):
            choose(template, "qwen4")

    def test_the_evidence_identifies_template_and_codec(self) -> None:
        first, again, other = (examine(family(name))[1] for name in ("qwen3", "qwen3", "qwen2.5"))
        assert first and again and other
        self.assertEqual(first, again)
        self.assertNotEqual(first.digest, other.digest)

    def test_a_plan_shows_the_stored_evidence(self) -> None:
        template = family("qwen3")
        codec, _ = examine(template)
        text, failure = describe(template.source(), {}, ("auto", "auto"))
        read = f"tool calls: {codec.name} {codec.version}, which read 2 calls, reasoning, text (tested on 20"
        self.assertIn(read, text)
        self.assertEqual("", failure)
        with self.assertRaises(CodecError):
            choose(template, "qwen4")
        text, failure = describe(template.source(), {"enable_thinking": False}, ("qwen4", "auto"))
        self.assertEqual("", text)
        self.assertIn("failed: unknown tool_format 'qwen4': this tokenizer and", failure)
        with tempfile.TemporaryDirectory() as folder:  # a plan reads the same template as transformers
            template.tokenizer.save_pretrained(folder)
            loaded = type(template.tokenizer).from_pretrained(folder)
            text, _ = planned(folder, {}, ("auto", "think"))
            self.assertIn("is chosen at the start", text)
            choose(ChatTemplate(loaded), reasoning_format="think")
            text, _ = planned(folder, {}, ("auto", "think"))
            self.assertIn(f"tool calls: {codec.name} {codec.version}, reasoning_format = think, which read", text)
        with tempfile.NamedTemporaryFile() as file, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": file.name}):
            with self.assertLogs("awhost.bridge", "WARNING") as logged:
                self.assertEqual("hermes", choose(family("qwen3"), "hermes").name)
        self.assertIn("its evidence cannot be stored", logged.output[0])

    @unittest.skipUnless("renderers" in LIBRARIES, "needs renderers")
    def test_reasoning_that_the_codec_does_not_read(self) -> None:
        call = '{"name": "bash", "parameters": {"command": "ls"}}'
        for name, opened, text, content, reasoning in (
            ("llama-3", False, "<think>{not a call}</think>" + call, "", "{not a call}"),
            ("deepseek-v3", False, "<think>why</think>because", "because", "why"),
            ("deepseek-v3", True, "why</think>because", "because", "why"),
            ("glm-4.5", False, "<think>why</think>because", "because", "why"),
            ("llama-3", False, "<think>cut", "<think>cut", ""),
        ):
            with self.subTest(name, text=text):
                template = family(name)
                codec = choose(template, reasoning_format="think")
                self.assertTrue(identity(codec)["codec"].endswith(", reasoning_format = think"))
                ids = template.tokenizer.encode(text, add_special_tokens=False)
                prompt, _ = template.rendered({"role": "ROLE_ASSISTANT", "content": [{"text": "x"}]}, BASH)
                message = codec.parse(Sample(ids, text, BASH, prompt if opened else (), position=2, thinking=opened))
                self.assertEqual(reasoning, message.get("reasoning", ""))
                self.assertEqual(content, "".join(part["text"] for part in message.get("content", ())))
                self.assertEqual(call in text, "tool_calls" in message)
                self.assertNotIn("malformed", message)

    @unittest.skipUnless("renderers" in LIBRARIES, "needs renderers")
    def test_a_call_as_each_family_writes_it(self) -> None:
        for name, text in (
            ("qwen3", '<tool_call>\n{"name": "bash", "arguments": {"command": "ls -la"}}\n</tool_call>'),
            (
                "qwen3.5",
                "<tool_call>\n<function=bash>\n<parameter=command>\nls -la\n</parameter>\n</function>\n</tool_call>",
            ),
            ("glm-4.5", "<tool_call>bash<arg_key>command</arg_key><arg_value>ls -la</arg_value></tool_call>"),
            (
                "kimi-k2",
                "<|tool_calls_section_begin|><|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>"
                '{"command": "ls -la"}<|tool_call_end|><|tool_calls_section_end|>',
            ),
            ("llama-3", '{"name": "bash", "parameters": {"command": "ls -la"}}'),
            (
                "minimax-m2",
                '<minimax:tool_call>\n<invoke name="bash">\n<parameter name="command">ls -la</parameter>\n</invoke>\n'
                "</minimax:tool_call>",
            ),
            ("gemma-4", '<|tool_call>call:bash{command:<|"|>ls -la<|"|>}<tool_call|>'),
        ):  # fmt: skip
            with self.subTest(name):
                template = family(name)
                message = read(template, choose(template), text)
                call = message["tool_calls"][0]
                self.assertEqual(("bash", {"command": "ls -la"}), (call["name"], json.loads(call["arguments_json"])))
                self.assertNotIn("malformed", message)

    @unittest.skipUnless("renderers" in LIBRARIES, "needs renderers")
    def test_a_call_of_which_a_library_loses_a_part_is_malformed(self) -> None:
        tools = [tool("save", text="string", count="integer")]
        for name, text, reason in (
            (
                "qwen3.5",
                "<tool_call>\n<function=save>\n<parameter=text>\nabc\n</paramter>\n<parameter=count>\n7\n</parameter>\n"
                "</function>\n</tool_call>",
                "joined <parameter= to an argument",
            ),
            (
                "minimax-m2",
                '<minimax:tool_call>\n<invoke name="save">\n<parameter name="text">abc</parameter>\n'
                '<parater name="count">7</parameter>\n</invoke>\n</minimax:tool_call>',
                "dropped count, parater",
            ),
            (
                "glm-4.5",
                "<tool_call>save\n<arg_key>text</arg_key>\n<arg_value>abc</arg_value>count</arg_key>\n"
                "<arg_value>7</arg_value>\n</tool_call>",
                "dropped count",
            ),
            ("llama-3", '{"name": "save", "parers": {"text": "abc", "count": 7}}', "dropped abc, count, parers, text"),
        ):  # fmt: skip
            with self.subTest(name):
                template = family(name)
                codec = choose(template)
                message = read(template, codec, text, tools)
                self.assertEqual([{"text": text, "reason": f"{codec.name} {reason}"}], message["malformed"])
                self.assertEqual([{"text": text}], message["content"])
                self.assertNotIn("tool_calls", message)

    def test_without_tools_a_message_has_its_reasoning(self) -> None:
        for name, text in (
            ("gpt-oss", "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Done."),
            ("mistral", "[THINK]Hm.[/THINK]Done."),
            ("gemma-4", "<|channel>thought\nHm.<channel|>Done."),
            ("qwen3.5", "<think>\nHm.\n</think>\n\nDone."),
        ):
            template = family(name)
            try:
                codec = choose(template)
            except CodecError:
                continue  # its library is missing
            with self.subTest(name, codec=codec.name):
                message = read(template, codec, text, ())
                self.assertEqual("Hm.", message["reasoning"].strip())
                self.assertEqual("Done.", message["content"][0]["text"].strip())

    def test_white_space_around_an_argument_is_kept(self) -> None:
        for name, *_ in FAMILIES:
            template = family(name)
            try:
                codec = choose(template)
            except CodecError:
                continue  # its library is missing
            with self.subTest(name, codec=codec.name):
                arguments = {"command": "    return x\n"}
                call = {"id": "call_2_0", "name": "bash", "arguments_json": json.dumps(arguments)}
                calls = [call] if name == "llama-3" else [call, call]  # its template renders one
                prompt, whole = template.rendered({"role": "ROLE_ASSISTANT", "tool_calls": calls}, BASH)
                prompt, _, ids, end = split_answer(template, prompt, whole)
                text = template.decode(ids)
                thinking = "</think>" in text and template.thinks(prompt)
                message = codec.parse(Sample(ids, text, BASH, prompt, end, 2, thinking))
                read_back = [json.loads(c["arguments_json"]) for c in message["tool_calls"]]
                self.assertEqual([arguments] * len(read_back), read_back)

    @unittest.skipUnless("renderers" in LIBRARIES, "needs renderers")
    def test_text_between_and_after_calls_is_kept(self) -> None:
        text = "<tool_call>\n<function=bash>\n<parameter=command>\nls C:\\new\n</parameter>\n</function>\n</tool_call>"
        template = family("qwen3.5")
        message = read(template, choose(template), f"{text}\nBetween them.\n{text}\nI wait.")
        self.assertEqual("Between them. I wait.", " ".join(message["content"][0]["text"].split()))
        self.assertEqual(
            [{"command": "ls C:\\new"}] * 2, [json.loads(c["arguments_json"]) for c in message["tool_calls"]]
        )

    @unittest.skipUnless("transformers" in LIBRARIES, "needs transformers 5.13 or later")
    def test_calls_of_gpt_oss(self) -> None:
        """A call's recipient comes before or after the channel, and text may come before the call."""
        template = family("gpt-oss")
        codec = choose(template)
        for text in (
            ' to=functions.bash<|channel|>commentary json<|message|>{"command":"ls -la"}',
            '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command":"ls -la"}',
            '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|>'
            '<|start|>assistant<|channel|>commentary to=functions.bash<|message|>{"command":"ls -la"}',
        ):
            message = read(template, codec, text)
            (call,) = message["tool_calls"]
            self.assertEqual(("bash", {"command": "ls -la"}), (call["name"], json.loads(call["arguments_json"])))
        self.assertEqual(("Hm.", [{"text": "I look."}]), (message["reasoning"], message["content"]))
        cut = '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command":"ls'
        message = read(template, codec, cut)
        self.assertEqual(cut, message["malformed"][0]["text"])
        message = read(template, codec, "<|channel|>final<|message|>All done.")
        self.assertEqual([{"text": "All done."}], message["content"])
        self.assertNotIn("malformed", message)

    @unittest.skipUnless({"transformers", "renderers"} <= set(LIBRARIES), "needs renderers and transformers 5.13")
    def test_the_texts_of_the_formats_case(self) -> None:
        """AWHOST_TESTDATA/cases/turn-3/formats.json has a call of bash in each format."""
        folder = os.environ.get("AWHOST_TESTDATA")
        if not folder:
            self.skipTest("needs AWHOST_TESTDATA")
        texts = json.loads((pathlib.Path(folder) / "cases" / "turn-3" / "formats.json").read_text("utf-8"))
        families = {
            "hermes": "qwen3", "qwen3_coder": "qwen3.5", "glm": "glm-4.5", "kimi_k2": "kimi-k2", "gpt_oss": "gpt-oss",
            "llama3": "llama-3",
        }  # fmt: skip
        self.assertEqual(set(families), set(texts))
        for name, text in texts.items():
            with self.subTest(name):
                template = family(families[name])
                message = read(template, choose(template), text)
                (call,) = message["tool_calls"]
                self.assertEqual(("bash", {"command": "ls -la"}), (call["name"], json.loads(call["arguments_json"])))

    def test_generated_and_damaged_calls(self) -> None:
        """Each call that the template renders comes back equal. Of a damaged one nothing is lost: its text is in the
        content, in the arguments, or in the list of malformed calls."""
        for name, *_, readers in FAMILIES:
            if not any(not library or library in LIBRARIES for library in readers):
                continue
            with self.subTest(name):
                template, draw = family(name), random.Random(name)
                codec = choose(template)
                for number in range(40):
                    arguments = {
                        "text": _text(draw),
                        "count": draw.choice([0, -7, 10**20, draw.randrange(10**6)]),
                        "options": _value(draw, 2),
                        "whole": draw.random() < 0.5,
                    }
                    message: JSON = {
                        "role": "ROLE_ASSISTANT",
                        "tool_calls": [
                            {
                                "id": "call_2_0",
                                "name": "save",
                                "arguments_json": json.dumps(arguments, ensure_ascii=False),
                            }
                        ],
                    }
                    tools = [tool("save", text="string", count="integer", options="object", whole="boolean")]
                    prompt, whole = template.rendered(message, tools)
                    prompt, _, ids, end = split_answer(template, prompt, whole)
                    text = template.decode(ids)
                    got = codec.parse(
                        Sample(
                            ids,
                            text,
                            tools,
                            prompt,
                            position=2,
                            thinking="</think>" in text and template.thinks(prompt),
                        )
                    )
                    self.assertEqual(
                        [("save", arguments)],
                        [(c["name"], json.loads(c["arguments_json"])) for c in got.get("tool_calls", ())],
                        (number, text, got),
                    )
                    cut = draw.randrange(len(ids))
                    damaged = [*ids[:cut], *ids[cut + draw.randrange(1, 6) :]]
                    text = template.decode(damaged)
                    got = codec.parse(Sample(damaged, text, tools, prompt, position=2))
                    for call in got.get("tool_calls", ()):
                        json.loads(call["arguments_json"])
                    if text.strip():
                        self.assertTrue(
                            any(got.get(part) for part in ("content", "reasoning", "tool_calls", "malformed")),
                            (number, text),
                        )


def _text(draw: random.Random) -> str:
    return "".join(draw.choice("ab Zü你\n\"'\\{}[],:/&=%$#0") for _ in range(draw.randrange(1, 20)))


def _value(draw: random.Random, depth: int) -> Any:
    if depth == 0:
        return draw.choice([1, "one", None, True, "", "null"])
    return {
        f"k{i}": [_value(draw, depth - 1)] if draw.random() < 0.5 else _value(draw, depth - 1)
        for i in range(draw.randrange(3))
    }


class WithoutTokenizerTest(unittest.TestCase):
    def test_templates_that_render_themselves_have_hermes(self) -> None:
        class Other:
            end_ids = (0,)

        self.assertEqual("hermes", choose(Other()).name)
        with self.assertRaisesRegex(CodecError, "'glm' needs the chat template of a tokenizer"):
            choose(Other(), "glm")

        with self.assertRaisesRegex(CodecError, "'think' needs the chat template of a tokenizer"):
            choose(Other(), reasoning_format="think")

    def test_reasoning_stays_in_the_content(self) -> None:
        template, text = ChatTemplate(Toy()), "<think>why</think>because"
        codec, evidence = examine(template, "hermes", "none")
        assert evidence is not None
        self.assertEqual(f"hermes {evidence.version}", identity(codec)["codec"])
        self.assertNotEqual(codec.digest, choose(template).digest)
        for opened, written in ((False, text), (True, text.removeprefix("<think>"))):
            message = codec.parse(Sample((), written, thinking=opened))
            self.assertEqual({"role": "ROLE_ASSISTANT", "content": [{"text": text}]}, message)
        with self.assertRaisesRegex(CodecError, "unknown reasoning_format 'r1': use auto, think, or none"):
            examine(template, "auto", "r1")

    def test_hermes_may_differ_in_other_parts_than_calls(self) -> None:
        class ThinksLast(Toy):
            def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
                moved = [{**m, "content": m["content"] + m.get("reasoning_content", "")} for m in conversation]
                for m in moved:
                    m.pop("reasoning_content", None)
                return super().render(moved, tools, prompt)

        with self.assertLogs("awhost.bridge", "WARNING") as logged:
            codec, evidence = examine(ChatTemplate(ThinksLast()))
        self.assertEqual(("hermes", None), (codec.name, evidence))
        self.assertIn("it reads the reasoning '' for 'The question needs both notes.'", logged.output[0])

    def test_a_template_without_calls_has_hermes_and_no_evidence(self) -> None:
        class WithoutCalls(Toy):
            def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
                return super().render(
                    [{k: v for k, v in m.items() if k != "tool_calls"} for m in conversation], tools, prompt
                )

        template = ChatTemplate(WithoutCalls())
        codec, evidence = examine(template)
        self.assertEqual(("hermes", None), (codec.name, evidence))
        self.assertIs(codec, Ledger(template).codec)
        self.assertEqual("hermes", next(codecs(template)).name)
