// Colours of values: from low over the middle to high, by classes and one custom property, so that both themes have
// their own. A value always stands beside its colour: nobody has to tell colours apart.

export interface Scale {
  low: number;
  high: number;
}

/** The scale of rewards: 0 to 1 where they fit, symmetrical where some are below 0, else from the least to the most. */
export function rewardScale(values: (number | null | undefined)[]): Scale {
  const known = values.filter((v): v is number => typeof v === "number" && Number.isFinite(v));
  const least = Math.min(0, ...known);
  const most = Math.max(1, ...known);
  if (least < 0) {
    const size = Math.max(-least, Math.max(0, ...known));
    return { low: -size, high: size };
  }
  return { low: 0, high: most };
}

export function symmetrical(size: number): Scale {
  return { low: -size, high: size };
}

/** Colours an element by a value; without one it is hatched. */
export function paint(element: HTMLElement, value: number | null | undefined, scale: Scale): HTMLElement {
  element.classList.remove("low", "high", "nothing");
  if (value === null || value === undefined || Number.isNaN(value)) {
    element.classList.add("nothing");
    return element;
  }
  const width = scale.high - scale.low;
  const v = width === 0 ? 0.5 : Math.min(1, Math.max(0, (value - scale.low) / width));
  element.classList.add(v < 0.5 ? "low" : "high");
  element.style.setProperty("--much", `${Math.round(Math.abs(v - 0.5) * 200)}%`);
  return element;
}
