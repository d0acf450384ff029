// The page on the real server and a real run: while it goes on, after a kill and a resume, and when it has ended. What
// each view shows equals what the journal says; a page that tells something else fails.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { browse, whole } from "./browser.mjs";
import * as facts from "./real/facts.mjs";
import { program, wire, workshop } from "./real/host.mjs";
import { speaker } from "./real/speaker.mjs";
import { load } from "./source.mjs";

const patience = Number(process.env.AWHOST_PATIENCE ?? 300_000); // milliseconds: the machine may be busy
const skip = program ? false : "SKIPPED: AWHOST does not name a program";
const name = "watched-1";
const perStep = 16; // episodes of training
const held = 2; // tasks of a validation
let shop, model, ui, cable, browser, page, apply, clean;
const complaints = [];

before(async () => {
  if (skip) return;
  ({ clean } = await load("text.ts"));
  model = await speaker();
  shop = await workshop(undefined, { SPEAKER_URL: model.url });
  browser = await browse();
});

after(async () => {
  model?.release();
  await browser?.close();
  await cable?.stop();
  await shop?.stop();
  await model?.stop();
});

async function tab(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const made = await context.newPage();
  made.setDefaultTimeout(patience);
  made.on("pageerror", (e) => complaints.push(String(e)));
  made.on("console", (m) => {
    if (m.type() === "error" && !m.text().includes("Failed to load resource")) complaints.push(m.text());
  });
  return made;
}

const link = (route) => `${cable.url}#token=${ui.token}&to=${encodeURIComponent(route)}`;

async function open(route, on = page) {
  await on.goto("about:blank");
  await on.goto(link(route));
  await whole(on);
}

const until = (test, argument, on = page) => on.waitForFunction(test, argument, { polling: 100 });
const episodeRoute = (e) => `/run/${name}/episode/${encodeURIComponent(e.episode_id)}`;
const pwned = () => page.evaluate(() => window.pwned);

/** Waits until the journal is as somebody needs it. */
async function journalWith(enough) {
  for (;;) {
    const journal = await shop.journal(name);
    if (enough(journal)) return journal;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test("a run that goes on: its views say what its journal says", { skip }, async () => {
  model.hold(1 + held + 2 * perStep + held + 4); // in the third step
  apply = shop.start("apply", "--plain");
  void apply.ended.then((code) => code && model.state.waiting.length === 0 && console.log(apply.said.error));
  await Promise.race([
    journalWithRun(),
    apply.ended.then((code) => assert.fail(`apply ended with ${code}: ${apply.said.error}`)),
  ]);
  const journal = await journalWith((j) => facts.counted(j).some((e) => e.slot.step === 2 && e.slot.split === "train"));
  ui = await shop.ui();
  cable = await wire(ui.port);
  page = await tab();
  await open("/");
  const [run] = await facts.rowsOf(page, "main");
  assert.deepEqual(run.slice(1, 4), [name, "running", "2 of 4"]);
  await open(`/run/${name}`);
  await until(() => document.querySelector(".connection.live"));
  await facts.holdCurves(page, journal);
  await facts.holdSteps(page, journal, [1, 2]);
  await until(() => /Waits:/.test(document.querySelector("main").innerText));
  await holdAll(journal, [1, 2]);
});

async function journalWithRun() {
  while (model.state.waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** All views of a run that concern its steps, and one episode of each kind. */
async function holdAll(journal, steps) {
  for (const step of steps) {
    await open(`/run/${name}/step/${step}`);
    await facts.holdGroups(page, journal, step);
  }
  await open(`/run/${name}/validations`);
  await facts.holdValidations(page, journal);
  const all = facts.counted(journal);
  const kinds = [
    all.find((e) => e.slot.split === "train" && e.slot.step === steps.at(-1)),
    all.find((e) => e.is_success),
    all.find((e) => e.outcome === "TRUNCATED"),
    all.find((e) => e.failure),
    all.find((e) => e.slot.split === "validation" && e.final_answer?.length > 1e6),
  ];
  assert.ok(kinds.at(-1), "one message has 10 MB");
  for (const e of kinds.filter((e) => e)) {
    await open(episodeRoute(e));
    await facts.holdEpisode(page, e, clean);
    assert.equal(await pwned(), undefined, "hostile text stays text");
  }
}

test("a page that tells something else than the journal is found out", { skip }, async () => {
  const journal = await shop.journal(name);
  const e = facts
    .counted(journal)
    .find((x) => x.slot.split === "train" && x.rows?.length > 0 && x.reward !== undefined);
  const step = e.slot.step;

  /** Holds a view against the journal, as it is and with each answer that matches changed in one place. */
  const forged = async (view, hold, path, changes) => {
    await open(view);
    await hold(page);
    for (const [words, change] of changes) {
      const other = await tab();
      await other.route(path, async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        change(json);
        await route.fulfill({ response, json });
      });
      await open(view, other);
      await assert.rejects(hold(other), (e) => e instanceof assert.AssertionError && words.test(e.message));
      await other.unrouteAll({ behavior: "ignoreErrors" });
      await other.context().close();
    }
  };
  const rowOf = (d) => d.tokens.rows.find((r) => r.chain === e.rows[0].chain);
  const sibling = (p) => p.episodes.find((x) => x.id === e.episode_id);
  await forged(episodeRoute(e), (on) => facts.holdEpisode(on, e, clean), /\/episodes\/[^/]*$/, [
    [/reward of/, (d) => (d.reward.total += 0.25)],
    [
      /conversation of/,
      (d) => (d.transcripts[0].messages.at(-1).name = "x") && (d.transcripts[0].messages[0].content += "."),
    ],
    [/conversation of/, (d) => d.transcripts[0].messages.pop()],
    [/ids and mask/, (d) => (rowOf(d).ids[3] += 1)],
    [/ids and mask/, (d) => (rowOf(d).loss_mask[0] = true)],
    [/log-probability/, (d) => rowOf(d).logprobs.forEach((_, i, list) => (list[i] -= 1))],
    [/turns of/, (d) => (d.episode.turns += 1)],
  ]);
  await forged(`/run/${name}/step/${step}`, (on) => facts.holdGroups(on, journal, step), /\/episodes\?.*limit=100/, [
    [/reward of/, (p) => (sibling(p).reward += 0.25)],
    [/success of/, (p) => (sibling(p).success = !e.is_success)],
    [/samples of/, (p) => p.episodes.pop()],
  ]);
  await forged(`/run/${name}`, (on) => facts.holdSteps(on, journal, [step]), /\/steps\?/, [
    [/reward of step/, (s) => (s.steps.find((x) => x.step === step).reward += 0.01)],
    [/failed of step/, (s) => (s.steps.find((x) => x.step === step).failed += 1)],
  ]);
  await forged(`/run/${name}`, (on) => facts.holdCurves(on, journal), /\/metrics\?/, [
    [/train\/entropy/, (m) => (m.series["train/entropy"].at(-1)[1] += 1)],
  ]);
});

test("a connection that drops is said, and made again", { skip }, async () => {
  await open(`/run/${name}`);
  await until(() => document.querySelector(".connection.live"));
  cable.cut();
  await until(() => document.querySelector(".connection.lost"));
  cable.mend();
  await until(() => document.querySelector(".connection.live"));
});

test("a run that is killed and resumed while it is watched", { skip }, async () => {
  await open(`/run/${name}`);
  await until(() => document.querySelector(".connection.live"));
  apply.child.kill("SIGKILL");
  await apply.ended;
  await until(() => document.querySelector("h1 + .badge")?.textContent === "interrupted");
  model.release();
  const resumed = shop.start("resume", name, "--plain");
  assert.equal(await resumed.ended, 0, resumed.said.error);
  await until(() => document.querySelector("h1 + .badge")?.textContent === "finished");
  await until(() => /4 of 4/.test(document.querySelector(".pairs").innerText));
  const journal = await shop.journal(name);
  assert.equal(facts.counted(journal).filter((e) => e.slot.split === "train").length, 4 * perStep);
  await until(() => document.querySelectorAll(".panel .item").length >= 4);
  await facts.holdCurves(page, journal);
  await facts.holdSteps(page, journal, [1, 2, 3, 4]);
  const happened = (await facts.rowsOf(page, ".panel:has(h2:text-is('Events'))")).map((r) => r[2]);
  for (const what of ["started", "killed", "resumed"]) assert.ok(happened.includes(what), `${what} in ${happened}`);
});

test("a run that has ended: its views say what its journal says", { skip }, async () => {
  const journal = await shop.journal(name);
  await open(`/run/${name}`);
  await facts.holdCurves(page, journal);
  await facts.holdSteps(page, journal, [1, 2, 3, 4]);
  await holdAll(journal, [1, 2, 3, 4]);
  await open(`/run/${name}/episodes?split=train`);
  await facts.holdList(
    page,
    journal,
    facts.counted(journal).filter((e) => e.slot.split === "train"),
  );
  const product = facts.counted(journal).filter((e) => e.task_id === "product-1");
  await open(`/run/${name}/episodes?task=product-1`);
  await facts.holdList(page, journal, product);
  const group = product[0];
  await open(`/run/${name}/group/${encodeURIComponent(group.slot.group)}?step=${group.slot.step}&split=train`);
  const samples = await page.locator(".beside h2 a").allInnerTexts();
  assert.deepEqual(samples.slice(0, 2), ["sample 0", "sample 1"]);
});

test("the answer of a task is on the page when somebody wants it, and only then", { skip }, async () => {
  const e = facts.counted(await shop.journal(name)).find((x) => x.task_id === "product-1");
  const asked = [];
  page.on("request", (r) => asked.push(new URL(r.url()).pathname));
  await open(episodeRoute(e));
  assert.ok(!asked.some((p) => p.endsWith("/private")));
  await page.click("summary:has-text('can contain the answer')");
  await page.waitForSelector('aside .prose:has-text(\'"ground_truth": "4"\')');
});

test("two runs: their curves, and what differs", { skip }, async () => {
  await shop.run("apply", "--plain", "--new", "--var", "seed=2");
  await open(`/compare?run=${name}&run=watched-2`);
  const differs = await page.locator(".panel:has-text('Differences between')").innerText();
  assert.match(differs, /seed\s+1\s+2/);
  const rewards = await page.locator(".chart:has(h3:text-is('train/reward')) .key").allInnerTexts();
  for (const [i, run] of [name, "watched-2"].entries())
    facts.same(rewards[i].split(" ").at(-1), facts.last(await shop.journal(run), "train/reward"), `reward of ${run}`);
});

test("the browser had nothing to complain about", { skip }, () => assert.deepEqual(complaints, []));
