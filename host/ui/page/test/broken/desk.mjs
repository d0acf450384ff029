// A calculator as an MCP server on standard input and output. DESK_SLOW names a tool that takes a minute; with
// DESK_EXPECTED, `begin` is told the answer of the task, and every tool tells it to whoever asks.
import { createInterface } from "node:readline";

const numbers = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};
const tools = [
  { name: "add", description: "adds two numbers", inputSchema: numbers },
  { name: "mul", description: "multiplies two numbers", inputSchema: numbers },
  { name: "begin", description: "clears the desk", inputSchema: { type: "object" } },
];
let expected = "";

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "desk", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": async ({ name, arguments: given }) => {
    if (name === process.env.DESK_SLOW) await new Promise((resolve) => setTimeout(resolve, 60_000));
    return text(use(name, given ?? {}));
  },
};

function use(name, { a, b, answer }) {
  if (name === "begin") {
    expected = answer ?? "";
    return "ready";
  }
  const result = String(name === "add" ? a + b : a * b);
  return process.env.DESK_EXPECTED ? `${result} (expected: ${expected})` : result;
}

const text = (words) => ({ content: [{ type: "text", text: words }] });
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  if (answer) say({ id, result: await answer(params ?? {}) });
  else say({ id, error: { code: -32601, message: `there is no method ${method}` } });
});
