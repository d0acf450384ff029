// What the page shows, read from its elements and held against the journal. Each function throws where they differ.
import assert from "node:assert/strict";

/** A number as the page writes it: four digits, a true minus. */
export function same(shown, value, what) {
  if (value === null || value === undefined) return assert.match(shown, /^(–|none|failed)?$/, what);
  const read = Number(
    shown
      .replace("−", "-")
      .replaceAll(",", "")
      .replace(/ ?[%✓✂].*$/, ""),
  );
  const size = Math.max(Math.abs(value), 1e-9);
  assert.ok(Math.abs(read - value) <= 6e-4 * size, `${what}: the page says ${shown}, the journal ${value}`);
}

const flat = (s) => s.replace(/\s+/g, " ").trim();

export const pairsOf = (page, within = "main") =>
  page
    .locator(`${within} .pairs > div`)
    .evaluateAll((list) =>
      Object.fromEntries(list.map((d) => [d.querySelector("dt").textContent, d.querySelector("dd").innerText])),
    );

export const rowsOf = (page, selector) =>
  page
    .locator(`${selector} tbody tr`)
    .evaluateAll((list) => list.map((tr) => [...tr.children].map((td) => td.innerText.replace(/\s+/g, " ").trim())));

/** The value of a metric at the last step that has one. */
export function last(journal, name) {
  return [...(journal.metrics.get(name) ?? [])].sort((a, b) => a[0] - b[0]).at(-1)?.[1];
}

/** The last values of the open charts, by title and label. */
export async function holdCurves(page, journal) {
  const charts = await page.locator(".chart").evaluateAll((list) =>
    list.map((c) => ({
      title: c.querySelector("h3").firstChild.textContent,
      values: [...c.querySelectorAll("figcaption .key")].map((k) => k.innerText.trim()),
    })),
  );
  const find = (title) => charts.find((c) => c.title === title) ?? assert.fail(`there is no chart ${title}`);
  const held = [
    ["reward", /^training (.*)$/, "train/reward", 1],
    ["reward", /^held-out (.*)$/, "validation/reward", 1],
    ["success", /^training (.*) %$/, "train/success_rate", 100],
    ["success", /^held-out (.*) %$/, "validation/success_rate", 100],
    ["loss", /^(.*)$/, "train/loss", 1],
    ["entropy", /^(.*)$/, "train/entropy", 1],
    ["turns", /^(.*)$/, "train/turns", 1],
  ];
  for (const [title, pattern, name, unit] of held) {
    const words = find(title).values.find((v) => pattern.test(v)) ?? assert.fail(`${title}: ${find(title).values}`);
    const [, shown] = pattern.exec(words);
    if (unit === 100)
      assert.ok(
        Math.abs(Number(shown) - 100 * last(journal, name)) <= 0.051,
        `${name}: ${shown}, ${last(journal, name)}`,
      );
    else same(shown, last(journal, name), name);
  }
}

export const counted = (journal) => journal.episodes.filter((e) => e.standing === "COUNTED");
const mean = (list) => (list.length === 0 ? undefined : list.reduce((a, b) => a + b, 0) / list.length);

/** The table of steps: episodes, mean reward, success, failures. */
export async function holdSteps(page, journal, steps) {
  const rows = await rowsOf(page, ".panel:has(h2:text-is('Steps'))");
  for (const step of steps) {
    const row = rows.find((r) => r[0] === String(step)) ?? assert.fail(`step ${step} is missing in ${rows}`);
    const list = counted(journal).filter((e) => e.slot.split === "train" && e.slot.step === step);
    assert.equal(row[2], String(list.length), `episodes of step ${step}`);
    same(row[3], mean(list.map((e) => e.reward).filter((r) => r !== undefined)), `reward of step ${step}`);
    const known = list.map((e) => e.is_success).filter((s) => s !== undefined);
    const success = 100 * mean(known.map(Number));
    assert.ok(Math.abs(Number(row[4].replace(" %", "")) - success) <= 0.051, `success of step ${step}: ${row[4]}`);
    assert.equal(row[5], String(list.filter((e) => e.failure).length), `failed of step ${step}`);
  }
}

/** The groups of a step: every sample with its reward, in order. */
export async function holdGroups(page, journal, step) {
  const groups = await page.locator(".groups .group").evaluateAll((list) =>
    list.map((g) => ({
      name: g.querySelector(".of a").textContent,
      task: g.querySelector(".task").textContent,
      cells: [...g.querySelectorAll(".cells .cell")].map((c) => ({
        id: decodeURIComponent(c.getAttribute("href").split("/episode/")[1]),
        text: c.innerText.trim(),
      })),
    })),
  );
  const list = journal.episodes.filter((e) => e.slot.step === step && e.standing !== "SUPERSEDED");
  assert.equal(groups.flatMap((g) => g.cells).length, list.length, `samples of step ${step}`);
  for (const g of groups) {
    const of = list
      .filter((e) => g.cells.some((c) => c.id === e.episode_id))
      .sort((a, b) => a.slot.sample - b.slot.sample);
    assert.deepEqual(
      g.cells.map((c) => c.id),
      of.map((e) => e.episode_id),
    );
    assert.equal(g.name, `${of[0].slot.split === "validation" ? "held-out " : ""}group ${of[0].slot.group}`);
    for (const [i, e] of of.entries()) {
      const word = g.cells[i].text.split(/\s/)[0].replace(/[✓✂].*$/, "");
      if (e.failure) assert.equal(word, "failed");
      else same(word, e.reward, `reward of ${e.episode_id}`);
      assert.equal(g.cells[i].text.includes("✓"), e.is_success === true, `success of ${e.episode_id}`);
    }
  }
}

/** The rows of a list of episodes. */
export async function holdList(page, journal, list) {
  const rows = await rowsOf(page, "main");
  const ids = await page.locator("main tbody td:nth-child(2) a").evaluateAll((links) => links.map((a) => a.title));
  assert.equal(rows.length, list.length);
  for (const e of list) {
    const row = rows[ids.indexOf(e.episode_id)] ?? assert.fail(`${e.episode_id} is missing`);
    assert.equal(row[0], String(e.slot.step));
    if (!e.failure) same(row[2], e.reward, `reward of ${e.episode_id}`);
    assert.equal(row[3], e.is_success === undefined ? "–" : e.is_success ? "solved" : "not solved");
    assert.equal(row[4].split(/[:,]/)[0], e.outcome.toLowerCase().replaceAll("_", " "));
    assert.equal(row[7], String(e.num_turns), `turns of ${e.episode_id}`);
  }
}

const shownOf = 6_000; // characters of a message that stand at once

/** One episode: outcome, reward and its parts, who said what, members, and every token that is on the page. */
export async function holdEpisode(page, e, clean) {
  assert.equal(await page.locator("h1").getAttribute("title"), e.episode_id);
  assert.match(
    await page.locator(".bar .badge").first().innerText(),
    new RegExp(`^${e.outcome.toLowerCase().replaceAll("_", " ")}`),
  );
  if (e.reward !== undefined)
    same(await page.locator(".total .cell").innerText(), e.reward, `reward of ${e.episode_id}`);
  const solved = await page.locator(".total .badge").allInnerTexts();
  assert.deepEqual(solved, e.is_success === undefined ? [] : [e.is_success ? "solved" : "not solved"]);
  const cut = await page.locator(".truncated h2").allInnerTexts();
  const value = e.limit?.value ? ` = ${e.limit.value}` : "";
  assert.deepEqual(cut, e.limit ? [`Truncated: ${e.limit.name}${value}`] : [], `limit of ${e.episode_id}`);
  await holdParts(page, e);
  await holdConversation(page, e, clean);
  const about = await pairsOf(page, "aside");
  assert.equal(about.turns, String(e.num_turns), `turns of ${e.episode_id}`);
  assert.equal(about.task, clean(e.task_id));
  if (e.members) {
    const members = await rowsOf(page, ".panel:has(h2:text-is('Members'))");
    assert.deepEqual(
      members.map((m) => [m[0], m[1]]),
      e.members.map((m) => [m.agent, String(m.turns)]),
    );
  }
  for (const row of e.rows ?? []) await holdTokens(page, row);
}

async function holdParts(page, e) {
  const parts = e.components ? await rowsOf(page, ".reward") : [];
  const shown = new Map(parts.map((p) => [p[0], p[1]]));
  for (const [name, value] of Object.entries(e.components ?? {})) {
    const key = name.replace(/^reward\./, "");
    assert.ok(shown.has(key), `${e.episode_id}: the part ${key} is missing`);
    same(shown.get(key), value, `${e.episode_id}: ${key}`);
  }
  assert.equal(shown.size, new Set([...Object.keys(e.components ?? {}), ...Object.keys(e.notes ?? {})]).size);
}

async function holdConversation(page, e, clean) {
  const folded = await page.locator("details.call:not([open])").count();
  if (folded > 0) await page.keyboard.press("o");
  if (folded > 0) await page.waitForSelector("details.call .body");
  const shown = await page.locator(".conversation .message").evaluateAll((list) =>
    list.map((m) => ({
      role: m.querySelector("header b").textContent,
      content: m.querySelector(":scope > .prose, :scope > div > .prose")?.textContent ?? "",
      calls: [...m.querySelectorAll("details.call")].map((c) => ({
        name: c.querySelector("summary b").textContent,
        texts: [...c.querySelectorAll(".body .prose")].map((p) => p.textContent),
      })),
    })),
  );
  assert.deepEqual(
    shown,
    expectedMessages(e).map((m) => ({
      role: m.role,
      content: clean(m.content),
      calls: m.calls.map((c) => ({ name: c.name, texts: c.texts.map(clean) })),
    })),
    `conversation of ${e.episode_id}`,
  );
}

/** The messages of the journal, results with their calls; of a long one what is shown at once. */
function expectedMessages(e) {
  const said = (e.transcripts ?? []).flatMap((p) => p.messages.map((m) => ({ agent: p.agent, ...m })));
  const taken = new Set();
  const out = [];
  for (const [i, m] of said.entries()) {
    if (taken.has(i)) continue;
    const calls = (m.tool_calls ?? []).map((c) => {
      const isResult = (t, k) => k > i && t.agent === m.agent && t.role === "tool" && t.tool_call_id === c.id;
      const at = said.findIndex(isResult);
      if (at >= 0) taken.add(at);
      const texts = [pretty(c.arguments)];
      if (at >= 0 && said[at].content) texts.push(said[at].content);
      return { name: c.name, texts };
    });
    out.push({ role: m.role, content: (m.content ?? "").slice(0, shownOf), calls });
  }
  return out;
}

function pretty(s) {
  try {
    return JSON.stringify(JSON.parse(s), null, 2);
  } catch {
    return s;
  }
}

/** A row that the host was given; those of an update may stand beside it. */
async function holdTokens(page, row) {
  const select = page.locator(".panel:has(h2:text-is('Tokens')) select");
  if ((await select.count()) > 0) {
    const at = (await select.locator("option").allTextContents()).findIndex((l) => l.endsWith(row.chain));
    assert.ok(at >= 0, `the row of ${row.chain} is missing`);
    await select.selectOption(String(at));
  }
  const pager = await page.locator(".tokens .pager").innerText();
  assert.match(pager, new RegExp(`of ${row.ids.length.toLocaleString("en")}\\b`));
  const shown = await page
    .locator(".token")
    .evaluateAll((list) =>
      list.map((t) => ({ text: t.textContent, trained: t.style.getPropertyValue("--much") === "100%" })),
    );
  const end = Math.min(row.ids.length, shown.length);
  assert.ok(end > 0);
  assert.deepEqual(
    shown,
    row.ids.slice(0, end).map((id, k) => ({ text: `⟨${id}⟩`, trained: row.loss_mask[k] })),
    "ids and mask of the tokens",
  );
  const first = row.loss_mask.indexOf(true);
  if (first < 0) return;
  await page.click("button >> text=First trained");
  const readout = flat(await page.locator(".readout").innerText());
  const [, id, sampler] = /id (\d+) .*sampler (\S+)/.exec(readout) ?? assert.fail(readout);
  assert.equal(id, String(row.ids[first]));
  same(sampler, row.logprobs[first], "the sampler's log-probability");
}

/** The table of validations: each answer and reward of each pass. */
export async function holdValidations(page, journal) {
  const cells = await page.locator(".cell.answer").evaluateAll((list) =>
    list.map((c) => ({
      id: decodeURIComponent(c.getAttribute("href").split("/episode/")[1]),
      reward: c.querySelector("b").textContent,
    })),
  );
  const list = counted(journal).filter((e) => e.slot.split === "validation");
  assert.deepEqual(new Set(cells.map((c) => c.id)), new Set(list.map((e) => e.episode_id)));
  for (const e of list) {
    const shown = cells.find((c) => c.id === e.episode_id).reward;
    same(shown, e.reward, `reward of ${e.episode_id}`);
    assert.equal(shown.includes("✓"), e.is_success === true, `success of ${e.episode_id}`);
  }
}
