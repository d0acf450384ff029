// The page of `awhost ui`: finds the view for an address, and draws it.
import "./style.css";
import { hasToken, inFile, setToken } from "./api";
import { add, fill, h } from "./dom";
import * as keys from "./keys";
import { listen, type Connection } from "./live";
import { parse, takeToken, to } from "./route";
import { applyTheme, toggleTheme } from "./theme";
import { trouble, type View } from "./view";
import { showRuns } from "./views/runs";
import { showCompare } from "./views/compare";
import { showRun } from "./views/run";
import { showEpisodes } from "./views/episodes";
import { showGroup } from "./views/group";
import { showEpisode } from "./views/episode";
import { showTasks } from "./views/tasks";
import { showValidations } from "./views/validations";

const main = h("main", { tabindex: "-1" });
const crumbs = h("nav", { class: "crumbs", "aria-label": "Breadcrumbs" });
const connection = h("span", { class: "connection", role: "status" });
let current = new AbortController();

function start(): void {
  applyTheme();
  takeTokenFromAddress();
  add(document.body, [
    h(
      "header",
      null,
      h("a", { class: "home", href: to([]) }, "awhost"),
      crumbs,
      connection,
      h("button", { class: "quiet", title: "keys (?)", "aria-label": "keys", onclick: () => keys.help() }, "?"),
      h(
        "button",
        { class: "quiet", title: "light or dark (t)", "aria-label": "light or dark", onclick: toggleTheme },
        "◐",
      ),
    ),
    main,
  ]);
  keys.listenToKeys();
  keys.bindPage("j", "next item", () => keys.move(1));
  keys.bindPage("k", "previous item", () => keys.move(-1));
  keys.bindPage("Enter", "expand or collapse the item", () => keys.enter());
  keys.bindPage("/", "go to the filter", focusFilter);
  keys.bindPage("u", "go up one level", up);
  keys.bindPage("t", "light or dark", toggleTheme);
  keys.bindPage("?", "show keys and symbols", () => keys.help());
  addEventListener("hashchange", () => {
    takeTokenFromAddress();
    open();
  });
  open();
}

function takeTokenFromAddress(): void {
  const taken = takeToken(location.hash);
  if (!taken) return;
  setToken(taken.token);
  history.replaceState(null, "", taken.rest);
}

function focusFilter(): void {
  const field = main.querySelector<HTMLElement>("[data-filter]");
  field?.focus();
}

function up(): void {
  const links = crumbs.querySelectorAll("a");
  location.hash = links.item(links.length - 1)?.hash ?? to([]);
}

function open(): void {
  current.abort();
  current = new AbortController();
  keys.clearView();
  tell("off");
  if (!hasToken()) {
    askForToken();
    return;
  }
  const { path, query } = parse(inFile !== undefined && /^(#\/?)?$/.test(location.hash) ? inFile : location.hash);
  const view = viewOf(query, current.signal);
  const root = view.root;
  fill(main, root);
  scrollTo(0, 0);
  draw(view, path).catch((e: unknown) => {
    if (!view.signal.aborted) fill(root, trouble(e, open));
  });
}

function viewOf(query: URLSearchParams, signal: AbortSignal): View {
  return {
    root: h("div", { class: "view" }),
    signal,
    query,
    key: (key, what, act) =>
      keys.bindView(key, what, () => {
        if (!signal.aborted) act();
      }),
    onLive: (run, hear) => {
      if (inFile !== undefined) return; // nobody tells a file anything
      listen(run, signal, hear, (c) => {
        if (!signal.aborted) tell(c);
      });
    },
    title: (...list) => {
      document.title = [...list]
        .reverse()
        .map((c) => c.text)
        .concat("awhost")
        .join(" · ");
      fill(
        crumbs,
        list.map((c) => [
          h("span", { class: "slash", "aria-hidden": "true" }, "/"),
          c.href ? h("a", { href: c.href }, c.text) : h("span", { "aria-current": "page" }, c.text),
        ]),
      );
    },
  };
}

async function draw(view: View, path: string[]): Promise<void> {
  const [first, run, what, which] = path;
  if (first === undefined) return showRuns(view);
  if (first === "compare") return showCompare(view);
  if (first === "run" && run !== undefined) {
    if (what === undefined) return showRun(view, run);
    if (what === "step" && /^\d+$/.test(which ?? "")) return showEpisodes(view, run, Number(which));
    if (what === "episodes") return showEpisodes(view, run, undefined);
    if (what === "group" && which !== undefined) return showGroup(view, run, which);
    if (what === "episode" && which !== undefined) return showEpisode(view, run, which);
    if (what === "tasks") return showTasks(view, run);
    if (what === "validations") return showValidations(view, run);
  }
  view.title({ text: "not found" });
  fill(
    view.root,
    h(
      "section",
      { class: "trouble" },
      h("h2", null, "Page not found."),
      h(
        "p",
        null,
        "The address is incomplete or belongs to another version of awhost. ",
        h("a", { href: to([]) }, "All runs"),
      ),
    ),
  );
}

function tell(c: Connection): void {
  connection.className = "connection " + c;
  fill(connection, { live: "live", lost: "no connection, retrying", off: "" }[c]);
}

function askForToken(): void {
  const field = h("input", { type: "password", "aria-label": "token", autocomplete: "off", size: 40 });
  const form = h("form", null, field, h("button", null, "Open"));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const words = field.value.trim();
    setToken(takeToken(words.slice(Math.max(0, words.indexOf("#"))))?.token ?? words);
    open();
  });
  fill(
    main,
    h(
      "section",
      { class: "trouble" },
      h("h2", null, "This page needs a token."),
      h(
        "p",
        null,
        "Open the link that awhost ui prints, or paste the link or its token here. " +
          "This browser keeps the token, which is valid until that command ends.",
      ),
      form,
    ),
  );
  field.focus();
}

start();
