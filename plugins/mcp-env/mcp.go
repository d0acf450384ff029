// Package mcpenv is the environment "mcp": tools of MCP servers by other authors, for agents.
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
				Description: "The tools of MCP servers, over standard input and output or streamable HTTP.",
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

// attributeTruth is the attribute that makes the environment need the ground truth.
const attributeTruth = "ground_truth"

func block() schema.Block {
	return schema.Block{
		Description: "An episode ends with a message without a tool call.",
		Attributes: []schema.Attribute{
			schema.MCPServers("import", "A file with `mcpServers`, in or below the spec's directory. Values in the spec "+
				"override it.").Example("mcp.json").CanResume(),
			schema.Strings("tools", `Tools to offer: patterns "server/tool", or "server" for all its tools. Default: all.`).
				Example([]string{"files/read_*", "search"}),
			schema.Strings("deny", "Tools not to offer, by the same patterns.").Example([]string{"files/write_file"}),
			schema.Bool(attributeTruth, "Allow {{task.private.NAME}}, private fields of tasks, in setup, state, "+
				"and teardown.").Default(false),
			schema.Integer("max_turns", "Maximum assistant messages per episode; 0 means no limit.").Default(0).AtLeast(0),
			schema.Integer("max_result_tokens", "Maximum tokens of a tool result, estimated as 4 bytes each. A "+
				"mark with its size replaces the rest. 0 means no limit.").Default(25_000).Range(0, 16<<20),
			schema.Integer("max_sessions", "Maximum concurrent episodes; 0 means no limit.").Default(0).AtLeast(0).CanResume(),
		},
		Blocks: []schema.NestedBlock{
			{Name: "server", Nesting: schema.Map, Min: 1, Block: serverBlock()},
			callBlock("setup", "A call at the start of each episode. If it fails, the episode fails."),
			callBlock("state", "A call whose result rewards receive as the environment's state.",
				schema.String("name", "Key of the result in the state. Default: the tool, server/tool.").Example("board")),
			callBlock("teardown", "A call at the end of each episode."),
		},
	}
}

func serverBlock() schema.Block {
	return schema.Block{
		Description: "An MCP server: `command` or `url`. The protocol version is detected.",
		Attributes: []schema.Attribute{
			schema.Strings("command", "A server to start, on standard input and output. In command, env, and cwd, "+
				"{{session.dir}} is the session's folder; with warm = 0, {{task.id}}, {{task.NAME}}, "+
				"{{episode.id}}, and {{episode.seed}} are values of the episode.").
				Example([]string{"npx", "-y", "@modelcontextprotocol/server-everything@2026.8.31", "stdio"}),
			schema.StringMap("env", "Environment variables of the server, in addition to PATH, HOME, the locale, and a few "+
				"others."),
			schema.Path("cwd", "Working directory. {{session.dir}} is a private temporary folder of each process, "+
				"or the spec's folder with session = \"shared\".").
				Default("{{session.dir}}"),
			schema.String("url", "URL of a streamable HTTP server.").Example("http://localhost:8000/mcp"),
			schema.StringMap("headers", "Headers of every request."),
			schema.String("session", "`episode`: each episode has its own process, or HTTP session. `shared`: all "+
				"episodes share one, including its state.").Default(sessionEpisode).Enum(sessionEpisode, sessionShared),
			schema.String("session_header", "HTTP header for the episode's id, unique across runs.").Example("SESSION_ID"),
			schema.Integer("warm", "Processes to start in advance.").Default(1).Range(0, 64).CanResume(),
			schema.Integer("min_tools", "Minimum number of listed tools.").Default(1).AtLeast(0),
			schema.Duration("connect_timeout", "Maximum time until it has listed its tools.").Default("2m").CanResume(),
			schema.Duration("call_timeout", "Maximum duration of a call.").Default("10m"),
			schema.Duration("idle_timeout", "Maximum time of a call without a progress notification.").Default("2m"),
		},
	}
}

func callBlock(name, description string, more ...schema.Attribute) schema.NestedBlock {
	return schema.NestedBlock{Name: name, Nesting: schema.List, Block: schema.Block{
		Description: description + " Its tool is not offered to agents.",
		Attributes: append([]schema.Attribute{
			schema.String("tool", "server/tool").Require().Example("desk/reset"),
			{Name: "arguments", Type: schema.TypeAny, Description: "An object. In its strings, {{task.id}}, {{task.NAME}} " +
				"(public fields of the task), {{task.private.NAME}} (with ground_truth), {{episode.id}} (unique across runs), " +
				"and {{episode.seed}} are replaced by values."},
		}, more...),
	}}
}
