// The served model of the test's run: an OpenAI-style server that gives tokens in the form of vLLM. It samples nothing;
// what it says follows from what it is asked. `hold` makes it wait, so that a run stands still while somebody looks.
import { createServer } from "node:http";
import { hostile } from "../data.mjs";

const long = 10 << 20; // characters of its first message
const longTokens = 40_000; // of that message: how many a tokenizer would make of it is no matter of the page

/** With `hostile: false` it says nothing that would be obeyed, and nothing long: for pictures. */
export async function speaker({ hostile: isHostile = true } = {}) {
  const state = { answered: 0, holdAfter: Infinity, waiting: [] };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { messages, max_tokens } = JSON.parse(body);
    const answer = () => {
      state.answered++;
      send(response, messages, isHostile && state.answered === 2, isHostile); // the first is the probe of the host
    };
    if (state.answered < state.holdAfter || max_tokens === 16) answer();
    else state.waiting.push(answer);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    state,
    hold: (after) => (state.holdAfter = after),
    release: () => {
      state.holdAfter = Infinity;
      for (const answer of state.waiting.splice(0)) answer();
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response, messages, isLong, isHostile) {
  if (response.destroyed) return; // who asked was killed
  const asked = messages.map((m) => m.content ?? "").join("\n");
  const said =
    (isLong ? "<script>long</script> ".repeat(Math.ceil(long / 22)).slice(0, long) : "") + words(asked, isHostile);
  const prompt = [...Buffer.from(asked.slice(0, 2_000))];
  const sampled = isLong ? Array.from({ length: longTokens }, (_, i) => i % 50_000) : [...Buffer.from(said)];
  const body = {
    id: "1",
    object: "chat.completion",
    prompt_token_ids: prompt,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: said },
        finish_reason: "stop",
        token_ids: sampled,
        logprobs: { content: sampled.map((id, i) => ({ token: "", logprob: -((id * 7 + i) % 40) / 16 })) },
      },
    ],
    usage: { prompt_tokens: prompt.length, completion_tokens: sampled.length },
  };
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

/** It repeats the last answer that it was told, with what would be obeyed around it. */
function words(asked, isHostile) {
  const answer = [...asked.matchAll(/<answer>(.*?)<\/answer>/g)].at(-1)?.[1] ?? "none";
  if (!isHostile) return `The desk has been asked, and I agree with the solver.\n<answer>${answer}</answer>`;
  return `${hostile.script}\n${hostile.ansi}\n${hostile.bidi}\n<answer>${answer}</answer>`;
}
