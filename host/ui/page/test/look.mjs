// Takes pictures of each view for a person to look at: node test/look.mjs [DIR [PART-OF-A-NAME]].
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { browse } from "./browser.mjs";
import { start, token } from "./mock.mjs";

const [dir = "pictures", only = ""] = process.argv.slice(2);
const views = {
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
  failed: "/run/quickstart-3/episode/e-23-0-0",
  validations: "/run/quickstart-3/validations",
};

await mkdir(dir, { recursive: true });
const server = await start();
const browser = await browse();
for (const width of [390, 1280, 2560]) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width, height: width < 500 ? 844 : 1000 }, colorScheme });
    page.on("console", (m) => m.type() === "error" && console.log(`${width} ${m.text()}`));
    page.on("pageerror", (e) => console.log(`${width} ${e}`));
    for (const [name, route] of Object.entries(views)) {
      const file = `${name}-${width}-${colorScheme}`;
      if (!file.includes(only)) continue;
      await page.goto(`${server.url}#token=${token}&to=${encodeURIComponent(route)}`);
      await page.reload();
      await page.waitForSelector(".view > *", { timeout: 60_000 });
      await page.waitForLoadState("domcontentloaded");
      await page.waitForFunction(() => !document.querySelector("main")?.innerText.includes("Loading …"));
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
