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
		Description: "MCP servers whose tools an agent may call. An episode ends with a message that calls no tool.",
		Attributes: []schema.Attribute{
			schema.MCPServers("import", "a file of servers, `mcpServers`, beside or below the spec; what the spec says of a "+
				"server wins").Example("mcp.json").CanResume(),
			schema.Strings("tools", `what is offered: patterns "server/tool", or "server" for all its tools; default: all`).
				Example([]string{"files/read_*", "search"}),
			schema.Strings("deny", "what is not offered, by the same patterns").Example([]string{"files/write_file"}),
			schema.Bool(attributeTruth, "the environment gets what is private of tasks, for the placeholders "+
				"{{task.private.NAME}} of setup, state and teardown").Default(false),
			schema.Integer("max_turns", "most assistant messages in an episode; 0 means no limit").Default(0).AtLeast(0),
			schema.Integer("max_result_tokens", "most tokens of a tool result, estimated as 4 bytes each; the rest is replaced "+
				"by a mark that states its size; 0 means no limit").Default(25_000).Range(0, 16<<20),
			schema.Integer("max_sessions", "most episodes open at a time; 0 means any number").Default(0).AtLeast(0).CanResume(),
		},
		Blocks: []schema.NestedBlock{
			{Name: "server", Nesting: schema.Map, Min: 1, Block: serverBlock()},
			callBlock("setup", "A call at the start of each episode. One that fails fails the episode."),
			callBlock("state", "A call whose result rewards get as the environment's state.",
				schema.String("name", "what rewards find the result under; default: the tool, server/tool").Example("board")),
			callBlock("teardown", "A call at the end of each episode."),
		},
	}
}

func serverBlock() schema.Block {
	return schema.Block{
		Description: "An MCP server: `command` or `url`. The version of the protocol is found out.",
		Attributes: []schema.Attribute{
			schema.Strings("command", "a server that is started, and speaks on its standard input and output; in it, in env "+
				"and in cwd, {{session.dir}} stands for the session's folder, and with warm = 0 {{task.id}}, {{task.NAME}}, "+
				"{{episode.id}} and {{episode.seed}} for values of the episode").
				Example([]string{"npx", "-y", "@modelcontextprotocol/server-everything@2026.8.31", "stdio"}),
			schema.StringMap("env", "variables for it; beside them it gets PATH, HOME, the locale and little else"),
			schema.Path("cwd", "the directory in which it works; {{session.dir}}: a private folder that each process gets "+
				"and that is removed after its end, or the folder of the spec with session = \"shared\"").
				Default("{{session.dir}}"),
			schema.String("url", "a server that speaks streamable HTTP").Example("http://localhost:8000/mcp"),
			schema.StringMap("headers", "headers of every request"),
			schema.String("session", "episode: each episode has a process of its own, or a session of its own over HTTP; "+
				"shared: all have one, and see what others did there").Default(sessionEpisode).Enum(sessionEpisode, sessionShared),
			schema.String("session_header", "a header that names the episode, over HTTP, with a name that no other "+
				"episode or run has").Example("SESSION_ID"),
			schema.Integer("warm", "processes that are started ahead of need").Default(1).Range(0, 64).CanResume(),
			schema.Integer("min_tools", "fewest tools that it has to list").Default(1).AtLeast(0),
			schema.Duration("connect_timeout", "longest time until it has listed its tools").Default("2m").CanResume(),
			schema.Duration("call_timeout", "longest time of a call").Default("10m"),
			schema.Duration("idle_timeout", "longest time of a call without a word of progress").Default("2m"),
		},
	}
}

func callBlock(name, description string, more ...schema.Attribute) schema.NestedBlock {
	return schema.NestedBlock{Name: name, Nesting: schema.List, Block: schema.Block{
		Description: description + " Its tool is not offered to agents.",
		Attributes: append([]schema.Attribute{
			schema.String("tool", "server/tool").Require().Example("desk/reset"),
			{Name: "arguments", Type: schema.TypeAny, Description: "an object; in its texts " +
				"{{task.id}}, {{task.NAME}} (what is public of the task), {{task.private.NAME}} (with ground_truth), " +
				"{{episode.id}} (unique across runs) and {{episode.seed}} stand for values"},
		}, more...),
	}}
}
