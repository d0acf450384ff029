package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk/placeholder"
	"github.com/awhost/awhost/sdk/schema"
)

// Server is a server that awhost starts once per run for an environment, as declared by `start` in its block.
type Server struct {
	Address  string            `json:"-"` // address of the environment
	Command  []string          `json:"command"`
	Env      map[string]string `json:"env"`
	Dir      string            `json:"cwd"`       // absolute
	ReadyLog string            `json:"ready_log"` // an output line containing this text marks the server as ready
	ReadyURL string            `json:"ready_url"` // responds once the server is ready
	Health   string            `json:"health"`    // responds while the server is healthy; empty: ReadyURL
	Stop     []string          `json:"stop"`      // a command that stops processes that Command left running
	ViewURL  string            `json:"view_url"`  // for users to watch
	Timeout  time.Duration     `json:"-"`         // until the server is ready

	// Connection is the channel to which the command writes its connection details; if empty, it prints none.
	Connection string `json:"connection"`
	// Details lists the names of the connection details for which the block has placeholders, such as "url" or
	// "servers.0.token".
	Details []string `json:"-"`
}

// connectionStdout is the value of Server.Connection for a command that prints a JSON object.
const connectionStdout = "stdout"

// connectionName is the prefix of placeholders for a server's connection details.
const connectionName = "connection."

// StartBlock is the name of a block that every environment may have in addition to its plugin's schema.
const StartBlock = "start"

var startSchema = schema.NestedBlock{Name: StartBlock, Nesting: schema.Single, Block: schema.Block{
	Description: "A server that awhost starts once per run, monitors, restarts if it exits, and stops.",
	Attributes: []schema.Attribute{
		schema.Strings("command", "A program that serves until it is terminated, or that starts containers and "+
			"exits with 0. Its child processes end with it.").Require().Example([]string{"sh", "run-local.sh"}),
		schema.StringMap("env", "Environment variables for the server, in addition to PATH, HOME, the locale, and a "+
			"few others."),
		schema.Path("cwd", "Working directory.").Default("."),
		schema.String("ready_log", "Text in an output line that marks the server as ready.").
			Example("Start mcp server success"),
		schema.String("ready_url", "URL that responds with a status below 500 when the server is ready. A server "+
			"that already responds is used as it is and not stopped.").
			Example("http://localhost:8000/health"),
		schema.String("health", "URL for health checks. Default: `ready_url`.").CanResume(),
		schema.Strings("stop", "A command that stops what `command` leaves running. If awhost was killed, this "+
			"command runs at the start of the next run.").Example([]string{"docker", "compose", "down"}),
		schema.String("view_url", "URL to show to users once the server is ready.").CanResume(),
		schema.String("connection", "With `stdout`, the command prints a JSON object whose values replace "+
			"{{connection.NAME}} in the environment's block, `ready_url`, `health`, and "+
			"`view_url`.").Enum(connectionStdout),
		schema.Duration("timeout", "Maximum time until the server is ready.").Default("5m").CanResume(),
	},
}}

// takeServer removes `start` from an environment plugin's configuration.
func (d *decoder) takeServer(b *Block, decoded *body) {
	found := decoded.blocks[StartBlock]
	if len(found) == 0 {
		return
	}
	var config struct {
		Start struct {
			Server
			Timeout string `json:"timeout"`
		} `json:"start"`
	}
	if err := json.Unmarshal(b.Config, &config); err != nil {
		d.fail(found[0].header, "Invalid block", asSentence(err.Error())) // accepted by the schema
		return
	}
	server := &config.Start.Server
	server.Address = b.Address
	server.Timeout, _ = time.ParseDuration(config.Start.Timeout) // accepted by the schema
	if server.Health == "" {
		server.Health = server.ReadyURL
	}
	b.Server = server
	b.Config = removeAt(b.Config, [][]string{{StartBlock}})
	server.Details = detailsIn(parseCanonical(b.Config), server.ReadyURL, server.Health, server.ViewURL)
	d.checkServer(server, found[0])
}

// detailsIn returns the names of the connection details that the strings in values refer to.
func detailsIn(values ...any) []string {
	var out []string
	for _, name := range placeholder.Names(values) {
		if detail, ok := strings.CutPrefix(name, connectionName); ok && detail != "" {
			out = append(out, detail)
		}
	}
	slices.Sort(out)
	return out
}

// Connected returns the server and its environment's configuration, with the server's connection details filled in.
func (s *Server) Connected(config, details json.RawMessage) (*Server, json.RawMessage, error) {
	if len(s.Details) == 0 {
		return s, config, nil
	}
	var told any
	if err := placeholder.Decode(details, &told); err != nil {
		return nil, nil, fmt.Errorf("read connection details: %w", err)
	}
	value := func(name string) (any, error) {
		detail, ok := strings.CutPrefix(name, connectionName)
		if !ok {
			return "{{" + name + "}}", nil // a placeholder of another owner
		}
		v, ok := placeholder.Lookup(told, detail)
		if !ok {
			return nil, fmt.Errorf("{{%s}}: the server did not report %s", name, detail)
		}
		return placeholder.Text(v), nil // the block's value there is a string, such as the value of a header
	}
	filled, err := placeholder.Fill(parseCanonical(config), value)
	if err != nil {
		return nil, nil, err
	}
	connected := *s
	for _, url := range []*string{&connected.ReadyURL, &connected.Health, &connected.ViewURL} {
		v, err := placeholder.Fill(*url, value)
		if err != nil {
			return nil, nil, err
		}
		*url = fmt.Sprint(v)
	}
	return &connected, mustJSON(filled), nil
}

func (d *decoder) checkServer(s *Server, b *body) {
	if len(s.Command) == 0 || s.Command[0] == "" {
		d.fail(b.header, "Missing command", "command is empty. Give a program.")
	}
	if s.ReadyLog == "" && s.ReadyURL == "" && s.Connection == "" {
		d.fail(b.header, "No readiness check",
			"Set ready_url, a URL that responds once the server is ready, or ready_log, a text that it then prints.")
	}
	d.checkConnection(s, b)
	d.checkURLs(s, b)
	if s.Timeout <= 0 {
		d.fail(b.header, "Invalid timeout", "timeout must be greater than 0.")
	}
}

// checkConnection checks that the printed connection details are used and that all details that are used are printed.
func (d *decoder) checkConnection(s *Server, b *body) {
	switch {
	case s.Connection != "" && len(s.Details) == 0:
		d.fail(b.attrs["connection"].where, "Unused connection", "Use {{connection.NAME}} to insert a value of the "+
			"JSON object that the command prints, such as url = \"{{connection.url}}\", or remove connection.")
	case s.Connection == "" && len(s.Details) > 0:
		d.fail(b.header, "Missing connection", fmt.Sprintf("{{connection.%s}} refers to a value that "+
			"the command prints. Add connection = %q.", s.Details[0], connectionStdout))
	}
	for name, texts := range map[string][]string{
		"command": s.Command, "env": slices.Collect(maps.Values(s.Env)), "stop": s.Stop,
		"cwd": {s.Dir}, "ready_log": {s.ReadyLog},
	} {
		if found := detailsIn(strings.Join(texts, "\n")); len(found) > 0 && b.wrote(name) {
			d.fail(b.attrs[name].where, "Unsupported placeholder", fmt.Sprintf("{{connection.%s}} is not replaced in "+
				"%s. Use it in ready_url, health, and view_url, or outside of start.", found[0], name))
		}
	}
}

func (d *decoder) checkURLs(s *Server, b *body) {
	for name, text := range map[string]string{"ready_url": s.ReadyURL, "health": s.Health, "view_url": s.ViewURL} {
		if len(detailsIn(text)) > 0 {
			continue
		}
		if u, err := url.Parse(text); text != "" && b.wrote(name) && (err != nil || u.Host == "") {
			d.fail(b.attrs[name].where, "Invalid URL", fmt.Sprintf("%s must be a URL such as http://localhost:8000/health.",
				name))
		}
	}
}
