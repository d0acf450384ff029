"""The tuner of a workflow: the policy in each of AgentJet's forms. All of them ask the endpoint of the episode, so that
what they ask is answered, recorded and trained as what any other client asks there."""

import base64
import functools
import json
import os
import sys
import time
import urllib.parse

import _awhost_ajet as ajet

AGENT, TARGET = "default_agent_name", "default_target_tag"


class Lease:
    """The endpoint of one episode, and what was asked of it and of others."""

    def __init__(self, endpoint, trainable):
        self.endpoint, self.trainable = endpoint, trainable
        self.clients, self.tags, self.debug_calls = [], set(), 0

    def trains(self, tag):
        self.tags.add(tag)
        return not self.trainable or tag in self.trainable

    def key(self, tag):
        """The key of a member. Who has no name asks as the agent itself, as the tuner does, whose tag is None."""
        key = self.endpoint["api_key"]
        if tag is None or tag == TARGET and not self.trainable:
            return key
        mark = ".member." if self.trains(tag) else ".untrained."
        return key + mark + urllib.parse.quote(tag, safe="")

    def client(self, tag):
        make = policy_client(needed("openai"))
        client = make(base_url=self.endpoint["base_url"], api_key=self.key(tag), timeout=None)
        self.clients.append(client)
        return client

    async def close(self):
        for client in self.clients:
            await client.close()


def policy_client(openai):
    """The class of OpenAI's client with the policy as its model where a call names none."""
    if openai not in _clients:
        class AsyncOpenAI(openai.AsyncOpenAI):
            def __init__(self, *args, **options):
                super().__init__(*args, **options)
                for resource in (self.chat.completions, getattr(self, "responses", None)):
                    for name in ("create", "parse", "stream"):
                        if callable(getattr(resource, name, None)):
                            setattr(resource, name, with_model(getattr(resource, name)))

        _clients[openai] = AsyncOpenAI
    return _clients[openai]


_clients = {}


def with_model(call):
    @functools.wraps(call)
    def ask(*args, **options):
        return call(*args, **{"model": "policy", **options})

    return ask


def needed(name):
    try:
        return __import__(name)
    except ImportError as error:
        raise ImportError("the tuner asks the policy by %s here, which cannot be imported in %s (%s): install it "
                          "there, or ask "
                          "with another client by tuner.as_oai_baseurl_apikey()" % (name, sys.executable,
                              error)) from None


class Model:
    """The policy as a model of AgentScope: `await model(messages, tools=…)` gives a ChatResponse."""

    model_name, stream = "policy", False

    def __init__(self, lease, tag=TARGET, agent_name=AGENT, debug_model=None):
        self.lease, self.target_tag, self.agent_name = lease, tag, agent_name
        self.debug_model, self.asked = debug_model, None

    async def __call__(self, messages, tools=None, tool_choice=None, structured_model=None, **options):
        if self.debug_model is not None:
            self.lease.debug_calls += 1
            return await self.debug_model(messages, tools, tool_choice, structured_model, **options)
        response = needed("agentscope.model").model.ChatResponse
        if self.asked is None:
            self.asked = self.lease.client(self.target_tag)
        if structured_model is not None:
            tools = [form_of(structured_model)]
        elif tool_choice == "none":
            tools = None
        if tools:
            options["tools"] = tools
        begun = time.monotonic()
        completion = await self.asked.chat.completions.create(model="policy", messages=[plain(m) for m in messages],
            **options)
        answer = response(content=blocks(completion.choices[0].message), usage=usage_of(completion,
            time.monotonic() - begun))
        if structured_model is not None:
            answer.metadata = next((b["input"] for b in answer.content if b["type"] == "tool_use"), None)
        return only(answer) if self.stream else answer


async def only(answer):
    yield answer


def form_of(structured_model):
    return {"type": "function", "function": {
        "name": "generate_structured_output", "description": "Generate the required structured output with this "
                                                             "function.",
        "parameters": structured_model.model_json_schema()}}


def usage_of(completion, seconds):
    from agentscope.model._model_usage import ChatUsage
    usage = completion.usage
    return usage and ChatUsage(input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens, time=seconds)


def blocks(message):
    """A message of the policy as AgentScope's blocks."""
    out = []
    if getattr(message, "reasoning_content", None):
        out.append({"type": "thinking", "thinking": message.reasoning_content})
    if message.content:
        out.append({"type": "text", "text": message.content})
    for call in message.tool_calls or []:
        out.append({"type": "tool_use", "id": call.id, "name": call.function.name,
            "input": arguments(call.function.arguments)})
    return out


def arguments(text):
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def plain(message):
    """A message of any of AgentScope's formatters in OpenAI's format: DashScope's parts have no types."""
    out = {k: v for k, v in message.items() if v is not None or k == "content"}
    if isinstance(message.get("content"), list):
        parts = [part(p) for p in message["content"]]
        out["content"] = [p for p in parts if p is not None] or None
    return out


def part(p):
    if "type" in p:
        return p
    if "text" in p:
        return None if p["text"] is None else {"type": "text", "text": p["text"]}
    if "image" in p:
        return {"type": "image_url", "image_url": {"url": address(p["image"])}}
    raise ValueError("a part of a message has %s, and texts and images are taken" % ", ".join(sorted(p)))


def address(url):
    if not url.startswith("file://"):
        return url
    import mimetypes
    path = urllib.parse.unquote(url[len("file://"):])
    with open(path, "rb") as f:
        data = base64.b64encode(f.read()).decode("ascii")
    return "data:%s;base64,%s" % (mimetypes.guess_type(path)[0] or "image/png", data)


class BaseUrlAndKey:
    """Where any client of OpenAI's protocol reaches the policy."""

    def __init__(self, base_url, api_key, model):
        self.base_url, self.api_key, self.model = base_url, api_key, model


def own_client(lease, tag, name):
    """A client of OpenAI's for a member that is not trained: it asks whom OPENAI_BASE_URL names, by OPENAI_API_KEY."""
    own_key(tag, name)
    client = needed("openai").AsyncOpenAI()
    lease.clients.append(client)
    create = client.chat.completions.create

    def ask(*args, **options):
        lease.debug_calls += 1
        return create(*args, **dict(options, model=name))

    client.chat.completions.create = ask
    return client


def own_key(tag, name):
    key = os.environ.get("OPENAI_API_KEY")
    if not key:
        raise RuntimeError(
            "%r is not among trainable_targets, so that its debug_model %r answers, and there is no OPENAI_API_KEY: "
            "hand it on with "
            "--pass-env OPENAI_API_KEY (and OPENAI_BASE_URL), or say debug_model=None to have the policy answer, "
            "untrained" % (tag, name))
    return key


class AjetTuner(Model):
    """The policy. It is a model of AgentScope itself, which is always trained, and there are three more forms:

    as_agentscope_model(agent_name, target_tag, debug_model)        another one, for a member of several
    as_raw_openai_sdk_client(agent_name, target_tag, debug_model)   openai.AsyncOpenAI
    as_oai_baseurl_apikey(agent_name, target_tag, debug_model)      base_url, api_key and model for any client

    A member whose target_tag is not among the workflow's trainable_targets is not trained: its debug_model answers, or
    the policy where there is none."""

    def __init__(self, lease):
        super().__init__(lease, None)
        self.registered = {}

    def as_agentscope_model(self, agent_name=AGENT, target_tag=TARGET, debug_model=None):
        trained = self.lease.trains(target_tag)
        return model_class(Model)(self.lease, target_tag, agent_name, None if trained else debug_model)

    def as_raw_openai_sdk_client(self, agent_name=AGENT, target_tag=TARGET, debug_model="gpt-4o"):
        if self.lease.trains(target_tag) or debug_model is None:
            return self.lease.client(target_tag)
        return own_client(self.lease, target_tag, debug_model)

    def as_oai_baseurl_apikey(self, agent_name=AGENT, target_tag=TARGET, debug_model=None):
        if self.lease.trains(target_tag) or debug_model is None:
            return BaseUrlAndKey(self.lease.endpoint["base_url"], self.lease.key(target_tag), "policy")
        base = os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
        return BaseUrlAndKey(base, own_key(target_tag, debug_model), debug_model)

    def register_model(self, target_name, default_model=None):
        """as_agentscope_model, as older releases of AgentJet call it."""
        self.registered[target_name] = self.as_agentscope_model(target_name, target_name, default_model)
        return self.registered[target_name]

    def get_model(self, target_name):
        if target_name not in self.registered:
            raise ValueError("no model %r is registered" % target_name)
        return self.registered[target_name]


_classes = {}


def model_class(kind):
    """The class of a model, which is one of AgentScope's where AgentScope is in use."""
    module = sys.modules.get("agentscope.model")
    base = getattr(module, "ChatModelBase", None)
    if base is None:
        return kind
    if kind not in _classes:
        _classes[kind] = type(kind.__name__, (kind, base), {"__module__": kind.__module__, "__doc__": kind.__doc__})
    return _classes[kind]


ajet.install(AjetTuner)
