// Makes elements. Text goes into text nodes and passes `clean`, whoever wrote it: no call of this file can make markup
// of it. Styles are set by CSSOM, which the content security policy allows where style attributes are forbidden.
import { clean, pieces } from "./text";

export type Child = Node | string | number | null | undefined | false | Child[];

export interface Attributes {
  class?: string;
  title?: string;
  href?: string; // within the page: begins with #
  onclick?: (e: MouseEvent) => void;
  vars?: Record<string, string>; // custom properties of CSS
  data?: Record<string, string>;
  [attribute: string]: unknown;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes | null,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  add(element, children);
  return element;
}

function set(element: HTMLElement, name: string, value: unknown): void {
  if (value === undefined || value === null || value === false) return;
  switch (name) {
    case "class":
      element.className = String(value);
      return;
    case "onclick":
      element.addEventListener("click", value as (e: MouseEvent) => void);
      return;
    case "vars":
      for (const [k, v] of Object.entries(value as Record<string, string>)) element.style.setProperty(k, v);
      return;
    case "data":
      Object.assign(element.dataset, value);
      return;
    case "href":
      if (!String(value).startsWith("#")) throw new Error("links of this page stay within it");
      element.setAttribute("href", String(value));
      return;
  }
  if (name.startsWith("on") || name === "style" || name === "src") throw new Error(`attribute ${name} is not for h()`);
  element.setAttribute(name, value === true ? "" : clean(String(value)));
}

export function add(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else parent.appendChild(document.createTextNode(clean(String(child))));
  }
}

/** Puts children in the place of what an element holds. */
export function fill(parent: HTMLElement, ...children: Child[]): void {
  parent.replaceChildren();
  add(parent, children);
}

const firstPart = 6_000; // characters that are shown of a long text
const nextPart = 100_000; // and with each press of its button

/** Foreign text of several lines: escapes set apart, and long ones shown part by part. */
export function prose(s: string, most = firstPart): HTMLElement {
  const box = h("div", { class: "prose", dir: "auto" });
  let shown = 0;
  const more = (upTo: number) => {
    const end = cut(s, Math.min(upTo, s.length));
    for (const p of pieces(s.slice(shown, end)))
      box.append(p.escaped ? h("span", { class: "escape" }, p.text) : p.text);
    shown = end;
  };
  more(most);
  if (shown === s.length) return box;
  const button = h("button", {
    class: "quiet",
    onclick: () => {
      more(shown + nextPart);
      if (shown === s.length) button.remove();
      else label();
    },
  });
  const label = () => fill(button, `Show more: ${count(s.length - shown)} of ${count(s.length)} characters left`);
  label();
  return h("div", null, box, button);
}

function count(n: number): string {
  return n.toLocaleString("en");
}

/** cut moves the end of a part so that no character is halved. */
function cut(s: string, end: number): number {
  const code = s.charCodeAt(end - 1);
  return end < s.length && code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}
