// Agents with Vercel's AI SDK and its default provider, which takes OPENAI_BASE_URL and OPENAI_API_KEY.
//
//   node npm/structured.mjs object|tools

import { createRequire } from "node:module";

const require = createRequire((process.env.NODE_FOLDER ?? import.meta.dirname) + "/");
const { generateObject, generateText, stepCountIs, tool } = require("ai");
const { openai } = require("@ai-sdk/openai");
const { z } = require("zod");

const model = openai("gpt-5");
const prompt = process.env.QUESTION;
if (process.argv[2] === "object") {
  const { object } = await generateObject({ model, prompt, schema: z.object({ answer: z.number() }) });
  console.log(JSON.stringify(object));
} else {
  const add = tool({
    description: "Adds two numbers.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => String(a + b),
  });
  const { text } = await generateText({ model, prompt, tools: { add }, stopWhen: stepCountIs(3) });
  console.log(text);
}
