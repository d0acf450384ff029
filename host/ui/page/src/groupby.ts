// groupBy puts what has the same key together, in the order in which keys came. (Map.groupBy is too new for some.)
export function groupBy<K, T>(list: T[], key: (x: T) => K): Map<K, T[]> {
  const out = new Map<K, T[]>();
  for (const x of list) {
    const k = key(x);
    const group = out.get(k);
    if (group) group.push(x);
    else out.set(k, [x]);
  }
  return out;
}
