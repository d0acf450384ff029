// The reward itself: it knows configurations and answers, and neither gRPC nor processes.
import Ajv2020 from "ajv/dist/2020.js";
import { RE2JS } from "re2js";

export { description } from "./description.mjs";

const known = ["json_schema", "pattern", "tag", "max_bytes"];

/**
 * linear makes the regular expressions of JSON Schemas RE2's, too, which take linear time, whatever a model writes. Ajv knows compiled
 * ones by their toString.
 */
const linear = Object.assign(
  (source) => {
    const compiled = RE2JS.compile(source);
    return { test: (text) => compiled.matcher(text).find(), toString: () => source };
  },
  { code: "RE2JS" },
);

const ofSchema = (schema) => new Ajv2020({ strict: true, code: { regExp: linear } }).compile(schema);

/**
 * problems says what is wrong with a configuration.
 *
 * @param {Record<string, unknown>} config attributes by name; null is an attribute that is not set
 * @param {Set<string>} unknown attributes that have a value which nobody knows yet
 * @returns {{attribute: string[], summary: string, detail: string}[]} none: it can be used
 */
export function problems(config, unknown = new Set()) {
  const found = [];
  const at = (name, summary, detail) => found.push({ attribute: name ? [name] : [], summary, detail });
  for (const name of Object.keys(config)) {
    if (!known.includes(name)) at(name, "Unknown attribute", `There are ${known.join(", ")}.`);
  }
  for (const name of ["pattern", "tag"]) {
    if (config[name] != null && typeof config[name] !== "string") at(name, "Wrong type", "Write a string.");
  }
  const most = config.max_bytes;
  if (most != null && !(Number.isInteger(most) && most >= 1 && most <= 1 << 20)) at("max_bytes", "Wrong number", "Write a whole number from 1 to 1048576.");
  if (typeof config.tag === "string" && !/^[A-Za-z][\w-]*$/.test(config.tag)) at("tag", "No name of a tag", "Write the name alone, without < and >: answer.");
  if (config.json_schema == null && config.pattern == null && !unknown.has("json_schema") && !unknown.has("pattern")) {
    at("", "Nothing to judge by", "Set json_schema, pattern, or both.");
  }
  attempt(() => config.json_schema != null && ofSchema(config.json_schema), (why) => at("json_schema", "No JSON Schema", why));
  attempt(() => typeof config.pattern === "string" && RE2JS.compile(config.pattern), (why) => at("pattern", "No regular expression", why));
  return found;
}

function attempt(make, complain) {
  try {
    make();
  } catch (error) {
    complain(error.message);
  }
}

/**
 * judge makes the function that scores answers.
 *
 * @param {Record<string, unknown>} config one without problems
 * @returns {(item: {finalAnswer: string}) => {score: number, components: Record<string, number>, isSuccess: boolean}}
 */
export function judge(config) {
  const validate = config.json_schema == null ? null : ofSchema(config.json_schema);
  const pattern = config.pattern == null ? null : RE2JS.compile(config.pattern);
  const most = config.max_bytes ?? 65536;
  return ({ finalAnswer }) => {
    const text = Buffer.byteLength(finalAnswer) > most ? null : select(finalAnswer, config.tag);
    const components = { found: Number(text !== null) };
    if (validate) {
      const parsed = text === null ? undefined : parse(text);
      components.json = Number(parsed !== undefined);
      components.schema = Number(parsed !== undefined && fits(validate, parsed));
    }
    if (pattern) components.pattern = Number(text !== null && pattern.matches(text));
    const score = Math.min(...Object.values(components));
    return { score, components, isSuccess: score === 1 };
  };
}

/** select is the text to judge: null where there is not exactly one. */
function select(answer, tag) {
  if (tag == null) return answer.trim();
  const [before, inner, ...more] = answer.split(`<${tag}>`);
  if (inner === undefined || more.length > 0 || before.includes(`</${tag}>`)) return null;
  const ends = inner.split(`</${tag}>`);
  return ends.length === 2 ? ends[0].trim() : null;
}

/** parse is the JSON value of a text: undefined where it is none. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fits is whether a value satisfies a schema. One that is nested so deeply that a recursive schema overflows the stack does not. */
function fits(validate, value) {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
