// Opens Chromium: Debian's, or what AWHOST_CHROMIUM names.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const places = [
  process.env.AWHOST_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Waits until all of a view is drawn; by a clock, since a busy machine paints rarely. */
export async function whole(page) {
  await page.waitForFunction(
    () => {
      const main = document.querySelector("main");
      return main?.querySelector(".view > :not(:empty), .trouble") && !main.querySelector("[aria-busy=true]");
    },
    undefined,
    { polling: 50 },
  );
}

export async function browse() {
  const executablePath = places.find((p) => p && existsSync(p));
  if (!executablePath)
    throw new Error("there is no Chromium: apt-get install chromium, or name one in AWHOST_CHROMIUM");
  const root = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: root ? ["--no-sandbox"] : [], timeout: 120_000 });
}
