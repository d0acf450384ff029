// Package server speaks with MCP servers that others wrote, by github.com/mark3labs/mcp-go: over standard input and
// output or over streamable HTTP, in both eras of the protocol, which it finds out itself.
//
//	conn, err := server.Connect(ctx, server.Config{Name: "files", Command: []string{"mcp-files"}}, "episode-7")
//	conn.Tools()                                     // as the server lists them, schemas byte for byte
//	result, err := conn.Call(ctx, "read", []byte(`{"path":"a.txt"}`))
//	conn.Close()
//
// What a caller has to tell apart, it tells apart:
//
//   - A call that fails is a result with IsError: the tool says so, the server refuses the arguments, or a slow tool
//     exceeds a limit while its server still answers.
//   - A connection that is gone, a server that answers nothing any more, and a session that the server has forgotten
//     are ErrLost.
//   - What a live server answers and nobody can read is a *WrongAnswer.
//
// The package knows nothing of episodes, agents and awhost's plugins.
package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Config says how a server is reached: Command or URL.
type Config struct {
	Name string // for messages

	// Command starts a server that speaks on standard input and output, with Env on top of the few variables that every
	// process gets, in Dir. Folder is private to the connection and removed after its end. Empty: it has none.
	Command []string
	Env     map[string]string
	Dir     string
	Folder  string

	// URL is the endpoint of a server that speaks streamable HTTP. Headers go with every request, SessionHeader with the
	// name of the session; empty: none does.
	URL           string
	Headers       map[string]string
	SessionHeader string

	Connect time.Duration // until the tools are listed
	Call    time.Duration // for one call, whatever happens
	Idle    time.Duration // for one call without a word of progress

	Log *slog.Logger // what a server writes on standard error
}

// Tool is a tool as the server lists it.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // of the arguments, byte for byte
	// Repeatable is a tool that may be called again when nobody knows whether a call arrived: it changes nothing, or the
	// same however often it is called, as its annotations say.
	Repeatable bool
	ReadOnly   bool // it changes nothing
}

// Result is what a call came to.
type Result struct {
	Content    []Content
	Structured json.RawMessage // nil: none
	IsError    bool            // the call failed; Content tells the model why
	Unanswered bool            // the call was given up: nothing came of it within a limit
}

// Kind of a Content.
type Kind string

// The kinds of content.
const (
	Text     Kind = "text"
	Image    Kind = "image"
	Audio    Kind = "audio"
	Resource Kind = "resource" // embedded: Text or Data
	Link     Kind = "resource_link"
)

// Content is one part of a result.
type Content struct {
	Kind     Kind
	Text     string
	Data     []byte
	MIMEType string
	URI      string // of a resource
	Name     string // of a link
}

// ErrLost says that a server, or what it knew of a session, is gone: what was done there is not to be relied on.
var ErrLost = errors.New("the MCP server is gone")

// WrongAnswer is an answer that is none by the protocol.
type WrongAnswer struct {
	Server string
	Method string
	Err    error
}

// Error implements error.
func (e *WrongAnswer) Error() string {
	return fmt.Sprintf("MCP server %q answered %s with what is not MCP: %v", e.Server, e.Method, e.Err)
}

// Unwrap returns what is wrong with the answer.
func (e *WrongAnswer) Unwrap() error { return e.Err }
