package mcpservers

import (
	"time"

	"github.com/zclconf/go-cty/cty"
)

// as selects how a key is handled.
type as int

const (
	asUnknown   as = iota
	asAttribute    // an attribute of a `server` block
	asCommand
	asArguments // appended to the command
	asTime      // an attribute with a time unit
	asDisabled
	asTransport // checked against command or url
	asNothing   // listed as unused
	asRefused
)

// meaning is the meaning of a key.
type meaning struct {
	as       as
	name     string // name of the attribute
	ty       cty.Type
	unit     time.Duration
	whenTrue bool     // for asDisabled: the value that disables
	remedy   string   // for asRefused
	unless   []string // for asRefused: Problem.Unless
	around   []string // for asRefused: Problem.Around
}

func attribute(name string, ty cty.Type) meaning { return meaning{as: asAttribute, name: name, ty: ty} }

func timeIn(unit time.Duration, name string) meaning {
	return meaning{as: asTime, name: name, unit: unit}
}

func refused(remedy string, unless ...string) meaning {
	return meaning{as: asRefused, remedy: remedy, unless: unless}
}

var (
	texts   = cty.Map(cty.String)
	nothing = meaning{as: asNothing}
	tools   = meaning{as: asRefused, around: []string{"tools", "deny"}, remedy: "list the tools in the environment's " +
		`tools = ["SERVER/TOOL"] or deny = ["SERVER/TOOL"].`}
	signIn = refused(`awhost does not support sign-in. Set headers = { Authorization = "Bearer ${env("TOKEN")}" } in `+
		"the server's block in the spec.", "headers")
)

// keys holds the keys used by AWorld 0.3.2 (aworld/sandbox, `mcp_config`), Claude Desktop and Claude Code, Cursor, VS
// Code, Cline, Windsurf, Gemini CLI, Codex, OpenClaw, opencode, Copilot, Zed and Goose.
var keys = map[string]meaning{
	"command": {as: asCommand}, "cmd": {as: asCommand}, "args": {as: asArguments},
	"env": attribute("env", texts), "envs": attribute("env", texts), "environment": attribute("env", texts),
	"cwd": attribute("cwd", cty.String),
	"url": attribute("url", cty.String), "uri": attribute("url", cty.String),
	"serverUrl": attribute("url", cty.String),
	"httpUrl":   attribute("url", cty.String),
	"headers":   attribute("headers", texts), "http_headers": attribute("headers", texts),

	"timeout":                        timeIn(time.Second, "connect_timeout"),
	"sse_read_timeout":               timeIn(time.Second, "idle_timeout"),
	"client_session_timeout_seconds": timeIn(time.Second, "call_timeout"),
	"startup_timeout_sec":            timeIn(time.Second, "connect_timeout"),
	"startup_timeout_ms":             timeIn(time.Millisecond, "connect_timeout"),
	"tool_timeout_sec":               timeIn(time.Second, "call_timeout"),
	"connectionTimeoutMs":            timeIn(time.Millisecond, "connect_timeout"),
	"requestTimeoutMs":               timeIn(time.Millisecond, "call_timeout"),

	"disabled": {as: asDisabled, whenTrue: true}, "enabled": {as: asDisabled, whenTrue: false},
	"type": {as: asTransport}, "transport": {as: asTransport}, "transportType": {as: asTransport},

	"alwaysAllow": nothing, "autoApprove": nothing, "trust": nothing, "autoStart": nothing, "alwaysLoad": nothing,
	"required": nothing, "description": nothing, "name": nothing, "icon": nothing, "version": nothing, "tags": nothing,
	"gallery": nothing, "metadata": nothing, "dev": nothing, "note": nothing, "comment": nothing, "_comment": nothing,
	"desc": nothing, "encoding": nothing, "source": nothing, "bundled": nothing, "display_name": nothing,

	"includeTools": tools, "excludeTools": tools, "disabledTools": tools, "enabledTools": tools, "enabled_tools": tools,
	"disabled_tools": tools, "available_tools": tools, "tool_actions": tools, "black_tool_actions": tools, "tools": tools,
	"oauth": signIn, "auth": signIn, "headersHelper": signIn, "bearer_token_env_var": signIn,
	"authProviderType": signIn,
	"envFile": refused(`put the variables in a .env file next to the spec, and set env = { NAME = env("NAME") } in the `+
		"server's block in the spec.", "env"),
	"env_vars": refused(`set env = { NAME = env("NAME") } in the server's block in the spec.`, "env"),
	"env_http_headers": refused(`set headers = { NAME = env("NAME") } in the server's block in the spec.`,
		"headers"),
	"sandboxEnabled": refused("awhost does not run servers in a sandbox. Set command in the server's block in the spec "+
		"to the command of the sandbox.", "command"),
}
