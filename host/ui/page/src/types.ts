// What the server answers. Names are those of `awhost show --json`. Members that a record may lack are optional; a
// missing one is shown as unknown.

export interface Run {
  name: string;
  status: string;
  outcome?: string;
  reason?: string;
  problem?: string;
  spec: string;
  train?: string;
  adapter?: string;
  machine?: string;
  stage?: string;
  step: number;
  steps?: number;
  started?: string;
  ended?: string;
  success_before?: number;
  success_after?: number;
  reward?: number; // in training, at the last step that has one
  disk_bytes?: number;
  live: boolean;
  played?: Played;
}

/** Of what awhost debug plays: nothing is trained. */
export interface Played {
  train: string;
  dataset: string;
  policy: string;
}

export interface Mark {
  step?: number;
  time: string;
  kind: string;
  text: string;
}

export interface Plugin {
  address: string;
  name?: string;
  version?: string;
  pid?: number;
  restarts?: number;
  cpu_seconds?: number; // since it was started
  cpu_percent?: number; // since it was looked at last
  rss_bytes?: number;
  started?: string;
  gpus?: { index: number; bytes: number }[];
  last_words?: string;
}

export interface Stage {
  name: string;
  first_step: number;
  last_step?: number;
}
export interface Checkpoint {
  step: number;
  best?: boolean;
  path?: string;
}

export interface RunDetail extends Run {
  stages?: Stage[];
  checkpoints?: Checkpoint[];
  marks?: Mark[];
  plugins?: Plugin[];
  metrics?: string[];
  about?: About[];
  failures?: Record<string, number>;
  outcomes?: Record<string, number>;
  episodes?: number;
  warnings?: string[];
  digest?: string;
  gpus?: Gpu[];
  findings?: Finding[];
  not_checked?: UncheckedRule[];
  tools?: Tool[];
  malformed?: number; // calls of training episodes that could not be parsed
}

/** A metric in plain words. */
export interface About {
  name: string;
  label: string;
  unit?: string;
  meaning: string;
}

/** The calls of a tool in training. */
export interface Tool {
  name: string;
  calls: number;
  errors: number;
  seconds?: number;
}

/** A task with sums over its episodes. */
export interface Task {
  task: string;
  tries: number;
  judged: number; // episodes with known success
  solved: number;
  success: number | null;
  reward: number | null;
  seconds: number;
  same_wrong: number; // episodes with the most frequent wrong answer
  answers: string[]; // the last distinct ones, the newest first
}

export interface TaskPage {
  tasks: Task[];
  next?: string;
  total: number;
  all: number; // without filters
}

/** Something that goes wrong in a run. */
export interface Finding {
  id: string; // of the rule
  subject?: string; // the tool, limit, or metric in question
  severity: "error" | "warning";
  stage: string;
  first_step: number;
  last_step: number;
  summary: string;
  causes?: string[];
  remedy: string;
  docs: string; // section of the documentation
  episodes?: string[]; // examples
  messages?: number[]; // of a scan: the message in each example, from 0
}

/** A message for which a rule of a scan holds. */
export interface Hit {
  rule: string;
  message: number; // from 0
  quote?: string;
}

/** A rule of findings for which metrics are missing. */
export interface UncheckedRule {
  id: string;
  title: string;
  needs?: string[];
  any?: string[]; // of which one is enough
}

/** One of what the spec came to, by its path. */
export interface Setting {
  path: string;
  value: unknown;
}

/** A GPU of the machine that a live run is on. */
export interface Gpu {
  index: number;
  name?: string;
  used_bytes?: number;
  total_bytes?: number;
}

export type Points = [number, number | null][];
export interface Series {
  series: Record<string, Points>;
}

export interface Step {
  step: number;
  stage?: string;
  episodes?: number;
  reward?: number | null;
  success?: number | null;
  failed?: number;
  truncated?: number;
  malformed?: number; // calls that could not be read
  seconds?: Record<string, number>;
  parts?: Record<string, number>; // seconds of all episodes by part: queue, model, tool, reward, siblings, host
}

export interface Episode {
  id: string;
  step: number;
  split: string;
  group: string;
  sample: number;
  task: string;
  outcome: string;
  class?: string;
  reward?: number | null;
  success?: boolean | null;
  turns?: number;
  tokens?: number;
  seconds?: number;
  attempt?: number;
  malformed?: number; // calls that could not be read
  answer?: string;
  standing?: string;
}

export interface EpisodePage {
  episodes: Episode[];
  next?: string;
  total?: number;
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}
export interface Picture {
  mime_type?: string;
  data?: string;
  url?: string;
}
export interface Attachment {
  kind?: string;
  mime_type?: string;
  uri?: string;
  name?: string;
  data?: string;
  text?: string;
  json?: unknown;
  sha256?: string;
  size?: number;
  file?: string;
}

export interface Message {
  role: string;
  content?: string;
  reasoning?: string;
  images?: Picture[];
  tool_calls?: ToolCall[];
  tool_call_id?: string;
  name?: string;
  is_error?: boolean;
  malformed?: { text: string; reason: string }[];
  attachments?: Attachment[];
}

export interface TranscriptPart {
  agent?: string;
  depth?: number;
  messages: Message[];
}

export interface Member {
  agent: string;
  turns: number;
  prompt_tokens?: number;
  output_tokens?: number;
  model_ms?: number;
  model?: string;
  cost_usd?: number;
}

export interface Call {
  call_id: string;
  parent?: string;
  chain?: string;
  agent?: string;
  turn?: number;
  train?: boolean;
  auxiliary?: boolean;
  finish?: string;
  prompt_tokens?: number;
  output_tokens?: number;
  text?: string;
}

export interface Chain {
  chain: string;
  agent?: string;
  train?: boolean;
  reward?: number | null;
  digest?: string;
}

/** What cut a conversation. */
export interface Limit {
  name: string;
  value?: number;
  of?: string;
  detail?: string;
  words: string;
  cut?: boolean; // the text of the conversation breaks off at it
}

export interface Attempt {
  attempt: number;
  outcome?: string;
  class?: string;
  detail?: string;
  started?: string;
  seconds?: number;
}

export interface RewardDetail {
  total?: number | null;
  parts?: Record<string, number | null>;
  notes?: Record<string, string>;
  expression?: string;
  own_rewards?: { agent: string; reward?: number; is_success?: boolean }[];
  turn_rewards?: { call_id: string; reward: number }[];
}

export interface Span {
  part: string;
  start_ms: number;
  ms: number;
  label?: string;
  turn?: number;
}
export interface Sibling {
  id: string;
  sample?: number;
  reward?: number | null;
  outcome: string;
  success?: boolean | null;
}

/** A row of tokens. Columns are as long as ids; a missing column, or null in one, is unknown. */
export interface TokenRow {
  chain?: string;
  ids: number[];
  text?: (string | null)[];
  loss_mask?: (boolean | number | null)[];
  logprobs?: (number | null)[];
  trainer_logprobs?: (number | null)[];
  advantages?: (number | null)[];
  turn_ids?: (number | null)[];
  prompt_length?: number;
  total?: number; // more than there are ids: the row was cut
  step?: number; // of the update that has trained it
}

export interface Madness {
  agent: string;
  turn: number;
  check: string;
  reason: string;
  part: string;
  near?: string;
}

export interface EpisodeDetail {
  episode: Episode;
  messages?: Message[];
  transcripts?: TranscriptPart[];
  own_steps?: { id: string; messages: Message[] }[];
  members?: Member[];
  chains?: Chain[];
  calls?: Call[];
  attempts?: Attempt[];
  failure?: { class: string; detail?: string };
  limit?: Limit;
  reward?: RewardDetail;
  masked?: boolean;
  drop_group?: boolean;
  use?: string;
  why?: string;
  madness?: Madness[];
  scan?: Hit[];
  times?: Span[];
  times_are?: "spans" | "sums"; // when something was done, or how long it took in all
  state?: unknown;
  metadata?: unknown;
  siblings?: Sibling[];
  tokens?: { rows: TokenRow[] };
  commands?: string[];
  seeds?: { environment?: string };
  played?: Played;
}

export interface Validations {
  steps: number[];
  tasks: { task: string; episodes: Pick<Episode, "step" | "id" | "reward" | "success" | "answer">[] }[];
  next?: string;
  total?: number;
}

export interface Difference {
  path: string;
  a?: unknown;
  b?: unknown;
}

export interface Comparison {
  a: Record<string, unknown>;
  b: Record<string, unknown>;
  metrics: { name: string; a: Record<string, number | null>; b: Record<string, number | null>; difference?: number }[];
  variables?: Difference[];
  spec?: Difference[];
  data?: Difference[];
  plugins?: Difference[];
  machine?: Difference[];
  unrecorded?: string[];
  same_digest?: boolean;
}

export interface Wait {
  who: string;
  for: string;
  address?: string;
  call?: string;
  episodes?: number;
  seconds: number;
  episode?: string;
  task?: string;
  detail?: string;
}

export interface Waits {
  live: boolean;
  reason?: string;
  next?: string;
  stage?: string;
  phase?: string;
  phase_done?: number;
  phase_total?: number;
  phase_seconds?: number;
  waits: Wait[];
}

export interface LiveEvent {
  kind: "state" | "step" | "episodes" | "plugin";
  step?: number;
}
