// Makes the pictures of docs/guides/ui.md: node test/pictures.mjs DIR, with the program in AWHOST. The runs are real: two of
// the quick start.
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { browse, whole } from "./browser.mjs";
import { workshop } from "./real/host.mjs";
import { routesOf } from "./real/routes.mjs";

const [dir = "pictures"] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const tree = process.env.AWHOST_TREE ?? join(here, "../../../.."); // of awhost's sources

await mkdir(dir, { recursive: true });
const shop = await workshop(join(here, "real"));
await cp(join(tree, "data"), join(shop.dir, "data"), { recursive: true });
await cp(join(tree, "train.hcl"), join(shop.dir, "quickstart.hcl"));
await shop.run("apply", "quickstart.hcl", "--plain", "--var", "seed=2", "--var", "steps=40");
await shop.run("apply", "quickstart.hcl", "--plain", "--new");
const ui = await shop.ui();
const server = { url: `http://127.0.0.1:${ui.port}/`, token: ui.token };
const quick = await routesOf(server, "quickstart-2");

/** What is shown, how large, and what is done before. */
const pictures = {
  runs: { route: quick.runs, height: 300 },
  run: { route: quick.run, height: 900 },
  compare: { route: quick.compare, height: 760 },
  step: { route: quick.step, height: 760 },
  episode: { route: quick.episode, height: 760 },
  tokens: { route: quick.tokens, to: ".panel:has(h2:text-is('Tokens'))", click: "log-probability, sampler" },
  validations: { route: quick.validations, height: 560, press: "ArrowLeft" }, // to the first validations
  telephone: { route: quick.episode, width: 390, height: 844 },
};

const browser = await browse();
for (const [name, { route, width = 1280, height = 900, to, press, click }] of Object.entries(pictures)) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: name === "run" ? "dark" : "light" });
  await page.goto(`${server.url}#token=${server.token}&to=${encodeURIComponent(route)}`);
  await whole(page);
  if (click) await page.getByRole("button", { name: click }).click();
  if (press) await page.keyboard.press(press);
  const path = join(dir, `ui-${name}.png`);
  if (to) await page.locator(to).screenshot({ path });
  else await page.screenshot({ path });
  await page.close();
}
await browser.close();
await shop.stop();
