"""The same as openai_client.py, by Anthropic's client.

python anthropic_client.py ROOT_URL KEY SEALED_KEY BROKEN_KEY"""

import asyncio
import sys

import anthropic
from conform import conform, raises

ROOT, KEY, SEALED, BROKEN = sys.argv[1:]
TOOLS = [{"name": "add", "input_schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}]
client = anthropic.Anthropic(base_url=ROOT, api_key=KEY)


def whole(messages):
    return conform(client.messages.create(model="m", max_tokens=100, messages=messages, tools=TOOLS))


def stream(messages):
    with client.messages.stream(model="m", max_tokens=100, messages=messages, tools=TOOLS) as events:
        return conform(events.get_final_message())


def events(messages):
    """Every event by itself, and then the message by a stream of its own, which must be the same sample's echo."""

    async def ask():
        async with anthropic.AsyncAnthropic(base_url=ROOT, api_key=KEY) as own:
            async with own.messages.stream(model="m", max_tokens=100, messages=messages, tools=TOOLS) as stream:
                kinds = []
                async for event in stream:
                    kinds.append(event.type)
                    if event.type in ("message_start", "content_block_start", "content_block_delta", "message_delta"):
                        conform(event)
                assert kinds[0] == "message_start" and kinds[-1] == "message_stop", kinds
                return conform(await stream.get_final_message())

    return asyncio.run(ask())


def say(text):
    return [{"role": "user", "content": text}]


def conversation(ask):
    messages = say("call")
    answer = ask(messages)
    assert answer.stop_reason == "tool_use", answer
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (10, 3), answer
    assert [block.type for block in answer.content] == ["thinking", "text", "tool_use", "tool_use"], answer
    assert answer.content[0].thinking == "hm" and answer.content[1].text == "I add.", answer
    assert [block.input for block in answer.content[2:]] == [{"a": 1, "b": 2}, {"a": "é\U0001f916"}], answer
    results = [
        {"type": "tool_result", "tool_use_id": block.id, "content": text}
        for block, text in zip(answer.content[2:], ['{"a":1,"b":2}', '{"a":"é\U0001f916"}'])]
    messages += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": results}]
    answer = ask(messages)
    assert answer.stop_reason == "end_turn" and answer.content[0].text == '{"a":1,"b":2} {"a":"é\U0001f916"}', answer
    messages += [{"role": "assistant", "content": answer.content}] + say("long")
    answer = ask(messages)
    assert answer.stop_reason == "max_tokens" and answer.content[0].text == "cu", answer


conversation(whole)
conversation(stream)
conversation(events)
assert stream(say("slow")).content[0].text == "at last"


def asks(own, text):
    yield lambda: own.messages.create(model="m", max_tokens=9, messages=say(text))
    yield lambda: list(own.messages.create(model="m", max_tokens=9, messages=say(text), stream=True))


for ask in asks(client, "full"):
    error = raises(anthropic.BadRequestError, ask)
    assert "prompt is too long" in str(error) and error.type == "invalid_request_error", error
error = raises(anthropic.APIStatusError, list(asks(client, "slow and full"))[1])
assert "prompt is too long" in str(error), error
for ask in asks(client.with_options(api_key="wrong"), "call"):
    raises(anthropic.AuthenticationError, ask)
for key, words in (SEALED, "has ended"), (BROKEN, "has failed"):
    for ask in asks(client.with_options(api_key=key), "call"):
        assert words in str(raises(anthropic.APIStatusError, ask))
assert raises(anthropic.APIStatusError, next(asks(client.with_options(api_key=SEALED), "call"))).status_code == 410
