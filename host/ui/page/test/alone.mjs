// Writes a file of its own as host/ui/html.go does, for the page's part of it: what is in it, and where.
import { createHash } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dist } from "./mock.mjs";

export async function alone(route, answers) {
  const read = (name) => readFile(join(dist, name), "utf8");
  const [index, script, style] = await Promise.all(["index.html", "app.js", "app.css"].map(read));
  const data = JSON.stringify({ route, ...answers }).replaceAll("<", "\\u003c");
  const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy =
    `default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";
  const file = index
    .replace(`<meta charset="utf-8" />`, (m) => `${m}<meta http-equiv="Content-Security-Policy" content="${policy}" />`)
    .replace(`<link rel="stylesheet" href="app.css" />`, () => `<style>${style}</style>`)
    .replace(
      `<script src="app.js"></script>`,
      () => `<script type="application/json" id="awhost-data">${data}</script><script>${script}</script>`,
    );
  const path = join(await mkdtemp(join(tmpdir(), "awhost-file-")), "step.html");
  await writeFile(path, file);
  return path;
}
