// Listens to a run. The stream of server-sent events is read by fetch, since EventSource cannot send the token. A
// connection that drops is made again; what happened meanwhile is asked anew. A tab that nobody sees has none: a browser
// makes six to a server, for all of its tabs.
import { live, Refusal } from "./api";
import type { LiveEvent } from "./types";

const gather = 1_000; // milliseconds: events within are told together
const silence = 45_000; // after which a connection counts as dropped

export type Connection = "live" | "lost" | "off";

export function listen(
  run: string,
  signal: AbortSignal,
  hear: (events: LiveEvent[]) => void,
  tell: (c: Connection) => void,
): void {
  void keepListening(run, signal, new Gatherer(hear, signal), tell);
}

async function keepListening(
  run: string,
  signal: AbortSignal,
  gatherer: Gatherer,
  tell: (c: Connection) => void,
): Promise<void> {
  let wait = 500;
  for (let first = true; !signal.aborted; first = false) {
    await seen(signal);
    if (signal.aborted) break;
    try {
      await readAll(
        run,
        signal,
        (e) => gatherer.take(e),
        () => {
          tell("live");
          wait = 500;
          if (!first) gatherer.take({ kind: "state" });
        },
      );
    } catch (e) {
      if (e instanceof Refusal && e.status >= 400 && e.status < 500) break; // there is nothing to listen to
    }
    if (signal.aborted) break;
    if (document.hidden) continue; // it is made again when somebody looks
    tell("lost");
    await pause(wait, signal);
    wait = Math.min(2 * wait, 15_000);
  }
  tell("off");
}

async function readAll(
  run: string,
  signal: AbortSignal,
  take: (e: LiveEvent) => void,
  opened: () => void,
): Promise<void> {
  const own = new AbortController();
  const stop = () => own.abort();
  const hidden = () => document.hidden && stop();
  signal.addEventListener("abort", stop, { once: true });
  document.addEventListener("visibilitychange", hidden);
  let watch = setTimeout(stop, silence);
  try {
    const response = await live(run, own.signal);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    opened();
    for (let rest = ""; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(watch);
      watch = setTimeout(stop, silence);
      rest = parse(rest + value, take);
    }
  } finally {
    clearTimeout(watch);
    signal.removeEventListener("abort", stop);
    document.removeEventListener("visibilitychange", hidden);
    own.abort();
  }
}

/** Takes the events out of what has come, and returns what is not whole yet. */
export function parse(text: string, take: (e: LiveEvent) => void): string {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop()!;
  for (const block of blocks) {
    const data = block
      .split("\n")
      .filter((l) => l.startsWith("data:"))
      .map((l) => l.slice(5).trimStart())
      .join("\n");
    if (data === "") continue; // a comment that keeps the connection open
    try {
      take(JSON.parse(data) as LiveEvent);
    } catch {
      take({ kind: "state" }); // something happened that this page does not understand: ask for all of it
    }
  }
  return rest;
}

class Gatherer {
  private events: LiveEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private hear: (events: LiveEvent[]) => void,
    private signal: AbortSignal,
  ) {}

  take(e: LiveEvent): void {
    this.events.push(e);
    this.timer ??= setTimeout(() => {
      const events = this.events;
      this.events = [];
      this.timer = undefined;
      if (!this.signal.aborted) this.hear(events);
    }, gather);
  }
}

/** Waits until somebody sees the tab. */
function seen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
