// Addresses of views. They stand in the fragment, which the server never sees: #/run/quickstart-3/step/12?class=x.

export interface Route {
  path: string[];
  query: URLSearchParams;
}

export function parse(hash: string): Route {
  const [path = "", query = ""] = split(hash.replace(/^#/, ""));
  return {
    path: path
      .split("/")
      .filter((p) => p !== "")
      .map(decode),
    query: new URLSearchParams(query),
  };
}

function split(s: string): string[] {
  const i = s.indexOf("?");
  return i < 0 ? [s] : [s.slice(0, i), s.slice(i + 1)];
}

function decode(s: string): string {
  try {
    return decodeURIComponent(s);
  } catch {
    return s;
  }
}

export function to(
  path: (string | number)[],
  query: Record<string, string | number | string[] | undefined> = {},
): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const v of Array.isArray(value) ? value : [value])
      if (v !== undefined && v !== "") words.append(name, String(v));
  }
  const tail = words.toString();
  return "#/" + path.map((p) => encodeURIComponent(p)).join("/") + (tail ? "?" + tail : "");
}

export const toRun = (run: string) => to(["run", run]);
export const toStep = (run: string, step: number, query = {}) => to(["run", run, "step", step], query);
/** An episode, and the message at which it opens, counted from 0. */
export const toEpisode = (run: string, id: string, message?: number) => to(["run", run, "episode", id], { message });
export const toGroup = (run: string, group: string, step: number, split: string) =>
  to(["run", run, "group", group], { step, split });

/**
 * Takes the token out of the address, where `awhost ui` has put it: #token=T, #token=T&to=/run/a, or /run/a?token=T.
 * Returns it with the fragment that is left.
 */
export function takeToken(hash: string): { token: string; rest: string } | null {
  const bare = /^#token=([^&]*)(?:&to=(.*))?$/.exec(hash);
  if (bare) return { token: decode(bare[1]!), rest: "#" + (bare[2] ? decode(bare[2]) : "/") };
  const { path, query } = parse(hash);
  const token = query.get("token");
  if (token === null) return null;
  query.delete("token");
  const tail = query.toString();
  return { token, rest: "#/" + path.map(encodeURIComponent).join("/") + (tail ? "?" + tail : "") };
}
