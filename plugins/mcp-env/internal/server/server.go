// Package server is a client for MCP servers by other authors, based on github.com/mark3labs/mcp-go: over standard
// input and output, over streamable HTTP, or over HTTP+SSE, in both eras of the protocol. It detects era and transport.
//
//	conn, err := server.Connect(ctx, server.Config{Name: "files", Command: []string{"mcp-files"}}, "episode-7")
//	conn.Tools()                                     // as the server lists them, schemas byte for byte
//	result, err := conn.Call(ctx, "read", []byte(`{"path":"a.txt"}`))
//	conn.Close()
//
// A caller can distinguish these failures:
//
//   - A failed call is a result with IsError: the tool reports an error, the server refuses the arguments, or a slow
//     tool exceeds a limit while its server still answers.
//   - A broken connection, a server that no longer answers, and a session that the server no longer has are ErrLost.
//   - An unreadable answer of a running server is a *WrongAnswer.
//
// The package does not depend on episodes, agents or awhost's plugins.
package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Config describes the connection to a server, given by either Command or URL.
type Config struct {
	Name string // for messages

	// Command starts a server in Dir that communicates over standard input and output, with Env added to the few
	// variables that every process receives. Folder is private to the connection and is removed after the connection
	// ends. Empty: no folder.
	Command []string
	Env     map[string]string
	Dir     string
	Folder  string

	// URL is the endpoint of an HTTP server. Headers are sent with every request, and SessionHeader is sent
	// with the name of the session. Empty: not sent.
	URL           string
	Headers       map[string]string
	SessionHeader string

	Connect time.Duration // until the tools are listed
	Call    time.Duration // limit of one call
	Idle    time.Duration // limit of one call without progress

	Log *slog.Logger // receives a server's standard error
}

// Tool is a tool as listed by the server.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // of the arguments, byte for byte
	// Repeatable marks a tool that may be called again if it is unknown whether a call arrived: according to its
	// annotations, it changes nothing or has the same effect no matter how often it is called.
	Repeatable bool
	ReadOnly   bool // it changes nothing
}

// Result is the result of a call.
type Result struct {
	Content    []Content
	Structured json.RawMessage // nil: none
	IsError    bool            // the call failed; Content explains it to the model
	Unanswered bool            // the call was canceled: no result within a limit
}

// Kind is the kind of a Content.
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
	URI      string // for a resource
	Name     string // for a link
}

// ErrLost reports that a server, or the state that it held for a session, has been lost. Effects of earlier calls
// cannot be relied on.
var ErrLost = errors.New("the MCP server is gone")

// WrongAnswer reports a response that violates the protocol.
type WrongAnswer struct {
	Server string
	Method string
	Err    error
}

// Error implements error.
func (e *WrongAnswer) Error() string {
	return fmt.Sprintf("MCP server %q answered %s with what is not MCP: %v", e.Server, e.Method, e.Err)
}

// Unwrap returns the mistake found in the response.
func (e *WrongAnswer) Unwrap() error { return e.Err }
