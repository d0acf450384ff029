// Takes pictures of each view for a person to look at: node test/look.mjs [DIR [PART-OF-A-NAME]]. The views are those
// of the stand-in; with the program in AWHOST and a directory with runs in AWHOST_RUNS, those of its newest run, or of
// the one that AWHOST_RUN names.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { browse, whole } from "./browser.mjs";
import { start, token } from "./mock.mjs";
import { hostIn } from "./real/host.mjs";
import { routesOf } from "./real/routes.mjs";

const [dir = "pictures", only = ""] = process.argv.slice(2);
const standIn = {
  runs: "/",
  compare: "/compare?run=quickstart-3&run=quickstart-2",
  run: "/run/quickstart-3",
  step: "/run/quickstart-3/step/42",
  episodes: "/run/quickstart-3/episodes?sort=-reward",
  group: "/run/quickstart-3/group/1?step=42&split=train",
  episode: "/run/quickstart-3/episode/e-42-0-1",
  hostile: "/run/quickstart-3/episode/e-42-1-2",
  swarm: "/run/quickstart-3/episode/e-42-2-3",
  forest: "/run/quickstart-3/episode/e-42-3-1",
  tokens: "/run/quickstart-3/episode/e-42-4-0",
  failed: "/run/quickstart-3/episode/e-23-0-0",
  validations: "/run/quickstart-3/validations",
  tasks: "/run/quickstart-3/tasks",
};

async function served() {
  if (!process.env.AWHOST_RUNS) {
    const server = await start();
    return { url: server.url, token, views: standIn, stop: server.stop };
  }
  const host = hostIn(process.env.AWHOST_RUNS);
  const ui = await host.ui();
  const url = `http://127.0.0.1:${ui.port}/`;
  return {
    url,
    token: ui.token,
    views: await routesOf({ url, token: ui.token }, process.env.AWHOST_RUN),
    stop: host.stop,
  };
}

await mkdir(dir, { recursive: true });
const server = await served();
const browser = await browse();
for (const width of [390, 1280, 2560]) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width, height: width < 500 ? 844 : 1000 }, colorScheme });
    page.on("console", (m) => m.type() === "error" && console.log(`${width} ${m.text()}`));
    page.on("pageerror", (e) => console.log(`${width} ${e}`));
    for (const [name, route] of Object.entries(server.views)) {
      const file = `${name}-${width}-${colorScheme}`;
      if (!file.includes(only)) continue;
      await page.goto("about:blank");
      await page.goto(`${server.url}#token=${server.token}&to=${encodeURIComponent(route)}`);
      await whole(page);
      await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
      const tooWide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (tooWide > 0) console.log(`${file}: ${tooWide} pixels too wide`);
      await page.screenshot({ path: join(dir, `${file}.png`), fullPage: true });
    }
    await page.close();
  }
}
await browser.close();
await server.stop();
