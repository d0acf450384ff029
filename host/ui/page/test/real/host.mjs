// The real awhost in a directory of its own: apply, resume and ui as processes, and what the journal says of a run.
import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The program; undefined: there is none to test. */
export const program = process.env.AWHOST;

/** Makes a directory with the files of a folder, by default of the one beside this file, and a home of its own. */
export async function workshop(folder = dirname(fileURLToPath(import.meta.url)), env = {}) {
  const home = await mkdtemp(join(tmpdir(), "awhost-page-"));
  const dir = join(home, "work");
  await cp(folder, dir, { recursive: true, filter: (name) => !name.endsWith(".mjs") });
  const host = hostIn(dir, { ...env, HOME: home, XDG_CACHE_HOME: join(home, "cache") });
  return {
    ...host,
    stop: async () => {
      await host.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** awhost in a directory that is there. */
export function hostIn(dir, env = {}) {
  const environment = { ...process.env, NO_COLOR: "1", ...env };
  const children = new Set();

  const start = (...args) => {
    const child = spawn(program, args, { cwd: dir, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    const said = { out: "", error: "" };
    child.stdout.on("data", (d) => (said.out += d));
    child.stderr.on("data", (d) => (said.error += d));
    const ended = new Promise((resolve) => child.on("close", (code) => resolve(code)));
    children.add(child);
    void ended.then(() => children.delete(child));
    return { child, said, ended };
  };

  /** Runs a command to its end, and returns what it has printed. */
  const run = async (...args) => {
    const { stdout } = await promisify(execFile)(program, args, { cwd: dir, env: environment, maxBuffer: 1 << 30 });
    return stdout;
  };

  return {
    dir,
    start,
    run,
    /** Starts `awhost ui`, and returns its link. */
    ui: async () => {
      const ui = start("ui", "--json");
      const line = await new Promise((resolve, reject) => {
        ui.child.stdout.on("data", () => ui.said.out.includes("\n") && resolve(ui.said.out.split("\n")[0]));
        void ui.ended.then((code) => reject(new Error(`awhost ui ended with ${code}: ${ui.said.error}`)));
      });
      const url = new URL(JSON.parse(line).url);
      return { ...ui, port: Number(url.port), token: url.hash.replace("#token=", "") };
    },
    journal: (name) => journalOf(name, dir, run),
    stop: async () => {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

/** What is on record of a run: its episodes with their standings, and its metrics by step. */
async function journalOf(name, dir, run) {
  const episodes = (await run("show", name, "--episodes"))
    .split("\n")
    .filter((l) => l !== "")
    .map((l) => JSON.parse(l));
  const shown = JSON.parse((await run("show", name, "--json")).trim().split("\n").at(-1));
  const metrics = new Map(); // name → [[step, value]]
  const rows = await readFile(join(dir, ".awhost/runs", name, "metrics.jsonl"), "utf8").catch(() => "");
  for (const line of rows.split("\n").filter((l) => l.endsWith("}"))) {
    const row = JSON.parse(line);
    for (const [n, value] of Object.entries(row.values)) {
      const points = metrics.get(n) ?? new Map();
      points.set(row.step, value);
      metrics.set(n, points);
    }
  }
  return { episodes, shown, metrics };
}

// A way to a server that can be cut: what a browser sees when a connection drops. Requests name the server's own
// port.
export async function wire(port) {
  const sockets = new Set();
  let whole = true;
  const server = createServer((request, response) => {
    const { origin, ...headers } = request.headers;
    const other = httpRequest(
      {
        host: "127.0.0.1",
        port,
        path: request.url,
        method: request.method,
        headers: { ...headers, host: `127.0.0.1:${port}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
        answer.on("error", () => response.destroy());
      },
    );
    other.on("error", () => response.destroy());
    response.on("close", () => other.destroy());
    request.pipe(other);
  });
  server.on("connection", (socket) => {
    if (!whole) return void socket.destroy();
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    whole = false;
    for (const s of sockets) s.destroy();
  };
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    cut,
    mend: () => (whole = true),
    stop: () => {
      cut();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
