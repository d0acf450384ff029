// A stand-in for the server of `awhost ui`: the same addresses, shapes and headers, with the data of data.mjs.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as data from "./data.mjs";

export const token = "t0ken-of-the-test";
export const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const dist = process.env.AWHOST_PAGE ?? join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const files = {
  "/": ["index.html", "text/html"],
  "/app.js": ["app.js", "text/javascript"],
  "/app.css": ["app.css", "text/css"],
};

/** Starts a server. `say` tells those who listen to a run that something happened, `drop` cuts them off. */
export async function start() {
  const listeners = new Set();
  const asked = [];
  const state = { extra: 0 };
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    const file = files[url.pathname];
    if (file) return void sendFile(response, ...file);
    asked.push(url.pathname + url.search);
    if (request.method !== "GET" || request.headers.authorization !== `Bearer ${token}`) {
      return send(response, 401, {
        error: { summary: "The token is wrong.", detail: "Open the link that awhost ui prints." },
      });
    }
    if (url.pathname.endsWith("/live")) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(": hello\n\n");
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
      return;
    }
    const answer = answerTo(url, state);
    send(
      response,
      answer?.error ? 400 : answer ? 200 : 404,
      answer ?? { error: { summary: "There is no such run.", detail: data.hostile.script } },
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    asked,
    state,
    say: (event) => listeners.forEach((l) => l.write(`data: ${JSON.stringify(event)}\n\n`)),
    drop: () => listeners.forEach((l) => l.destroy()),
    listeners,
    stop: () => {
      listeners.forEach((l) => l.destroy());
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function sendFile(response, name, type) {
  response.writeHead(200, { "Content-Type": `${type}; charset=utf-8`, "Content-Security-Policy": policy });
  response.end(await readFile(join(dist, name)));
}

function send(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

function answerTo(url, state) {
  const [, api, , name, what, id, more] = url.pathname.split("/").map(decodeURIComponent);
  if (api !== "api") return null;
  const q = url.searchParams;
  if (url.pathname === "/api/runs") return { runs: data.runs };
  if (url.pathname === "/api/compare") return data.comparison(...q.getAll("run"));
  const run = data.runs.find((r) => r.name === name);
  if (!run) return null;
  switch (what) {
    case undefined:
      return { ...data.detail(run), step: run.step + (run.live ? state.extra : 0) };
    case "metrics":
      return { series: grown(data.series(q.getAll("name"), Number(q.get("after") ?? -1)), state.extra) };
    case "steps":
      return { steps: data.stepList.filter((s) => s.step >= Number(q.get("from")) && s.step <= Number(q.get("to"))) };
    case "episodes":
      return id === undefined ? list(q) : more === "private" ? { ground_truth: "159" } : data.episodeDetail(id);
    case "validations":
      return q.get("cursor") ? { ...data.validations(), next: undefined } : data.validations();
    case "tasks":
      return tasks(q);
    case "spec":
      return { settings: data.settings };
    case "log":
      return { text: `line of ${q.get("plugin")}\n${data.hostile.ansi}`, cut: true };
    case "waits":
      return run.live ? data.waits : null;
  }
  return null;
}

function grown(series, extra) {
  for (const points of Object.values(series)) for (let i = 1; i <= extra; i++) points.push([data.steps + i, 0.5]);
  return series;
}

function tasks(q) {
  const never = q.get("solved") === "never";
  const found = data.tasks.filter((t) => (!never || t.solved === 0) && t.same_wrong >= Number(q.get("same_min") ?? 0));
  const [by, sign] = (q.get("sort") ?? "task").startsWith("-") ? [q.get("sort").slice(1), -1] : [q.get("sort"), 1];
  if (by === "success") found.sort((a, b) => sign * ((a.success ?? 2) - (b.success ?? 2)));
  const from = Number(q.get("cursor") ?? 0);
  const end = from + Number(q.get("limit"));
  const next = end < found.length ? String(end) : undefined;
  return { tasks: found.slice(from, end), next, total: found.length, all: data.tasks.length };
}

/** The filters of the contract, over the steps of the run. */
function list(q) {
  const limit = Number(q.get("limit") ?? 100);
  if (limit > 1000) return { error: { summary: "limit is too large", detail: "" } };
  const from = Number(q.get("cursor") ?? 0);
  const all = q.has("step")
    ? data.episodesOf(Number(q.get("step")))
    : data.stepList.flatMap((s) => data.episodesOf(s.step));
  const is = (name, value) => !q.has(name) || q.get(name) === String(value);
  const within = (name, value) =>
    (!q.has(`${name}_min`) || value >= Number(q.get(`${name}_min`))) &&
    (!q.has(`${name}_max`) || value <= Number(q.get(`${name}_max`)));
  const found = all.filter(
    (e) =>
      is("split", e.split) &&
      is("group", e.group) &&
      is("task", e.task) &&
      is("outcome", e.outcome) &&
      is("class", e.class) &&
      within("reward", e.reward) &&
      within("turns", e.turns) &&
      (!q.has("q") || (e.answer ?? "").includes(q.get("q"))),
  );
  const sort = q.get("sort") ?? "order";
  const by = sort.replace("-", "");
  if (by !== "order") {
    const known = (e) => typeof e[by] === "number";
    found.sort((a, b) =>
      known(a) && known(b) ? (sort.startsWith("-") ? -1 : 1) * (a[by] - b[by]) : Number(known(b)) - Number(known(a)),
    );
  }
  const next = from + limit < found.length ? String(from + limit) : undefined;
  return { episodes: found.slice(from, from + limit), next, total: found.length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await start();
  console.log(`${server.url}#token=${token}`);
}
