// Loads a file of src, as the bundler makes it.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "src");

export async function load(name) {
  const { outputFiles } = await build({
    entryPoints: [join(source, name)],
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return import("data:text/javascript;base64," + Buffer.from(outputFiles[0].text).toString("base64"));
}
