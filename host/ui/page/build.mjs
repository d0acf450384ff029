// Bundles src into dist: index.html, app.js, app.css. `node build.mjs DIR` writes them into DIR instead.
import { build } from "esbuild";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");

await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts" },
  bundle: true,
  format: "iife",
  target: ["es2022"],
  minify: true,
  lineLimit: 120,
  charset: "ascii",
  legalComments: "inline",
  outdir: out,
  logLevel: "warning",
});
await copyFile(join(here, "src/index.html"), join(out, "index.html"));
