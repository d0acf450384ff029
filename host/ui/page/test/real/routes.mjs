// The views of a run that is there, one of each kind, found by asking its server as the page does.
export async function routesOf({ url, token }, name) {
  const ask = async (path) => {
    const response = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { runs } = await ask("api/runs");
  const run = name ? runs.find((r) => r.name === name) : runs[0];
  const of = `api/runs/${encodeURIComponent(run.name)}`;
  const base = `/run/${encodeURIComponent(run.name)}`;
  const list = async (query) => (await ask(`${of}/episodes?${new URLSearchParams(query)}`)).episodes;
  const episode = (e) => e && `${base}/episode/${encodeURIComponent(e.id)}`;
  const step = Math.max(1, Math.floor(run.step / 3));
  const solved = (await list({ split: "train", sort: "-turns", limit: 200 })).filter((e) => e.success);
  const steps = await list({ step: 1, split: "train", sort: "group", limit: 64 });
  let told; // the adapter tells of the tokens of one group of a step
  for (const e of steps.filter((x) => x.sample === 0).concat(steps.slice(0, 1))) {
    const detail = await ask(`${of}/episodes/${encodeURIComponent(e.id)}`);
    if (detail.tokens && !told) told = e;
  }
  const [first] = await list({ step, split: "train", limit: 1 });
  const [truncated] = await list({ outcome: "TRUNCATED", limit: 1 });
  const [failed] = await list({ outcome: "FAILED", limit: 1 });
  const other = runs.find((r) => r !== run);
  const routes = {
    runs: "/",
    compare: other && `/compare?run=${encodeURIComponent(run.name)}&run=${encodeURIComponent(other.name)}`,
    run: base,
    step: `${base}/step/${step}`,
    episodes: `${base}/episodes?sort=-reward`,
    task: first && `${base}/episodes?task=${encodeURIComponent(first.task)}`,
    group: first && `${base}/group/${encodeURIComponent(first.group)}?step=${step}&split=train`,
    episode: episode(solved[0] ?? first),
    tokens: episode(told),
    truncated: episode(truncated),
    failed: episode(failed),
    validations: `${base}/validations`,
  };
  return Object.fromEntries(Object.entries(routes).filter(([, route]) => route));
}
