"""Speaks with a gateway by OpenAI's own client. Every answer, and every event, has to be one by the client's own models.

python openai_client.py BASE_URL KEY SEALED_KEY BROKEN_KEY: the episode of SEALED_KEY is over, that of BROKEN_KEY fails"""

import asyncio
import sys

import openai
from conform import conform, raises

BASE, KEY, SEALED, BROKEN = sys.argv[1:]
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
CHAT = [{"type": "function", "function": {"name": "add", "parameters": SCHEMA}}]
RESPONSES = [{"type": "function", "name": "add", "parameters": SCHEMA}]
client = openai.OpenAI(base_url=BASE, api_key=KEY)
asynchronous = openai.AsyncOpenAI(base_url=BASE, api_key=KEY)


def say(text):
    return [{"role": "user", "content": text}]


def chat_whole(messages, **options):
    return conform(client.chat.completions.create(model="m", messages=messages, tools=CHAT, **options))


def chat_stream(messages, **options):
    with client.chat.completions.stream(
        model="m", messages=messages, tools=CHAT, stream_options={"include_usage": True}, **options
    ) as stream:
        for event in stream:
            if event.type == "chunk":
                conform(event.chunk)
        try:
            return conform(stream.get_final_completion())
        except openai.LengthFinishReasonError as error:  # what this helper makes of a message that a limit cut
            return conform(error.completion)


def chat_async(messages, **options):
    async def ask():
        async with openai.AsyncOpenAI(base_url=BASE, api_key=KEY) as own:
            return conform(await own.chat.completions.create(model="m", messages=messages, tools=CHAT, **options))

    return asyncio.run(ask())


def conversation(ask):
    messages = say("call")
    answer = ask(messages)
    message = answer.choices[0].message
    assert answer.choices[0].finish_reason == "tool_calls", answer
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (10, 3, 13), answer
    assert message.content == "I add." and message.reasoning_content == "hm", message
    assert [(c.id, c.type, c.function.name) for c in message.tool_calls] == [
        ("call_1", "function", "add"), ("call_2", "function", "add")], message
    messages += [message] + [
        {"role": "tool", "tool_call_id": c.id, "content": c.function.arguments} for c in message.tool_calls]
    answer = ask(messages)
    assert answer.choices[0].finish_reason == "stop", answer
    assert answer.choices[0].message.content == '{"a":1,"b":2} {"a":"é\U0001f916"}', answer
    messages += [answer.choices[0].message] + say("long")
    answer = ask(messages)
    assert answer.choices[0].finish_reason == "length" and answer.choices[0].message.content == "cu", answer


conversation(chat_whole)
conversation(chat_async)
conversation(chat_stream)
assert len(chat_whole(say("two"), n=2).choices) == 2
assert len(chat_stream(say("two"), n=2).choices) == 2


def items_whole(items):
    return conform(client.responses.create(model="m", input=items, tools=RESPONSES, store=False))


def items_stream(items):
    with client.responses.stream(model="m", input=items, tools=RESPONSES, store=False) as stream:
        for event in stream:
            conform(event)
            if event.type == "response.incomplete":  # as of a message that a limit cut: this helper has no answer then
                return conform(event.response)
        return conform(stream.get_final_response())


def items_async(items):
    async def ask():
        async with openai.AsyncOpenAI(base_url=BASE, api_key=KEY) as own:
            final = None
            async for event in await own.responses.create(
                model="m", input=items, tools=RESPONSES, store=False, stream=True
            ):
                conform(event)
                if event.type in ("response.completed", "response.incomplete"):
                    final = event.response
            return final

    return asyncio.run(ask())


def item_conversation(ask):
    items = say("call")
    answer = ask(items)
    assert [item.type for item in answer.output] == ["reasoning", "message", "function_call", "function_call"], answer
    assert answer.output_text == "I add." and answer.output[0].summary[0].text == "hm", answer
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.total_tokens) == (10, 3, 13), answer
    items += answer.output + [
        {"type": "function_call_output", "call_id": i.call_id, "output": i.arguments}
        for i in answer.output if i.type == "function_call"]
    answer = ask(items)
    assert answer.status == "completed" and answer.output_text == '{"a":1,"b":2} {"a":"é\U0001f916"}', answer
    items += answer.output + say("long")
    answer = ask(items)
    assert answer.status == "incomplete" and answer.incomplete_details.reason == "max_output_tokens", answer
    assert answer.output_text == "cu", answer


item_conversation(items_whole)
item_conversation(items_stream)
item_conversation(items_async)

# An answer that is slow comes after comments, and is the only one.
assert chat_stream(say("slow")).choices[0].message.content == "at last"
assert items_stream(say("slow")).output_text == "at last"


def asks(own, text):
    """The ways to ask, each until its end."""
    yield lambda: own.chat.completions.create(model="m", messages=say(text))
    yield lambda: list(own.chat.completions.create(model="m", messages=say(text), stream=True))
    yield lambda: own.responses.create(model="m", input=text)
    yield lambda: list(own.responses.create(model="m", input=text, stream=True))


for ask in asks(client, "full"):
    error = raises(openai.BadRequestError, ask)
    assert error.code == "context_length_exceeded" and "maximum context length" in str(error), error

# In a stream that has begun, the status has been sent: the error is an event, which of responses is an event of the
# program's.
_, chat, _, responses = asks(client, "slow and full")
assert "maximum context length" in str(raises(openai.APIError, chat))
last = responses()[-1]
assert last.type == "response.failed" or last.type == "error", last
assert "maximum context length" in str(last), last

for ask in asks(client.with_options(api_key="wrong"), "call"):
    raises(openai.AuthenticationError, ask)
for key, code in (SEALED, "episode_over"), (BROKEN, "episode_failed"):
    for ask in asks(client.with_options(api_key=key), "call"):
        assert raises(openai.APIStatusError, ask).code == code
assert raises(openai.APIStatusError, next(asks(client.with_options(api_key=SEALED), "call"))).status_code == 410
error = raises(openai.BadRequestError, lambda: client.chat.completions.create(
    model="m", messages=say("call"), frequency_penalty=0.5))
assert error.param == "frequency_penalty", error
raises(openai.NotFoundError, lambda: client.embeddings.create(model="m", input="x"))
assert [conform(m).id for m in client.models.list()] == ["policy"]
