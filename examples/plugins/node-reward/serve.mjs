// The process contract of awhost, in the order of the list at the head of plugin.proto, for plugins with rewards.
import { X509Certificate } from "node:crypto";
import { readFileSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import tls from "node:tls";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const maxMessageBytes = 32 << 20; // what a plugin has to take that declares no max_message_bytes

/** Refusal is an answer with a status other than OK. */
class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** log writes a line that the host takes apart: level, text and further fields. */
function log(level, message, fields = {}) {
  const line = { "@level": level, "@message": message, "@timestamp": new Date().toISOString(), ...fields };
  writeSync(2, JSON.stringify(line) + "\n");
}

/**
 * serve serves a plugin until the host is gone.
 *
 * @param {{description: object, problems: Function, judge: Function}} plugin
 */
export async function serve(plugin) {
  process.stdout.write = process.stderr.write.bind(process.stderr); // whatever libraries print: only the handshake goes to stdout
  const socket = path.join(process.env.PLUGIN_UNIX_SOCKET_DIR, `${process.pid}.sock`);
  process.on("exit", () => rmSync(socket, { force: true }));
  process.on("SIGTERM", () => process.exit(0));
  process.stdin.resume().on("close", () => process.exit(0)); // the lifeline

  const { credentials, onlyHost } = identity(process.env.AWHOST_TLS_DIR);
  const server = new grpc.Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
    interceptors: [onlyHost],
  });
  addServices(server, plugin);
  await new Promise((resolve, reject) => server.bindAsync(`unix:${socket}`, credentials, (error) => (error ? reject(error) : resolve())));
  writeSync(1, `1|1|unix|${socket}|grpc|\n`);
}

/**
 * identity is the TLS of this process. Node's TLS takes an authority as its root, and ca.crt would admit all plugins of the host:
 * every call is therefore held to the one certificate of the host.
 */
function identity(dir) {
  const read = (name) => readFileSync(path.join(dir, name));
  tls.DEFAULT_MIN_VERSION = "TLSv1.3";
  const host = new X509Certificate(read("host.crt"));
  const credentials = grpc.ServerCredentials.createSsl(read("ca.crt"), [{ private_key: read("plugin.key"), cert_chain: read("plugin.crt") }], true);
  const onlyHost = (_method, call) =>
    new grpc.ServerInterceptingCall(call, {
      start(next) {
        const peer = call.getAuthContext()?.sslPeerCertificate;
        if (peer && host.raw.equals(peer.raw)) next();
        else call.sendStatus({ code: grpc.status.PERMISSION_DENIED, details: "only the host may call its plugin", metadata: new grpc.Metadata() });
      },
    });
  return { credentials, onlyHost };
}

function addServices(server, plugin) {
  const folder = fileURLToPath(new URL("proto", import.meta.url));
  const files = ["health.proto", "process.proto", "awhost/v1/plugin.proto", "awhost/v1/reward.proto"];
  const loaded = protoLoader.loadSync(files, { includeDirs: [folder], enums: String, longs: String, bytes: Buffer, oneofs: true, defaults: true });
  server.addService(loaded["grpc.health.v1.Health"], {
    Check: unary(({ service }) => {
      if (service !== "" && service !== "plugin") throw new Refusal(grpc.status.NOT_FOUND, `there is no service ${service}`);
      return { status: "SERVING" };
    }),
  });
  server.addService(loaded["plugin.GRPCController"], {
    Shutdown(_call, answer) {
      answer(null, {});
      server.tryShutdown(() => process.exit(0));
      setTimeout(() => process.exit(0), 1000).unref(); // calls that do not end
    },
  });
  server.addService(loaded["awhost.v1.PluginService"], pluginService(plugin));
  server.addService(loaded["awhost.v1.RewardService"], { Score: unary((request, call) => score(plugin, request, call)) });
}

/** unary serves a function of a request. What it throws without being a Refusal is a bug, and told as one. */
function unary(handle) {
  return async (call, answer) => {
    try {
      answer(null, await handle(call.request, call));
    } catch (error) {
      if (error instanceof Refusal) return answer({ code: error.code, details: error.message });
      log("error", error.message, { stack: error.stack });
      answer({ code: grpc.status.INTERNAL, details: error.stack });
    }
  };
}

/** The one component of this process: Configure sets it, once. */
let configured = null;

function pluginService(plugin) {
  return {
    Describe: unary(() => plugin.description),
    ValidateConfig: unary((request) => {
      const config = readConfig(plugin, request);
      const unknown = new Set(request.config?.unknown.map((p) => p.steps[0]));
      return { diagnostics: diagnostics(plugin.problems(config, unknown)) };
    }),
    Configure: unary((request) => {
      if (configured) {
        if (isDeepStrictEqual(configured.request, request)) return {};
        throw new Refusal(grpc.status.FAILED_PRECONDITION, "the process is configured already; start another for another configuration");
      }
      const config = readConfig(plugin, request);
      const found = plugin.problems(config);
      if (found.length > 0) return { diagnostics: diagnostics(found) };
      configured = { request, judge: plugin.judge(config) };
      log("info", "configured", { attributes: Object.keys(config).join(" ") }); // names only: values may be secret
      return {};
    }),
    Stop: (call) => call.end(), // nothing is under way outside of calls
  };
}

/** readConfig is the configuration of a request for a component that there is. */
function readConfig(plugin, { kind, type, config }) {
  if (!plugin.description.components.some((c) => c.kind === kind && c.type === type)) {
    throw new Refusal(grpc.status.NOT_FOUND, `there is no component ${kind} ${type}`);
  }
  const text = config?.json?.toString() || "{}";
  try {
    const value = JSON.parse(text);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
  } catch {
    // said below; the text is not, for it may hold secrets
  }
  throw new Refusal(grpc.status.INVALID_ARGUMENT, `the configuration of ${type} is no JSON object`);
}

const diagnostics = (found) =>
  found.map(({ attribute, summary, detail }) => ({ severity: "SEVERITY_ERROR", summary, detail, attribute: { steps: attribute } }));

/** score judges items one by one, and lets health checks in between. */
async function score(plugin, { items }, call) {
  if (!configured) throw new Refusal(grpc.status.FAILED_PRECONDITION, "Score comes after Configure");
  const results = [];
  for (const item of items) {
    if (call.cancelled) throw new Refusal(grpc.status.CANCELLED, "nobody waits for the scores any more"); // its deadline is over, for example
    results.push({ value: configured.judge(item) });
    await setImmediate();
  }
  return { items: results };
}
