#!/usr/bin/env node
// The program that awhost starts. `describe` and the words to a person need no dependency, so that they work before `npm ci`.
import { description } from "./description.mjs";

const cookie = "5f2b6c1d9a0e4783b1c6e8d2f7a43950e1bd6c8f20479a53dc1e7b9064f8a2d3";

if (process.argv[2] === "describe") {
  console.log(JSON.stringify(description, null, 2));
} else if (process.env.AWHOST_PLUGIN_MAGIC_COOKIE !== cookie) {
  console.error("This is a plugin of awhost: name it in required_plugins of a spec, or run it with the argument describe.");
  process.exitCode = 1;
} else {
  const { serve } = await import("./serve.mjs");
  await serve(await import("./shape.mjs"));
}
