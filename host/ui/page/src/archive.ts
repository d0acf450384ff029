// The answers that a file has brought along. `awhost show --html` writes the page, what the server would have answered,
// and nothing else into one file: it asks nobody, and shows what it holds.
import type { Query } from "./api";
import type { Episode, EpisodePage, Points, Step } from "./types";

export interface Archive {
  /** The view that the file is about. */
  open: string;
  /** Answers a question; undefined where the file does not hold the answer. */
  answer(path: string, query: Query | undefined): unknown;
}

/** The archive of a document: its element awhost-data, {"route": "#/run/…", "GET /api/…": answer}. */
export function archiveOf(document: Document): Archive | null {
  const element = document.getElementById("awhost-data");
  return element ? archive(JSON.parse(element.textContent ?? "{}") as Record<string, unknown>) : null;
}

export function archive(data: Record<string, unknown>): Archive {
  const answers = new Map(Object.entries(data));
  return {
    open: String(data.route ?? "#/"),
    answer: (path, query = {}) => narrow(path, answers.get(keyOf(path)), query),
  };
}

/** Paths stand in a file as they read, without the escapes that an address needs. */
function keyOf(path: string): string {
  return "GET /" + path.split("/").map(decodeURIComponent).join("/");
}

/** Chooses from a list what a question asks for, as the server does. */
function narrow(path: string, answer: unknown, query: Query): unknown {
  if (answer === undefined) return undefined;
  const parts = path.split("/");
  switch (parts.length === 4 ? parts[3] : "") {
    case "episodes":
      return chosen((answer as EpisodePage).episodes, query);
    case "steps": {
      const { steps } = answer as { steps: Step[] };
      return { steps: steps.filter((s) => s.step >= Number(query.from) && s.step <= Number(query.to)) };
    }
    case "metrics": {
      const names = new Set([query.name ?? []].flat().map(String));
      const { series } = answer as { series: Record<string, Points> };
      return { series: Object.fromEntries(Object.entries(series).filter(([n]) => names.size === 0 || names.has(n))) };
    }
  }
  return answer;
}

function chosen(list: Episode[], query: Query): EpisodePage {
  const same = (["step", "split", "group", "task", "outcome", "class"] as const).filter((n) => query[n] !== undefined);
  const found = list.filter((e) => same.every((n) => String(e[n] ?? "") === String(query[n])));
  const sort = String(query.sort ?? "order");
  const by = sort.replace(/^-/, "");
  if (by === "reward" || by === "turns" || by === "seconds") found.sort(order(by, sort.startsWith("-") ? -1 : 1));
  const from = Number(query.cursor ?? 0);
  const end = sort === "group" ? found.length : from + Number(query.limit ?? 100); // groups are not cut
  return { episodes: found.slice(from, end), next: end < found.length ? String(end) : undefined, total: found.length };
}

/** Episodes without the number come last in both directions. */
function order(by: "reward" | "turns" | "seconds", sign: number): (a: Episode, b: Episode) => number {
  return (a, b) => {
    const [x, y] = [a[by], b[by]];
    if (typeof x !== "number" || typeof y !== "number")
      return Number(typeof y === "number") - Number(typeof x === "number");
    return sign * (x - y);
  };
}
