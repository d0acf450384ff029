"""Reads messages that the server of a served model returns as text, for the host: it answers each JSON object on a line
of standard input with one on standard output.

The first object has tokenizer (a directory or a name in the cache of transformers), tool_format, and optionally
chat_template_kwargs_json. Each further one has text, tools, optionally chat_template_kwargs_json, and thought, which
means that the server returned the reasoning separately. An answer is a Message with the codec's identity, or an error.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Final

from .codec import CodecError, Sample, choose, identity
from .errors import GenerateError
from .template import ChatTemplate
from .wire import JSON

_USER: Final = {"role": "ROLE_USER", "content": [{"text": "placeholder"}]}


class _Reader:
    def __init__(self, request: JSON) -> None:
        from transformers import AutoTokenizer, GenerationConfig  # type: ignore[import-not-found, unused-ignore]

        name, self.format = request["tokenizer"], request["tool_format"]
        try:
            self.tokenizer: Any = AutoTokenizer.from_pretrained(name, local_files_only=True, trust_remote_code=False)
        except (OSError, ValueError) as e:  # ValueError for a directory without a tokenizer
            why = " ".join(str(e).split())[:300]
            if "trust_remote_code" in str(e):
                why = "it needs code of its repository, which awhost does not run: use the server's tool parser"
            raise CodecError(
                f"the tokenizer {name} cannot be loaded from this directory, or from the cache of transformers: {why}"
            ) from None
        try:
            ends = GenerationConfig.from_pretrained(name, local_files_only=True).eos_token_id
        except OSError:
            ends = None  # a tokenizer without a model
        ids = ends if isinstance(ends, list) else [] if ends is None else [ends]
        self.template = ChatTemplate(self.tokenizer, end_ids=sorted({self.tokenizer.eos_token_id, *ids} - {None}))

    def codec(self, request: JSON) -> JSON:
        return identity(choose(self.template.of(request), self.format))

    def read(self, request: JSON) -> JSON:
        template, text, tools = self.template.of(request), request["text"], request["tools"]
        codec = choose(template, self.format)
        ids = self.tokenizer.encode(text, add_special_tokens=False)
        end = [id for id in ids[-1:] if id in template.end_ids]
        for id in end:
            ids, text = ids[:-1], text.removesuffix(template.decode([id]))
        # Only the end of the prompt matters, and it is the same after any message.
        prompt = [] if request["thought"] else template.open([_USER], tools)
        thinking = "</think>" in text and template.thinks(prompt)
        return codec.parse(Sample(ids, text, tools, prompt, end, thinking=thinking)) | identity(codec)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    requests = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)  # libraries print
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # and ask
    reader = None
    for line in requests:
        try:
            request = json.loads(line)
            if reader is None:
                reader = _Reader(request)
                answer = reader.codec(request)
            else:
                answer = reader.read(request)
        except (CodecError, GenerateError) as e:
            answer = {"error": str(e)}
        except Exception as e:  # of transformers, or a library of a codec
            answer = {"error": f"{type(e).__name__}: {e}"}
        print(json.dumps(answer), file=answers, flush=True)
