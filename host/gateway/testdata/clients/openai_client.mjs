// The same as openai_client.py, by the client from npm.
//
// node openai_client.mjs FOLDER BASE_URL KEY SEALED_KEY BROKEN_KEY: FOLDER has node_modules

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const [folder, baseURL, apiKey, sealed, broken] = process.argv.slice(2);
const OpenAI = createRequire(folder + "/")("openai").OpenAI;
const client = new OpenAI({ baseURL, apiKey });
const parameters = { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } } };
const chatTools = [{ type: "function", function: { name: "add", parameters } }];
const responseTools = [{ type: "function", name: "add", parameters, strict: false }];
const say = (content) => [{ role: "user", content }];
const results = '{"a":1,"b":2} {"a":"é\u{1f916}"}';

const chatWhole = (messages) => client.chat.completions.create({ model: "m", messages, tools: chatTools });
const chatStream = (messages) =>
  client.chat.completions
    .stream({ model: "m", messages, tools: chatTools, stream_options: { include_usage: true } })
    .finalChatCompletion();

async function conversation(ask) {
  const messages = say("call");
  let answer = await ask(messages);
  const message = answer.choices[0].message;
  assert.equal(answer.choices[0].finish_reason, "tool_calls");
  assert.equal(answer.usage.total_tokens, 13);
  assert.equal(message.content, "I add.");
  assert.deepEqual(message.tool_calls.map((c) => [c.id, c.type, c.function.name]), [
    ["call_1", "function", "add"],
    ["call_2", "function", "add"],
  ]);
  messages.push(message);
  for (const c of message.tool_calls) {
    messages.push({ role: "tool", tool_call_id: c.id, content: c.function.arguments });
  }
  answer = await ask(messages);
  assert.equal(answer.choices[0].finish_reason, "stop");
  assert.equal(answer.choices[0].message.content, results);
  messages.push(answer.choices[0].message, ...say("long"));
  answer = await ask(messages);
  assert.equal(answer.choices[0].finish_reason, "length");
  assert.equal(answer.choices[0].message.content, "cu");
}

const itemsWhole = (input) => client.responses.create({ model: "m", input, tools: responseTools, store: false });
const itemsStream = (input) =>
  client.responses.stream({ model: "m", input, tools: responseTools, store: false }).finalResponse();

async function itemConversation(ask) {
  const items = say("call");
  let answer = await ask(items);
  assert.deepEqual(answer.output.map((i) => i.type), ["reasoning", "message", "function_call", "function_call"]);
  assert.equal(answer.usage.total_tokens, 13);
  items.push(...answer.output);
  for (const i of answer.output.filter((i) => i.type === "function_call")) {
    items.push({ type: "function_call_output", call_id: i.call_id, output: i.arguments });
  }
  answer = await ask(items);
  assert.equal(answer.output[0].content[0].text, results);
  items.push(...answer.output, ...say("long"));
  answer = await ask(items);
  assert.equal(answer.status, "incomplete");
}

await conversation(chatWhole);
await conversation(chatStream);
await itemConversation(itemsWhole);
await itemConversation(itemsStream);
assert.equal((await chatStream(say("slow"))).choices[0].message.content, "at last");

const drain = async (stream) => {
  for await (const _ of await stream);
};
const asks = (own, text) => [
  () => own.chat.completions.create({ model: "m", messages: say(text) }),
  () => drain(own.chat.completions.create({ model: "m", messages: say(text), stream: true })),
  () => own.responses.create({ model: "m", input: text }),
  () => drain(own.responses.create({ model: "m", input: text, stream: true })),
];
for (const [own, text, kind, code] of [
  [client, "full", OpenAI.BadRequestError, "context_length_exceeded"],
  [client.withOptions({ apiKey: "wrong" }), "call", OpenAI.AuthenticationError, null],
  [client.withOptions({ apiKey: sealed }), "call", OpenAI.APIError, "episode_over"],
  [client.withOptions({ apiKey: broken }), "call", OpenAI.APIError, "episode_failed"],
]) {
  for (const ask of asks(own, text)) {
    await assert.rejects(ask, (error) => {
      assert.ok(error instanceof kind, `${text}: ${error}`);
      assert.equal(error.code, code);
      return true;
    });
  }
}
await assert.rejects(asks(client.withOptions({ apiKey: sealed }), "call")[0], { status: 410 });
