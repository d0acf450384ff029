// What some episodes of a run have in common, by looking at a few of them.
import * as api from "../api";
import { number } from "../format";
import type { EpisodeDetail, Message } from "../types";

/** A sentence on what these episodes share; null where they share nothing, or cannot be read. */
export async function shared(run: string, ids: string[], signal: AbortSignal): Promise<string | null> {
  const details: EpisodeDetail[] = [];
  for (const id of ids) {
    const d = await api.episode(run, id, signal).catch(() => null);
    if (d) details.push(d);
  }
  return sentence(details);
}

/** Exported for tests. */
export function sentence(details: EpisodeDetail[]): string | null {
  const facts = [
    common(details, (d) => d.failure?.detail && `“${shorter(d.failure.detail)}”`),
    common(details, (d) => d.limit?.words),
    common(details, (d) => malformed(d)),
    common(details, (d) => waiting(d)),
  ].filter((x): x is Shared => x !== null);
  if (facts.length === 0) return null;
  const words = facts.map((f) => (f.of === details.length ? f.words : `${f.words} (${number(f.of)} of them)`));
  return `In a sample of ${number(details.length)}: ${words.join("; ")}.`;
}

interface Shared {
  words: string;
  of: number;
}

/** What most of the episodes have in common. */
function common(details: EpisodeDetail[], of: (d: EpisodeDetail) => string | undefined): Shared | null {
  const counts = new Map<string, number>();
  for (const d of details) {
    const words = of(d);
    if (words) counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const [words, most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
  return 2 * most > details.length ? { words, of: most } : null;
}

function messages(d: EpisodeDetail): Message[] {
  return (d.transcripts ?? []).flatMap((t) => t.messages);
}

function malformed(d: EpisodeDetail): string | undefined {
  const [bad] = messages(d).flatMap((m) => m.malformed ?? []);
  return bad && `“${shorter(bad.reason)}”`;
}

/** The call that has no result. */
function waiting(d: EpisodeDetail): string | undefined {
  const all = messages(d);
  const answered = new Set(all.map((m) => m.tool_call_id));
  const open = all.flatMap((m) => m.tool_calls ?? []).find((c) => !answered.has(c.id));
  return open && `the call of ${open.name} has no result`;
}

function shorter(s: string): string {
  return s.length > 160 ? s.slice(0, 160) + "…" : s;
}
