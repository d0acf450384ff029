// Each view in a real Chromium, against a stand-in for the server: what it shows is what the server said, hostile text
// stays text, and nothing is asked of anybody else.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { alone } from "./alone.mjs";
import { browse, whole } from "./browser.mjs";
import * as data from "./data.mjs";
import { start, token } from "./mock.mjs";

const patience = 180_000; // milliseconds: the machine may be busy
let server, browser, page;
const complaints = []; // of the browser: errors, and what the policy forbade
const strangers = []; // requests to others

before(async () => {
  server = await start();
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function fresh(options = {}) {
  await page?.context().close();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on("pageerror", (e) => complaints.push(String(e)));
  page.on("console", (m) => {
    if (m.type() === "error" && !m.text().includes("Failed to load resource")) complaints.push(m.text());
  });
  page.on("request", (r) => {
    if (!r.url().startsWith(server.url) && !r.url().startsWith("data:")) strangers.push(r.url());
  });
  await page.addInitScript(() => {
    window.forbidden = [];
    addEventListener("securitypolicyviolation", (e) => window.forbidden.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
}

/** Opens a view, and waits until all of it is drawn. */
async function open(route, options) {
  await fresh(options);
  await page.goto(`${server.url}#token=${token}&to=${encodeURIComponent(route)}`);
  await drawn();
}

const drawn = () => whole(page);

const words = (selector) => page.locator(selector).allInnerTexts();
const text = async (selector) => (await page.locator(selector).first().innerText()).replace(/\s+/g, " ").trim();
const hash = () => page.evaluate(() => decodeURIComponent(location.hash));

/** The rows of a table, cell by cell. */
const rows = (selector) =>
  page
    .locator(`${selector} tbody tr`)
    .evaluateAll((list) => list.map((tr) => [...tr.children].map((td) => td.innerText.replace(/\s+/g, " ").trim())));

/** Nothing of foreign text has become part of the document, and nothing of it is obeyed. */
async function assertHarmless(where, scripts = 1) {
  const found = await page.evaluate(() => {
    const obeyed = new RegExp(
      "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f]|" +
        "[\\u2028-\\u202e\\u2060-\\u2069\\ufeff]|" +
        "[\\u{e0000}-\\u{e007f}]",
      "u",
    );
    const every = [...document.querySelectorAll("*")];
    return {
      pwned: window.pwned,
      forbidden: window.forbidden,
      scripts: document.scripts.length,
      strange: every
        .filter((e) => e.matches("body svg, iframe, object, embed, form[action], a[href^=javascript]"))
        .map((e) => e.outerHTML.slice(0, 200)),
      images: [...document.images].map((i) => i.src).filter((s) => !s.startsWith("data:image/png;base64,")),
      handlers: every.filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
      links: [...document.querySelectorAll("a")]
        .map((a) => a.getAttribute("href"))
        .filter((x) => x && !x.startsWith("#")),
      text: obeyed.test(document.body.innerText) || obeyed.test(document.title),
      attributes: every.filter((e) => ["title", "aria-label", "alt"].some((a) => obeyed.test(e.getAttribute(a) ?? "")))
        .length,
    };
  });
  const harmless = { pwned: undefined, forbidden: [], scripts, strange: [], images: [], handlers: 0, links: [] };
  assert.deepEqual(found, { ...harmless, text: false, attributes: 0 }, where);
}

async function assertFits(where) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(over, 0, `${where} is ${over} pixels too wide`);
}

test("the token leaves the address, and its tab keeps it", async () => {
  await open("/run/quickstart-2");
  assert.equal(await hash(), "#/run/quickstart-2");
  await page.reload();
  await drawn();
  assert.equal(await text("h1"), "quickstart-2");
});

test("a new tab has the token of the others, until the server refuses it", async () => {
  await open("/");
  const [other] = await Promise.all([
    page.context().waitForEvent("page"),
    page.click("td a >> text=quickstart-2", { modifiers: ["Control"] }),
  ]);
  await other.waitForSelector("h1 >> text=quickstart-2");
  assert.equal(await other.evaluate(() => location.hash), "#/run/quickstart-2");
  await other.goto(`${server.url}#token=outdated&to=/run/quickstart-3`);
  await other.waitForSelector("text=The token is wrong.");
  assert.equal(await other.evaluate(() => localStorage.getItem("awhost-token")), "", "it is not kept");
  await page.goto(`${server.url}#token=${token}&to=/run/quickstart-2`);
  await page.waitForSelector("h1 >> text=quickstart-2");
  await other.click("text=Try again");
  await other.waitForSelector("h1 >> text=quickstart-3");
});

test("without a token, or with a wrong one, the page says what to do", async () => {
  await fresh();
  await page.goto(server.url);
  assert.match(await text(".trouble"), /This page needs a token.*awhost ui/);
  await page.fill(".trouble input", `${server.url}#token=wrong`);
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=The token is wrong.");
  await page.goto(`${server.url}#token=${token}`);
  await page.waitForSelector("td >> text=quickstart-3");
});

test("runs: each run with its state, step and held-out success", async () => {
  await open("/");
  const [first, second, third, fourth] = await rows("main");
  assert.deepEqual(first.slice(1, 6), ["quickstart-3", "running", "60 of 80", "0.87", "3.1 % → 86.1 %"]);
  assert.deepEqual(second.slice(1, 6), ["quickstart-2", "finished", "60 of 60", "–", "3.1 % → 93.4 %"]);
  assert.match(third[2], /^failed the environment failed 40 times in a row \\x1b\[31mred/);
  assert.ok(fourth[1].includes("<script>"), "the name of a run is shown as it is");
  assert.equal(third[5], "21.2 % → 19.8 %");
  assert.equal(await text("td .badge[title^='not better']"), "19.8 %", "of what has learned nothing, and of no other");
  await assertHarmless("runs");
  await page.fill("input[type=search]", "verl");
  assert.deepEqual(
    (await rows("main")).map((r) => r[1]),
    ["gaia-1"],
  );
});

test("runs: two that are chosen are compared", async () => {
  await open("/");
  await page.locator("tr >> text=quickstart-3").locator("xpath=ancestor::tr//input").check();
  await page.locator("tr >> text=quickstart-2").locator("xpath=ancestor::tr//input").check();
  await page.click("text=Compare 2 runs");
  await drawn();
  assert.equal(await hash(), "#/compare?run=quickstart-2&run=quickstart-3", "the oldest is what others differ from");
  assert.match(await text(".panel:has-text('Differences between')"), /Equal in both: data\..*var\.steps 60 80/);
  await assertHarmless("compare");
});

test(
  "run: a tab that nobody sees has no connection, and asks for everything when somebody looks again",
  { timeout: patience },
  async () => {
    await open("/run/quickstart-3");
    const turn = (hidden) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    const listeners = async (n) => {
      while (server.listeners.size !== n) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await listeners(1);
    await turn(true);
    await listeners(0);
    const before = server.asked.length;
    await turn(false);
    await listeners(1);
    await page.waitForSelector(".connection.live");
    while (!server.asked.slice(before).includes("/api/runs/quickstart-3"))
      await new Promise((resolve) => setTimeout(resolve, 20));
  },
);

test("run: what its spec came to, narrowed down by a word", async () => {
  await open("/run/quickstart-3");
  await page.click("summary:has-text('Spec')");
  const of = () => rows("details:has(> summary b:text-is('Spec'))");
  await page.waitForSelector("text=train.limits.message_tokens");
  assert.deepEqual((await of()).slice(0, 2), [
    ["train.steps", "60"],
    ["train.limits.message_tokens", "60"],
  ]);
  await page.fill("input[aria-label='filter settings']", "limits");
  assert.equal((await of()).length, 1);
  await page.fill("input[aria-label='filter settings']", "");
  await assertHarmless("the spec");
});

test("episodes: the private parts of their tasks, when somebody asks", async () => {
  await open("/run/quickstart-3/episodes?step=42");
  const asked = () => server.asked.filter((a) => a.endsWith("/private")).length;
  const before = asked();
  assert.equal(await page.locator("th >> text=private part").count(), 0);
  await page.click("text=Show private parts");
  await page.waitForSelector("td:has-text('ground_truth')");
  await page.waitForFunction(() => !document.querySelector("main table").innerText.includes("…\n"));
  const tasks = new Set(data.stepList.flatMap((s) => data.episodesOf(s.step)).map((e) => e.task)).size;
  assert.ok(asked() - before <= tasks, "each task's is asked for once");
  await page.click("text=Hide private parts");
  await drawn();
  assert.equal(await page.locator("th >> text=private part").count(), 0);
});

test("run: its curves, marks, plugins and failures are what the server says", async () => {
  await open("/run/quickstart-3");
  const reward = data.series(["train/reward"])["train/reward"].at(-1)[1];
  assert.match(await text(".chart:has-text('reward') figcaption"), new RegExp(`training ${reward.toPrecision(4)}`));
  assert.ok((await page.locator(".chart canvas").count()) >= 10);
  assert.deepEqual(await words(".chip"), ["environment 40", "timeout 12", "policy 3"]);
  const happened = await rows(".panel:has(h2:text-is('Events'))");
  assert.deepEqual(
    happened.map((r) => r[2]),
    ["plugin restarted", "trainer reattached", "killed", "stage", "started"],
  );
  const plugins = await rows(".panel:has(h2:text-is('Plugins'))");
  assert.deepEqual(plugins[0].slice(0, 6), [
    "environment.code.python",
    "code-env 0.1.0",
    "4712",
    "1",
    "31.4 s",
    "202 MiB",
  ]);
  assert.ok(plugins[0][6].includes("\\x1b[31m"), "escape sequences are shown");
  assert.match(await text("p:has(> progress)"), /Rollout: 64 of 256, about 12(\.0)? s left/);
  await page.click(".panel:has(h2:text-is('Logs')) summary:has-text('environment.code.python')");
  await page.waitForSelector(".log");
  assert.match(await text(".log"), /line of environment\.code\.python[^]*\\x1b\[31m/);
  assert.match(
    await text("details:has-text('Waits: ')"),
    /7 episodes wait for environment of environment\.code\.python/,
  );
  await page.click("summary:has-text('evil')");
  await page.waitForSelector("h3:has-text('<script>')");
  await assertHarmless("run");
});

test("run: its findings, with their remedies, examples and documentation", async () => {
  await open("/run/quickstart-3");
  const panel = ".panel:has(h2:text-is('Findings'))";
  assert.deepEqual(await words(`${panel} .finding .badge`), ["error", "warning", "warning"]);
  assert.match(
    await text(`${panel} .finding`),
    /error the reward rose .* steps 30 to 42, full Likely causes: the reward pays .* Remedy: Read episodes/,
  );
  const lost = page.locator(`${panel} .finding`).nth(2).locator("a >> text=all such episodes");
  assert.equal(await lost.getAttribute("href"), "#/run/quickstart-3/episodes?split=train&class=ENVIRONMENT");
  assert.equal(await text(`${panel} button.copy`), "awhost docs guides/when-it-does-not-learn#reward_divergence");
  await page.click(`${panel} summary >> text=Not checked: 1 rule`);
  assert.deepEqual(await rows(`${panel} details`), [["policy_gap", "Sampler and trainer differ", "a or b"]]);
  await assertHarmless("findings");
  await page.click(`${panel} a >> text=example 2`);
  await page.waitForSelector("h1[title='e-42-0-2']");
});

test("run: what its metrics mean, in plain words", async () => {
  await open("/run/quickstart-3");
  assert.equal(await text(".chart:has(h3:text-is('loss')) .about"), "of the policy; smaller is not better");
  await page.click("summary:has(b:text-is('train'))");
  const norm = ".chart:has(h3:text-is('grad norm'))";
  assert.equal(await text(`${norm} .about`), "before clipping");
  assert.match(await text(".chart:has(h3:has-text('success')) figcaption"), /training .* held-out/);
});

test("run: curves are smoothed, drawn on a log scale, zoomed, and saved", async () => {
  await open("/run/quickstart-3");
  const titles = (await words(".curves > .grid h3")).map((t) => t.split("\n")[0]);
  for (const title of ["response length", "learning rate", "tool errors"])
    assert.ok(
      titles.some((t) => t.startsWith(title)),
      `${title} is among ${titles}`,
    );
  const pixels = () => page.locator(".chart:has(h3:text-is('loss')) canvas").evaluate((c) => c.toDataURL());
  const steps = () => page.locator(".chart:has(h3:text-is('loss')) .u-over").getAttribute("data-steps");
  const plain = await pixels();
  await page.selectOption("select[aria-label=smoothing]", "0.9");
  await page.waitForFunction(
    (was) => document.querySelector(".chart:has(figcaption) canvas").toDataURL() !== was,
    plain,
  );
  assert.notEqual(await pixels(), plain);
  await page.check("text=log scale");
  assert.match(await text(".chart:has(h3:text-is('loss')) figcaption"), /log: only values above 0/);
  await page.uncheck("text=log scale");
  await page.selectOption("select[aria-label=smoothing]", "0");
  const over = page.locator(".chart:has(h3:text-is('loss')) .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const whole = await steps();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 50, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction((was) => document.querySelector(".u-over").dataset.steps !== was, whole);
  assert.equal(await hash(), "#/run/quickstart-3", "a drag does not open a step");
  const zoomed = await steps();
  server.say({ kind: "step", step: 60 });
  const asked = server.asked.length;
  while (!server.asked.slice(asked).some((a) => a.includes("/metrics"))) await new Promise((r) => setTimeout(r, 20));
  assert.equal(await steps(), zoomed, "new steps do not end a zoom");
  await page.click("text=Reset zoom");
  await page.waitForFunction((was) => document.querySelector(".u-over").dataset.steps === was, whole);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Download CSV")]);
  assert.equal(file.suggestedFilename(), "quickstart-3.csv");
  const [head, ...lines] = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  assert.match(head, /^step,"agent\/tool_error_rate",/);
  assert.equal(lines.length, data.steps + 1);
  await assertHarmless("curves");
});

test("run: its tools, the most errors first, and calls that could not be parsed", async () => {
  await open("/run/quickstart-3");
  const panel = ".panel:has(h2:text-is('Tools'))";
  const [worst, other] = await rows(panel);
  assert.deepEqual(worst.slice(1, 4), ["40", "30", "75.0 %"]);
  assert.deepEqual(other.slice(0, 4), ["python", "900", "9", "1.0 %"]);
  assert.match(await text(panel), /17 malformed calls could not be parsed/);
});

test("tasks: sums, sorted and filtered by the server, a page at a time", async () => {
  await open("/run/quickstart-3/tasks");
  assert.equal(await page.locator("tbody tr").count(), 100);
  const all = await rows("main");
  assert.deepEqual(all[1].slice(0, 7), ["task-001", "8", "1", "12.5 %", "0.125", "2 s", "–"]);
  assert.deepEqual(all[4].slice(2, 5), ["–", "–", "–"], "unknown success is not 0");
  await assertHarmless("tasks");
  await page.click("th >> text=success");
  await page.waitForSelector("th >> text=success ↑");
  await drawn();
  await page.click("th >> text=success");
  await page.waitForSelector("th >> text=success ↓");
  await drawn();
  await page.selectOption("select[name=solved]", "never");
  await page.waitForSelector("text=27 of 240 tasks");
  await page.fill("input[name=same_min]", "3");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=11 of 240 tasks");
  assert.match(server.asked.at(-1), /solved=never&same_min=3&sort=-success&limit=100$/);
  await page.locator("tbody a").first().click();
  await page.waitForSelector("h1 >> text=Episodes");
  assert.match(await hash(), /episodes\?task=task-/);
});

test("run: it is watched, and a dropped connection is made again", async () => {
  await open("/run/quickstart-3");
  await page.waitForSelector(".connection.live");
  server.state.extra = 3;
  server.say({ kind: "step", step: 63 });
  await page.waitForSelector(".pairs dd >> text=63 of 80");
  await page.waitForSelector(".chart:has-text('loss') figcaption >> text=0.5");
  const asked = server.asked.filter((a) => a.includes("/metrics?")).at(-1);
  assert.match(asked, /after=59/, "only what is new is asked for");
  server.state.extra = 5;
  server.drop();
  await page.waitForSelector(".pairs dd >> text=65 of 80");
  await page.waitForSelector(".connection.live");
  server.state.extra = 0;
  await page.goto(`${server.url}#/`);
  await page.waitForSelector("td >> text=quickstart-3");
  await page.waitForFunction(() => !document.querySelector(".connection").classList.contains("live"));
});

test("step: its groups are rows of samples, with the rewards that were given", async () => {
  await open("/run/quickstart-3/step/42");
  const expected = data.episodesOf(42);
  const first = (await page.locator(".group").first().locator(".cell").allInnerTexts()).map((t) => t.split(/\s/)[0]);
  assert.equal(await page.locator(".group").count(), 8);
  assert.deepEqual(
    first,
    expected
      .slice(0, 8)
      .map((e) => (e.outcome === "FAILED" ? "failed" : String(e.reward)))
      .map((t) => t),
  );
  assert.match(await text(".legend"), /^64 episodes/);
  assert.match(await text(".pairs"), /reward 0\.8187.*failed 9/);
  const worst = await words(".extremes .panel:has-text('Worst') .cell");
  assert.deepEqual(worst, ["0", "0", "0"]);
  const unread = data.episodesOf(42).filter((e) => e.malformed).length;
  assert.equal(await page.locator(".cells .cell [aria-label='malformed calls']").count(), unread);
  assert.ok(unread > 0);
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("h1 >> text=Step 43");
});

test("step: how its rewards and lengths are distributed", async () => {
  await open("/run/quickstart-3/step/42");
  const panel = ".panel:has(h2:text-is('Distribution'))";
  const scored = data.episodesOf(42).filter((e) => typeof e.reward === "number");
  const of = (reward) => scored.filter((e) => e.reward === reward).length;
  const label = await page.locator(`${panel} .histogram`).first().getAttribute("aria-label");
  assert.equal(label, `0: ${of(0)}; 0.25: ${of(0.25)}; 1: ${of(1)}`);
  assert.equal(await page.locator(`${panel} .scatter a`).count(), scored.length);
  await page.locator(`${panel} .scatter a`).first().focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(`h1[title='${scored[0].id}']`);
  await assertHarmless("distribution");
});

test("step: filters stand in the address, and are asked of the server", async () => {
  await open("/run/quickstart-3/step/42");
  await page.selectOption("select[name=outcome]", "FAILED");
  await page.waitForSelector("text=Clear");
  await drawn();
  assert.match(await hash(), /outcome=FAILED/);
  const failed = data.episodesOf(42).filter((e) => e.outcome === "FAILED");
  assert.equal(await page.locator(".cells .cell").count(), failed.length);
  await page.keyboard.press("/");
  await page.keyboard.type("no such words");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=No matching episodes.");
  assert.match(
    server.asked.filter((a) => a.includes("/episodes?")).at(-1),
    /outcome=FAILED.*q=no\+such\+words.*step=42/,
  );
});

test("episode: a bar of the waterfall leads to what was said in its turn", async () => {
  const e = data.episodesOf(42).find((x) => x.turns === 2 && x.group !== "1");
  await open(`/run/quickstart-3/episode/${e.id}`);
  await page.click(".wait button.name >> text=turn 2: message");
  const said = page.locator(".conversation [data-turn='2'].current");
  assert.equal(await said.count(), 1);
  assert.match(await said.innerText(), /The answer is 159/);
});

test("episode: an address can name a message, which may be the result of a call", async () => {
  const e = data.episodesOf(42).find((x) => x.turns === 2 && x.group !== "1");
  await open(`/run/quickstart-3/episode/${e.id}?message=3`);
  const asked = page.locator(".conversation details.current");
  assert.equal(await asked.getAttribute("data-message"), "3");
  assert.ok(await asked.evaluate((d) => d.open));
  await open(`/run/quickstart-3/episode/${e.id}?message=99999`);
  assert.equal(await page.locator(".current").count(), 0);
});

test("episodes: a list of thousands is shown a page at a time", async () => {
  const earlier = server.asked.length;
  await open("/run/quickstart-3/episodes?sort=-turns");
  assert.equal(await page.locator("tbody tr").count(), 100);
  const total = data.stepList.reduce((n, s) => n + data.episodesOf(s.step).length, 0);
  assert.match(await text(".legend"), new RegExp(`^${total.toLocaleString("en")} episodes`));
  const before = await text("tbody tr");
  await page.keyboard.press("n");
  await page.waitForFunction((row) => {
    const first = document.querySelector("tbody tr");
    return first && first.innerText.replace(/\s+/g, " ") !== row;
  }, before);
  assert.match(await hash(), /cursor=100/);
  const asked = server.asked.slice(earlier).filter((a) => a.includes("/episodes?"));
  assert.notEqual(asked.length, 0);
  for (const a of asked) {
    assert.ok(Number(/limit=(\d+)/.exec(a)[1]) <= 200, a);
  }
});

test("one task through time", async () => {
  await open("/run/quickstart-3/episodes?task=task-93");
  assert.match(await text(".strip"), /^step 0 /);
  await page.locator(".strip .cell").first().click();
  await page.waitForSelector(".conversation");
});

test("group: its samples side by side", async () => {
  await open("/run/quickstart-3/group/0?step=42&split=train");
  await page.waitForSelector(".beside .conversation");
  assert.deepEqual(await words(".beside h2 a"), ["sample 0", "sample 1", "sample 2"]);
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".beside h2 >> text=sample 3");
});

test("episode: the conversation, with calls and their results folded", async () => {
  await open("/run/quickstart-3/episode/e-42-0-1");
  assert.deepEqual(await words(".message > header > b"), ["system", "user", "assistant", "assistant"]);
  const call = page.locator("details.call").first();
  assert.match(await call.innerText(), /python[\s\S]*print\(93 \+ 66\)[\s\S]*← 159/);
  assert.equal(await call.locator(".body").count(), 0, "it is folded");
  await page.keyboard.press("o");
  await call.locator(".body").waitFor();
  assert.match(await call.locator(".body").innerText(), /"code": "print\(93 \+ 66\)"/);
  const failed = page.locator("details.call").nth(1);
  assert.match(await failed.getAttribute("class"), /failed/);
  const colour = (e) => getComputedStyle(e).color;
  assert.equal(
    await failed.locator("summary > .oneline").last().evaluate(colour),
    await failed.locator(".badge.bad").evaluate(colour),
    "an error has the color of errors",
  );
  assert.notEqual(
    await call.locator("summary > .result").evaluate(colour),
    await failed.locator(".badge").evaluate(colour),
  );
  assert.match(await text(".reward"), /1 solved.*0\.8 \* reward\.math\.answer \+ 0\.2 \* reward\.judge\.tone/);
  const parts = await rows(".reward");
  assert.deepEqual(
    parts.map((r) => r.slice(0, 2)),
    [
      ["judge.tone", "−0.1"],
      ["math.answer/correct", "1"],
      ["math.answer/format", "0.25"],
    ],
  );
  assert.deepEqual(await words("button.copy"), [
    "awhost show quickstart-3 --episode e-42-0-1",
    "awhost debug quickstart-3 --episode e-42-0-1",
  ]);
  assert.equal(await page.locator(".wait").count(), 15);
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("h1[title='e-42-0-2']");
});

test("episode: hostile text of 1 MB stays text, and is not drawn at once", async () => {
  await open("/run/quickstart-3/episode/e-42-1-2");
  await page.keyboard.press("o");
  for (const summary of await page.locator("aside details > summary").all()) await summary.click();
  await page.waitForSelector("aside .prose:has-text('ground_truth')");
  await assertHarmless("episode");
  const message = page.locator(".message.user");
  assert.match(await message.innerText(), /1,048,576 characters/);
  assert.ok((await message.locator(".prose").innerText()).length < 10_000);
  await message.locator("button").click();
  assert.ok((await message.locator(".prose").innerText()).length > 90_000);
  await assertHarmless("episode, after more of it was shown");
});

test("episode: the private part is asked for when somebody wants it, and only then", async () => {
  server.asked.length = 0;
  await open("/run/quickstart-3/episode/e-42-0-3");
  const asked = () => server.asked.filter((a) => a.endsWith("/private")).length;
  assert.equal(asked(), 0);
  await page.click("summary:has-text('can contain the answer')");
  await page.waitForSelector('.prose:has-text(\'"ground_truth": "159"\')');
  assert.equal(asked(), 1);
});

test("episode: members are a tree, by who asked whom", async () => {
  await open("/run/quickstart-3/episode/e-42-2-3");
  const tree = await page.evaluate(() => {
    const walk = (e) =>
      [...e.querySelectorAll(":scope > details.member")].map((d) => [d.querySelector("summary").innerText, walk(d)]);
    return walk(document.querySelector(".conversation"));
  });
  assert.deepEqual(tree, [["react.planner", [["react.searcher", [["react.checker", []]]]]]]);
  const members = await rows(".panel:has(h2:text-is('Members'))");
  assert.deepEqual(members[1].slice(0, 7), [
    "react.searcher",
    "2",
    "401",
    "40",
    "310 ms",
    "model.openai.big",
    "$0.0021",
  ]);
});

test("episode: calls are a forest, with branches, and what is not trained", async () => {
  await open("/run/quickstart-3/episode/e-42-3-1");
  const calls = await page
    .locator(".callrow > summary")
    .evaluateAll((list) =>
      list.map((s) => [
        s.querySelector("code").innerText,
        s.querySelector(".twig").innerText,
        s.querySelector(".badge")?.innerText ?? "",
      ]),
    );
  assert.deepEqual(calls[0], ["c0", "●", ""]);
  assert.deepEqual(
    calls.find((c) => c[0] === "c6"),
    ["c6", "├", ""],
  );
  assert.deepEqual(
    calls.find((c) => c[0] === "c9"),
    ["c9", "●", "not trained"],
  );
  assert.deepEqual(
    calls.find((c) => c[0] === "c10"),
    ["c10", "│", "auxiliary"],
  );
});

test("episode: a token shows its values, and unknown where there are none", async () => {
  await open("/run/quickstart-3/episode/e-42-6-1");
  const row = data.episodeDetail("e-42-6-1").tokens.rows[0];
  const trained = row.loss_mask.filter((m) => m).length;
  assert.match(
    await text(".tokens .legend"),
    new RegExp(`^${trained} trained ?${row.ids.length - trained} not trained`),
  );
  const i = row.loss_mask.indexOf(true);
  await page.click("text=First trained");
  const readout = await text(".readout");
  assert.ok(readout.includes(`token ${i} `) && readout.includes(`id ${row.ids[i]}`), readout);
  assert.ok(readout.includes(`sampler ${String(row.logprobs[i]).replace("-", "−")}`), readout);
  assert.match(readout, /trainer unknown gap unknown advantage unknown/);
  await page.click("button >> text=advantage");
  assert.match(await text(".tokens .legend"), /advantage: unknown, because/);
  assert.equal(await page.locator(".token:not(.nothing)").count(), 0);
});

test("episode: a row of 30,000 tokens is shown a part at a time", async () => {
  await open("/run/quickstart-3/episode/e-42-4-0");
  assert.equal(await page.locator(".token").count(), 1500);
  assert.match(await text(".tokens"), /the first 30,000 of 41,000 tokens/);
  await page.click(".tokens .pager button >> text=→");
  assert.match(await text(".tokens .pager"), /tokens 1,501 to 3,000 of 30,000/);
  await page.click("button >> text=gap");
  await page.click("text=Largest gap");
  await page.waitForSelector(".token.here");
});

test("episode: one without tokens says so", async () => {
  await open("/run/quickstart-3/episode/e-42-5-0");
  assert.match(await text(".panel:has(h2:text-is('Tokens'))"), /not recorded/);
});

test("episode: a failure, and the attempts before it", async () => {
  await open("/run/quickstart-3/episode/e-23-0-0");
  assert.match(await text(".trouble"), /Failed: environment Step: no such file/);
  assert.match(await text(".panel:has(h2:text-is('Attempts'))"), /1 failed: infrastructure.*2 failed: environment/);
  await assertHarmless("a failed episode");
});

test("episode: the limit that ended it, and where it was cut", async () => {
  const all = data.episodesOf(42).filter((e) => e.outcome === "TRUNCATED");
  const [tokens, turns] = [0, 1].map((rest) => all.find((e) => e.sample % 2 === rest));
  await open(`/run/quickstart-3/episode/${tokens.id}`);
  assert.match(await text(".trouble"), /Truncated: message_tokens = 60 The last message reached message_tokens = 60\./);
  assert.equal(await text(".conversation > :last-child"), "✂ cut here");
  await open(`/run/quickstart-3/episode/${turns.id}`);
  assert.match(await text(".trouble"), /Truncated: max_turns = 4 .*max_turns = 4, of agent\.react\.solver\./);
  assert.doesNotMatch(await text(".conversation"), /cut here/);
  await open("/run/quickstart-3/episode/e-42-5-0");
  assert.equal(await page.locator(".truncated, .cuthere").count(), 0);
});

test("validations: answers to the same task beside one another", async () => {
  await open("/run/quickstart-3/validations");
  assert.deepEqual(await words(".answers thead th"), [
    "task",
    "after step 30",
    "after step 40",
    "after step 50",
    "after step 60",
  ]);
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("th >> text=after step 0");
  await assertHarmless("validations");
  await page.locator(".cell.answer").first().click();
  await page.waitForSelector(".conversation");
});

test("keyboard: a cursor over items, keys in a list, and no keys while somebody types", async () => {
  await open("/");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.match(await text("tr.current"), /quickstart-2/);
  await page.keyboard.press("k");
  await page.keyboard.press("?");
  assert.match(await text("dialog"), /next item/);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.keyboard.press("/");
  await page.keyboard.type("jkt?");
  assert.equal(await page.inputValue("input[type=search]"), "jkt?");
  await page.fill("input[type=search]", "");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1 >> text=quickstart-3");
  await page.keyboard.press("u");
  await page.waitForSelector("h1 >> text=Runs");
});

test("light and dark: as the machine says, or as somebody chose", async () => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await open("/", { colorScheme: "dark" });
  const dark = await ground();
  await page.keyboard.press("t");
  const light = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  await drawn();
  assert.equal(await ground(), light);
});

test("every view fits a telephone and a wide screen", async () => {
  const views = [
    "/",
    "/compare?run=quickstart-3&run=quickstart-2",
    "/run/quickstart-3",
    "/run/gaia-1",
    "/run/quickstart-3/step/40",
    "/run/quickstart-3/episodes",
    "/run/quickstart-3/group/1?step=42&split=train",
    "/run/quickstart-3/episode/e-42-1-2",
    "/run/quickstart-3/episode/e-42-2-3",
    "/run/quickstart-3/episode/e-42-3-1",
    "/run/quickstart-3/episode/e-23-0-0",
    "/run/quickstart-3/validations",
    "/run/quickstart-3/tasks",
  ];
  for (const width of [390, 2560]) {
    await open("/", { viewport: { width, height: 900 } });
    for (const view of views) {
      await page.evaluate((v) => {
        location.hash = v;
      }, view);
      await drawn();
      await assertFits(`${view} at ${width}`);
    }
  }
});

test("an address that leads nowhere, and a run that is not there", async () => {
  await open("/run/quickstart-3/nonsense");
  assert.match(await text(".trouble"), /Page not found/);
  await open("/run/no-such-run");
  assert.match(await text(".trouble"), /There is no such run/);
  await assertHarmless("a refusal");
});

test("a file of its own shows what it holds, and asks nobody", async () => {
  const steps = data.episodesOf(42).slice(0, 16);
  const details = steps.map((e) => [`GET /api/runs/quickstart-2/episodes/${e.id}`, data.episodeDetail(e.id)]);
  const path = await alone("#/run/quickstart-2/step/42", {
    "GET /api/runs/quickstart-2": { ...data.detail(data.runs[1]), live: true },
    "GET /api/runs/quickstart-2/steps": { steps: data.stepList.filter((s) => s.step === 42) },
    "GET /api/runs/quickstart-2/episodes": { episodes: steps },
    ...Object.fromEntries(details),
  });
  await fresh();
  const asked = [];
  page.on("request", (r) => asked.push(r.url().split(/[:#]/)[0]));
  const before = strangers.length;
  await page.goto(pathToFileURL(path).href);
  await drawn();
  strangers.length = before; // the file itself
  assert.equal(await text("h1"), "Step 42");
  assert.equal(await page.locator(".groups .cell").count(), 16);
  assert.equal(await page.locator("form.filter").count(), 0, "a file cannot search");
  await page.locator(".groups .cell").nth(1).click();
  await page.waitForSelector(".conversation");
  assert.equal(await page.getAttribute("h1", "title"), steps[1].id);
  assert.equal(await page.locator("text=Private part of the task").count(), 0);
  await page.goto(pathToFileURL(path).href + "#/run/quickstart-2/validations");
  await page.waitForSelector("text=Not in this file.");
  assert.deepEqual([...new Set(asked)], ["file"]);
  await assertHarmless("a file", 2);
});

test("nothing was asked of anybody else, and the browser had nothing to complain about", () => {
  assert.deepEqual(strangers, []);
  assert.deepEqual(complaints, []);
});
