"""A conversation of three messages by each client, whose own retries are all that it takes.

python retries.py ROOT_URL KEY CLIENT"""

import asyncio
import sys

import anthropic
import openai

ROOT, KEY, CLIENT = sys.argv[1:]
messages = []


def openai_chat():
    out = openai.OpenAI(base_url=ROOT + "/v1", api_key=KEY).chat.completions.create(model="m", messages=messages)
    return out.choices[0].message.content


def openai_responses():
    out = openai.OpenAI(base_url=ROOT + "/v1", api_key=KEY).responses.create(model="m", input=messages, store=False)
    return out.output_text


def openai_async():
    async def ask():
        async with openai.AsyncOpenAI(base_url=ROOT + "/v1", api_key=KEY) as client:
            return await client.chat.completions.create(model="m", messages=messages)

    return asyncio.run(ask()).choices[0].message.content


def anthropic_messages():
    out = anthropic.Anthropic(base_url=ROOT, api_key=KEY).messages.create(model="m", messages=messages, max_tokens=9)
    return out.content[0].text


for n in range(3):
    messages.append({"role": "user", "content": "again"})
    said = globals()[CLIENT]()
    assert said == f"answer {n + 1}", said
    messages.append({"role": "assistant", "content": said})
