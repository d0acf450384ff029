"""An agent with OpenAI's client. All its episodes share one HTTP client."""

import functools

import httpx2
from openai import AsyncOpenAI


@functools.cache
def client() -> AsyncOpenAI:
    """Returns the client of this process, without a limit on connections."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    http = httpx2.AsyncClient(limits=limits, timeout=600)
    return AsyncOpenAI(base_url="http://127.0.0.1", api_key="unset", http_client=http, max_retries=0)


async def solve(messages, endpoint, tools):
    """Calls tools until the model answers."""
    openai = client().with_options(base_url=endpoint.base_url, api_key=endpoint.api_key)
    while True:
        completion = await openai.chat.completions.create(model="policy", messages=messages, tools=tools.list())
        message = completion.choices[0].message
        messages.append(message)
        results = await tools.execute(message)
        if not results:
            return message.content
        messages += results
