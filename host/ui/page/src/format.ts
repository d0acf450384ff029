// Writes numbers, times and sizes for people. What was not measured is "unknown", never 0.

export const unknown = "unknown";

export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (Number.isInteger(x) && Math.abs(x) < 1e15) return minus(x.toLocaleString("en"));
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return minus(x.toExponential(2));
  return minus(String(Number(x.toPrecision(digits))));
}

function minus(s: string): string {
  return s.replace(/^-/, "−");
}

export function percent(x: number | null | undefined): string {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  return minus((100 * x).toFixed(1)) + " %";
}

export function bytes(n: number | null | undefined): string {
  if (n === null || n === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  for (; n >= 1024 && i < units.length - 1; i++) n /= 1024;
  return `${i === 0 ? n : n.toPrecision(3)} ${units[i]}`;
}

export function millis(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1) return `${number(ms, 2)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : seconds(ms / 1000);
}

export function seconds(s: number | null | undefined): string {
  if (s === null || s === undefined || !Number.isFinite(s)) return "–";
  if (s < 1) return millisOf(s);
  if (s < 60) return `${Number(s.toPrecision(3))} s`;
  const whole = Math.round(s);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}

function millisOf(s: number): string {
  return `${s === 0 ? 0 : Number((1000 * s).toPrecision(3))} ms`;
}

/** A moment as a person's clock shows it, from RFC 3339. */
export function moment(s: string | null | undefined): string {
  const t = s ? new Date(s) : null;
  if (!t || Number.isNaN(t.getTime())) return "–";
  const two = (n: number) => String(n).padStart(2, "0");
  return (
    `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ` +
    `${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`
  );
}

export function between(from: string | undefined, to: string | undefined): string {
  if (!from) return "–";
  return seconds(((to ? new Date(to) : new Date()).getTime() - new Date(from).getTime()) / 1000);
}

export function plural(n: number, word: string): string {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}

/** A word of the record, such as LENGTH_LIMIT, as people write it. */
export function word(s: string | null | undefined): string {
  return s ? s.toLowerCase().replaceAll("_", " ") : "–";
}
