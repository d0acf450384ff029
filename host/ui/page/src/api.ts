// Asks the server. Reads only; each question carries the token that `awhost ui` has put into the address. A page that is a
// file of its own asks what the file holds instead, and never the network.
import { archiveOf } from "./archive";
import { keep, kept } from "./store";
import type {
  Comparison,
  EpisodeDetail,
  EpisodePage,
  Run,
  RunDetail,
  Series,
  Setting,
  Step,
  TaskPage,
  Validations,
  Waits,
} from "./types";

const key = "awhost-token";
const file = archiveOf(document);
let token = file ? "" : stored();

/** The token that the tabs of this address share, so that a link opens in a new tab. It ends with its server. */
function stored(): string {
  return kept(() => localStorage, key) ?? "";
}

export function setToken(t: string): void {
  token = t;
  keep(() => localStorage, key, t);
}

/** Takes over the token that another tab has got since, or drops one that is refused. */
function renewed(): boolean {
  const other = stored();
  if (other === token) setToken("");
  else token = other;
  return token !== "";
}

/** Whether there is anybody to ask. */
export function hasToken(): boolean {
  token ||= file ? "" : stored(); // another tab may have got one
  return token !== "" || file !== null;
}

/** The view that a file is about; undefined: a server answers. */
export const inFile = file?.open;

/** What the server says when it cannot answer, or why it cannot be reached. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly summary: string,
    readonly detail: string,
  ) {
    super(summary);
  }
}

export type Query = Record<string, string | number | string[] | undefined>;

function address(path: string, query?: Query): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const v of Array.isArray(value) ? value : [value]) {
      if (v !== undefined && v !== "") words.append(name, String(v));
    }
  }
  const tail = words.toString();
  return tail === "" ? path : `${path}?${tail}`;
}

/** Sends a question, and returns the answer before its body is read. */
export async function ask(path: string, query: Query | undefined, signal: AbortSignal): Promise<Response> {
  if (file) throw missing();
  let response = await send(path, query, signal);
  if (response.status === 401 && renewed()) response = await send(path, query, signal);
  if (!response.ok) throw await refusal(response);
  return response;
}

async function send(path: string, query: Query | undefined, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address(path, query), {
      signal,
      headers: { Authorization: `Bearer ${token}` },
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    });
  } catch (e) {
    if (signal.aborted) throw e;
    throw new Refusal(
      0,
      "No response from the server.",
      "Start awhost ui, or the command with --ui, again, and open the link that it prints.",
    );
  }
}

async function refusal(response: Response): Promise<Refusal> {
  const said = (await response.json().catch(() => null)) as { error?: { summary?: string; detail?: string } } | null;
  return new Refusal(
    response.status,
    said?.error?.summary ?? `Server error ${response.status}.`,
    said?.error?.detail ?? "",
  );
}

async function get<T>(path: string, query: Query | undefined, signal: AbortSignal): Promise<T> {
  if (file) return fromFile<T>(path, query);
  const response = await ask(path, query, signal);
  return (await response.json()) as T;
}

function fromFile<T>(path: string, query: Query | undefined): T {
  const answer = file!.answer(path, query);
  if (answer !== undefined) return answer as T;
  throw missing();
}

function missing(): Refusal {
  return new Refusal(404, "Not in this file.", "To see the whole run, start awhost ui in its directory.");
}

const of = (run: string) => `api/runs/${encodeURIComponent(run)}`;
const ofEpisode = (run: string, id: string) => `${of(run)}/episodes/${encodeURIComponent(id)}`;

export const runs = (s: AbortSignal) => get<{ runs: Run[] }>("api/runs", undefined, s);
export const run = (name: string, s: AbortSignal) => get<RunDetail>(of(name), undefined, s);
export const metrics = (name: string, names: string[], after: number | undefined, s: AbortSignal) =>
  get<Series>(`${of(name)}/metrics`, { name: names, after }, s);
export const steps = (name: string, from: number, to: number, s: AbortSignal) =>
  get<{ steps: Step[] }>(`${of(name)}/steps`, { from, to }, s);
export const episodes = (name: string, query: Query, s: AbortSignal) =>
  get<EpisodePage>(`${of(name)}/episodes`, query, s);
export const episode = (name: string, id: string, s: AbortSignal) =>
  get<EpisodeDetail>(ofEpisode(name, id), undefined, s);
export const privatePart = (name: string, id: string, s: AbortSignal) =>
  get<Record<string, unknown>>(`${ofEpisode(name, id)}/private`, undefined, s);
export const validations = (name: string, cursor: string | undefined, s: AbortSignal) =>
  get<Validations>(`${of(name)}/validations`, { cursor }, s);
export const tasks = (name: string, query: Query, s: AbortSignal) => get<TaskPage>(`${of(name)}/tasks`, query, s);
export const spec = (name: string, s: AbortSignal) => get<{ settings: Setting[] }>(`${of(name)}/spec`, undefined, s);
export const log = (name: string, plugin: string, s: AbortSignal) =>
  get<{ text: string; cut: boolean }>(`${of(name)}/log`, { plugin }, s);
export const waits = (name: string, s: AbortSignal) => get<Waits>(`${of(name)}/waits`, undefined, s);
export const live = (name: string, s: AbortSignal) => ask(`${of(name)}/live`, undefined, s);

export async function compare(a: string, b: string, s: AbortSignal): Promise<Comparison> {
  const said = await get<Comparison | { comparison: Comparison }>("api/compare", { run: [a, b] }, s);
  return "comparison" in said ? said.comparison : said;
}
