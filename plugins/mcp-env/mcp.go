// Package mcpenv is the environment "mcp": it provides agents with tools from MCP servers by other authors.
//
//	environment "mcp" "desk" {
//	  server "files" {
//	    command = ["mcp-files", "/data"]
//	  }
//	  server "search" {
//	    url     = "https://search.example.com/mcp"
//	    headers = { Authorization = "Bearer ${env("SEARCH_TOKEN")}" }
//	  }
//	  tools = ["files/read_*", "search"]
//	}
//
// One file for each part:
//
//	config.go        the block
//	probe.go         information for a plan: running servers, available tools
//	environment.go   episodes: open, step, snapshot, close
//	source.go        a server, and the episodes' connections to it
//	launch.go        per-process settings: placeholders, a private folder
//	session.go       one episode: its connections, its calls
//	content.go       a result in the form for a policy
//	template.go      arguments of the calls that awhost makes itself
//
// internal/server is the client for servers, internal/toolset selects the offered tools. The package does not depend
// on the host, trainers or tokens.
package mcpenv

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// The metrics at the end of an episode.
const (
	metricCalls   = "calls"             // tool calls of the agent
	metricErrors  = "errors"            // failed ones of these
	metricOmitted = "omitted"           // parts of results that a text policy cannot receive
	metricCut     = "truncated_results" // results over max_result_tokens
)

// Plugin describes the plugin: the environment "mcp".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "mcp",
		Version: "0.1.0",
		Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{
				Type:        "mcp",
				Description: "The tools of MCP servers, over standard input and output, streamable HTTP, or HTTP+SSE.",
				Schema:      block(),
				Metrics:     []string{metricCalls, metricErrors, metricOmitted, metricCut},
				Validate:    validate,
				Probe:       probe,
			},
			Capabilities: sdk.EnvironmentCapabilities{
				GroupSafe: true, Snapshot: true, GroundTruthAttribute: attributeTruth,
			},
			New: newEnvironment,
		}},
	}
}

// attributeTruth is the attribute that makes the environment require the ground truth.
const attributeTruth = "ground_truth"

func block() schema.Block {
	return schema.Block{
		Description: "An episode ends with a message without a tool call.",
		Attributes: []schema.Attribute{
			schema.MCPServers("import", "A file with `mcpServers`, in or below the spec's directory. Values in the "+
				"spec override those in the file.").Example("mcp.json").CanResume(),
			schema.Strings("tools", `Tools to offer: patterns "server/tool", or "server" for all its tools. Default: all.`).
				Example([]string{"files/read_*", "search"}),
			schema.Strings("deny", "Tools not to offer, specified with the same "+
				"patterns.").Example([]string{"files/write_file"}),
			schema.Bool(attributeTruth, "Whether to allow {{task.private.NAME}}, private task fields, in setup, "+
				"state, and teardown.").Default(false),
			schema.Integer("max_turns", "Maximum number of assistant messages per episode; 0 means no "+
				"limit.").Default(0).AtLeast(0),
			schema.Integer("max_result_tokens", "Maximum number of tokens in a tool result, estimated at 4 bytes "+
				"per token. The rest is replaced with a marker that states its size. 0 means no "+
				"limit.").Default(25_000).Range(0, 16<<20),
			schema.Integer("max_sessions", "Maximum concurrent episodes; 0 means no limit.").Default(0).AtLeast(0).CanResume(),
		},
		Blocks: []schema.NestedBlock{
			{Name: "server", Nesting: schema.Map, Min: 1, Block: serverBlock()},
			callBlock("setup", "A call at the start of each episode. If it fails, the episode fails."),
			callBlock("state", "A call whose result is passed to rewards as the environment's state.",
				schema.String("name", "Key under which the result is stored in the state. Default: the tool, "+
					"server/tool.").Example("board")),
			callBlock("teardown", "A call at the end of each episode."),
		},
	}
}

func serverBlock() schema.Block {
	return schema.Block{
		Description: "An MCP server, defined by `command` or `url`. The protocol version is detected automatically.",
		Attributes: []schema.Attribute{
			schema.Strings("command", "A server to start, with communication over standard input and output. In "+
				"command, env, and cwd, {{session.dir}} is the session's directory; with warm = 0, {{task.id}}, "+
				"{{task.NAME}}, {{episode.id}}, and {{episode.seed}} are replaced with the episode's values.").
				Example([]string{"npx", "-y", "@modelcontextprotocol/server-everything@2026.8.31", "stdio"}),
			schema.StringMap("env", "Environment variables for the server, in addition to PATH, HOME, the locale, "+
				"and a few others."),
			schema.Path("cwd", "Working directory. {{session.dir}} is a private temporary directory for each "+
				"process, or the spec's directory with session = \"shared\".").
				Default("{{session.dir}}"),
			schema.String("url", "URL of a streamable HTTP server.").Example("http://localhost:8000/mcp"),
			schema.StringMap("headers", "Headers for every request."),
			schema.String("session", "`episode`: each episode has its own process or HTTP session. `shared`: all "+
				"episodes share one process or session, including its "+
				"state.").Default(sessionEpisode).Enum(sessionEpisode, sessionShared),
			schema.String("session_header", "HTTP header for the episode ID, which is unique across "+
				"runs.").Example("SESSION_ID"),
			schema.Integer("warm", "Number of processes to start in advance.").Default(1).Range(0, 64).CanResume(),
			schema.Integer("min_tools", "Minimum number of tools that the server must list.").Default(1).AtLeast(0),
			schema.Duration("connect_timeout", "Maximum time until the server has listed its "+
				"tools.").Default("2m").CanResume(),
			schema.Duration("call_timeout", "Maximum duration of a call.").Default("10m"),
			schema.Duration("idle_timeout", "Maximum time that a call may go without a progress "+
				"notification.").Default("2m"),
		},
	}
}

func callBlock(name, description string, more ...schema.Attribute) schema.NestedBlock {
	return schema.NestedBlock{Name: name, Nesting: schema.List, Block: schema.Block{
		Description: description + " Its tool is not offered to agents.",
		Attributes: append([]schema.Attribute{
			schema.String("tool", "server/tool").Require().Example("desk/reset"),
			{Name: "arguments", Type: schema.TypeAny, Description: "An object. In its strings, {{task.id}}, " +
				"{{task.NAME}} (public fields of the task), {{task.private.NAME}} (with ground_truth), " +
				"{{episode.id}} (unique across runs), and {{episode.seed}} are replaced with their values."},
		}, more...),
	}}
}
