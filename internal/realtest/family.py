# Runs in the trainer's process, by Mutant: the policy follows a script, in the tool-call format of a model family. Each
# episode calls the tool that its question requires; every second one then gives the tool's result as its answer.
# Run with make, from sdk/python, it makes a tiny model of random weights with a family's tokenizer and chat template.
import json
import re
import sys

forced = {}  # ids to sample, by call


def make(name, folder):
    from tests.test_codec import family
    from transformers import GenerationConfig, Qwen2Config, Qwen2ForCausalLM, set_seed

    template, size = family(name), dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1)
    set_seed(0)
    size |= dict(num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=8192)
    model = Qwen2ForCausalLM(Qwen2Config(vocab_size=len(template.tokenizer), **size))
    model.generation_config = GenerationConfig(eos_token_id=list(template.end_ids))
    template.tokenizer.pad_token = template.tokenizer.eos_token
    model.save_pretrained(folder)
    template.tokenizer.save_pretrained(folder)


def make_tokenizer(name, folder):
    from tests.test_codec import family

    family(name).tokenizer.save_pretrained(folder)


def scripted(request, template):
    text = "".join(part.get("text", "") for message in request["messages"] for part in message.get("content") or ())
    message = {"role": "ROLE_ASSISTANT", "reasoning": "It is clear."}
    if not request["chain"]:
        a, sign, b = re.fullmatch(r"(\d+)(\D)(\d+)=", text).groups()
        name = {"+": "add", "-": "sub", "*": "mul", "%": "mod"}[sign]
        arguments = json.dumps({"a": int(a), "b": int(b)})
        message["tool_calls"] = [{"id": "call_1", "name": name, "arguments_json": arguments}]
    else:
        right = int(request["episode_id"].rpartition("/")[2]) % 2
        message["content"] = [{"text": f"<answer>{text}</answer>" if right else "It is not."}]
    return written(message, request["tools"], template)


def written(message, tools, template):
    """The ids of a message behind the generation prompt. Templates that open the reasoning there, and drop it from the
    message, and templates that end a message with the start of the next one, cannot write what a model samples."""
    from awhost_bridge.codec import split_answer
    from awhost_bridge.errors import GenerateError

    try:
        return template.write(message, tools)
    except GenerateError:
        _, left, ids, end = split_answer(template, *template.rendered(message, tools))
    tokenizer = template.tokenizer
    if "<think>" in template.decode(left):
        ids = tokenizer.encode(message["reasoning"] + "</think>", add_special_tokens=False) + ids
    if not end:
        end = [tokenizer.convert_tokens_to_ids("<|observation|>" if message.get("tool_calls") else "<|user|>")]
    return ids + end


def act(module):  # awhost_bridge.batched
    generate = module.BatchedEpisode.generate

    async def acting(self, request):
        forced[request["call_id"]] = scripted(request, self._batched.template)
        return await generate(self, request)

    module.BatchedEpisode.generate = acting


def speak(module):  # awhost_bridge.hf.sampler
    def said(logprobs, messages, uniform):
        ids = [[0 if m.finish else forced[m.call_id][len(m.ids)]] for m in messages]
        return module.torch.tensor(ids, device=logprobs.device)

    module._draw = said


def act_in_verl(module):  # awhost_verl.loop
    def force(self, request, params):
        ids = scripted(request, self.template)[: params["max_tokens"]]
        return dict(params, awhost_forced=ids, max_tokens=len(ids))

    generate = module.Episode.generate

    async def acting(self, request):
        self.loop.settings = {**self.loop.settings, "smoke": True}
        return await generate(self, request)

    module.Episode._smoke, module.Episode.generate = force, acting
