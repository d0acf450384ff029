// An agent with the client from npm, which takes its base URL and its key from OPENAI_BASE_URL and OPENAI_API_KEY.
//
//   node npm/agent.mjs chat|stream|responses|responses_stream QUESTION

import { createRequire } from "node:module";

const { OpenAI } = createRequire((process.env.NODE_FOLDER ?? import.meta.dirname) + "/")("openai");
const functions = { add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b, mod: (a, b) => a % b };
const parameters = {
  type: "object",
  properties: { a: { type: "integer" }, b: { type: "integer" } },
  required: ["a", "b"],
  additionalProperties: false,
};
const names = Object.keys(functions);
const chatTools = names.map((name) => ({ type: "function", function: { name, parameters } }));
const responsesTools = names.map((name) => ({ type: "function", name, parameters, strict: true }));

function run(name, args) {
  const { a, b } = JSON.parse(args);
  return String(functions[name](a, b));
}

// textOf is output_text, which answers that were put together from a stream lack.
const textOf = (response) => response.output.flatMap((item) => item.content ?? []).map((c) => c.text).join("");

async function chat(client, prompt, ask) {
  const messages = [{ role: "user", content: prompt }];
  for (let asked = 1; ; asked++) {
    const completion = await ask({ model: "gpt-5", messages, tools: chatTools });
    const message = completion.choices[0].message;
    if (!message.tool_calls?.length) return [message.content, asked];
    messages.push(message);
    for (const call of message.tool_calls) {
      const content = run(call.function.name, call.function.arguments);
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
}

async function responses(client, prompt, ask) {
  const input = [{ role: "user", content: prompt }];
  for (let asked = 1; ; asked++) {
    const response = await ask({ model: "gpt-5", input, tools: responsesTools, store: false });
    const calls = response.output.filter((item) => item.type === "function_call");
    if (!calls.length) return [response.output_text ?? textOf(response), asked];
    input.push(...response.output);
    for (const call of calls) {
      input.push({ type: "function_call_output", call_id: call.call_id, output: run(call.name, call.arguments) });
    }
  }
}

const client = new OpenAI();
const [how, prompt] = process.argv.slice(2);
const [answer, asked] = await {
  chat: () => chat(client, prompt, (body) => client.chat.completions.create(body)),
  stream: () => chat(client, prompt, (body) => client.chat.completions.stream(body).finalChatCompletion()),
  responses: () => responses(client, prompt, (body) => client.responses.create(body)),
  responses_stream: () => responses(client, prompt, (body) => client.responses.stream(body).finalResponse()),
}[how]();
console.log(JSON.stringify({ answer, asked }));
