//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// debuggersVariable names the folder created by .ci/debuggers: a Python with debugpy, and dlv.
const debuggersVariable = "AWHOST_DEBUGGERS"

// sdkPythonVariable names the Python created by .ci/pysdk, with the Python SDK's dependencies.
const sdkPythonVariable = "AWHOST_SDK_PYTHON"

// The scripts in testdata/script/debuggers stop at breakpoints of real debuggers.
func TestDebuggers(t *testing.T) {
	if os.Getenv(debuggersVariable) == "" {
		t.Skipf("SKIPPED: %s does not name the folder that .ci/debuggers makes", debuggersVariable)
	}
	playScripts(t, glob(t, "testdata/script/debuggers/*.txtar"))
}

// breakAt implements `breakat FILE PLACE NAME=VALUE`. It attaches to the last debugger in FILE, the output of debug
// --json, by the Debug Adapter Protocol. It stops at PLACE, for example exact.py:5, prints the variable NAME, sets it
// to VALUE, and continues.
func breakAt(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 3, "breakat FILE PLACE NAME=VALUE")
	at := debuggerOf(ts, args[0])
	file, text, _ := strings.Cut(args[1], ":")
	name, value, _ := strings.Cut(args[2], "=")
	d, err := dialAdapter(at.Listen)
	ts.Check(err)
	defer d.close()
	before, after, err := d.change(at.Debugger, ts.MkAbs(file), number(ts, text), name, value)
	if err != nil {
		ts.Fatalf("%s at %s: %v", at.Debugger, at.Listen, err)
	}
	_, err = fmt.Fprintf(ts.Stdout(), "%s was %s and is %s\n", name, before, after)
	ts.Check(err)
}

// typeTo implements `typeto FILE LINE...`: it sends lines to the last debugger in FILE, and prints the output.
func typeTo(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 1, "typeto FILE LINE...")
	conn, err := net.Dial("unix", debuggerOf(ts, args[0]).Listen)
	ts.Check(err)
	defer conn.Close()
	ts.Check(conn.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(conn, strings.Join(args[1:], "\n")+"\n")
	ts.Check(err)
	_, err = io.Copy(ts.Stdout(), conn)
	ts.Check(err)
}

// debuggerOf returns the last debugger in the output of debug --json.
func debuggerOf(ts *testscript.TestScript, file string) (at struct{ Debugger, Listen string }) {
	for _, line := range lines(ts.ReadFile(file)) {
		if strings.Contains(line, `"type":"debugger"`) {
			ts.Check(json.Unmarshal([]byte(line), &at))
		}
	}
	return at
}

// adapter is a client of the Debug Adapter Protocol.
type adapter struct {
	conn   net.Conn
	in     *bufio.Reader
	last   int
	events []adapterMessage // unread events
}

// adapterMessage is an answer or an event.
type adapterMessage struct {
	Type       string          `json:"type"`
	Event      string          `json:"event"`
	RequestSeq int             `json:"request_seq"`
	Success    bool            `json:"success"`
	Message    string          `json:"message"`
	Body       json.RawMessage `json:"body"`
}

func dialAdapter(address string) (*adapter, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	d := &adapter{conn: conn, in: bufio.NewReader(conn)}
	return d, conn.SetDeadline(time.Now().Add(patience))
}

func (d *adapter) close() { _ = d.conn.Close() }

func (d *adapter) send(command string, arguments any) (int, error) {
	d.last++
	text, err := json.Marshal(
		map[string]any{"seq": d.last, "type": "request", "command": command, "arguments": arguments},
	)
	if err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(d.conn, "Content-Length: %d\r\n\r\n%s", len(text), text)
	return d.last, err
}

func (d *adapter) read() (adapterMessage, error) {
	var m adapterMessage
	header, err := textproto.NewReader(d.in).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return m, err
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(d.in, text); err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

// answer waits for the answer to a request, and decodes it.
func (d *adapter) answer(seq int, into any) error {
	for {
		m, err := d.read()
		switch {
		case err != nil:
			return fmt.Errorf("wait for an answer: %w", err)
		case m.Type == "event":
			d.events = append(d.events, m)
		case m.Type == "response" && m.RequestSeq == seq && !m.Success:
			return fmt.Errorf("refused: %s %s", m.Message, m.Body)
		case m.Type == "response" && m.RequestSeq == seq && into == nil:
			return nil
		case m.Type == "response" && m.RequestSeq == seq:
			return json.Unmarshal(m.Body, into)
		}
	}
}

func (d *adapter) ask(command string, arguments, into any) error {
	seq, err := d.send(command, arguments)
	if err == nil {
		err = d.answer(seq, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

// event waits for an event.
func (d *adapter) event(name string, into any) error {
	for {
		for i, m := range d.events {
			if m.Event != name {
				continue
			}
			d.events = append(d.events[:i:i], d.events[i+1:]...)
			if into == nil {
				return nil
			}
			return json.Unmarshal(m.Body, into)
		}
		m, err := d.read()
		if err != nil {
			return fmt.Errorf("wait for %s: %w", name, err)
		}
		if m.Type == "event" {
			d.events = append(d.events, m)
		}
	}
}

// change attaches, stops at a line, changes a variable there, and continues without the breakpoint.
func (d *adapter) change(debugger, file string, line int, name, value string) (before, after string, err error) {
	if err := d.attach(debugger, file, line); err != nil {
		return "", "", err
	}
	var stopped struct {
		Reason   string `json:"reason"`
		ThreadID int    `json:"threadId"`
	}
	for stopped.Reason != "breakpoint" {
		if err := d.event("stopped", &stopped); err != nil {
			return "", "", err
		}
		if stopped.Reason == "entry" {
			if err := d.ask("continue", map[string]int{"threadId": stopped.ThreadID}, nil); err != nil {
				return "", "", err
			}
		}
	}
	scope, err := d.scope(stopped.ThreadID, file, line)
	if err != nil {
		return "", "", err
	}
	if before, err = d.variable(scope, name); err != nil {
		return "", "", err
	}
	if err := d.ask("setVariable", map[string]any{"variablesReference": scope, "name": name, "value": value},
		nil); err != nil {
		return "", "", err
	}
	if scope, err = d.scope(stopped.ThreadID, file, line); err != nil { // dlv answers for the old one from memory
		return "", "", err
	}
	if after, err = d.variable(scope, name); err != nil {
		return "", "", err
	}
	if err := d.breakpoints(file); err != nil {
		return "", "", err
	}
	if err := d.ask("continue", map[string]int{"threadId": stopped.ThreadID}, nil); err != nil {
		return "", "", err
	}
	return before, after, d.ask("disconnect", map[string]bool{"terminateDebuggee": false}, nil)
}

// attach connects to the program, which then continues with a breakpoint.
func (d *adapter) attach(debugger, file string, line int) error {
	hello := map[string]any{
		"adapterID":       debugger,
		"linesStartAt1":   true,
		"columnsStartAt1": true,
		"pathFormat":      "path",
	}
	if err := d.ask("initialize", hello, nil); err != nil {
		return err
	}
	// Some debuggers answer it only after the configuration.
	if _, err := d.send("attach", map[string]any{"mode": "remote", "justMyCode": true}); err != nil {
		return err
	}
	if err := d.event("initialized", nil); err != nil {
		return err
	}
	if err := d.breakpoints(file, line); err != nil {
		return err
	}
	return d.ask("configurationDone", map[string]any{}, nil)
}

func (d *adapter) breakpoints(file string, at ...int) error {
	points := []map[string]int{}
	for _, line := range at {
		points = append(points, map[string]int{"line": line})
	}
	var out struct {
		Breakpoints []struct {
			Verified bool   `json:"verified"`
			Message  string `json:"message"`
		} `json:"breakpoints"`
	}
	err := d.ask("setBreakpoints", map[string]any{
		"source": map[string]string{"path": file, "name": filepath.Base(file)}, "breakpoints": points,
	}, &out)
	if err == nil && len(out.Breakpoints) != len(at) {
		err = fmt.Errorf("%d breakpoints of %d", len(out.Breakpoints), len(at))
	}
	for i, b := range out.Breakpoints {
		if err == nil && !b.Verified {
			err = fmt.Errorf("no program stops at %s:%d: %s", file, at[i], b.Message)
		}
	}
	return err
}

// scope returns the reference of the variables of the frame at the line.
func (d *adapter) scope(thread int, file string, line int) (int, error) {
	var stack struct {
		StackFrames []struct {
			ID     int `json:"id"`
			Line   int `json:"line"`
			Source struct {
				Path string `json:"path"`
			} `json:"source"`
		} `json:"stackFrames"`
	}
	if err := d.ask("stackTrace", map[string]int{"threadId": thread, "levels": 20}, &stack); err != nil {
		return 0, err
	}
	if len(stack.StackFrames) == 0 || stack.StackFrames[0].Line != line ||
		filepath.Base(stack.StackFrames[0].Source.Path) != filepath.Base(file) {
		return 0, fmt.Errorf("it stands elsewhere: %v", stack.StackFrames)
	}
	var scopes struct {
		Scopes []struct {
			VariablesReference int `json:"variablesReference"`
		} `json:"scopes"`
	}
	if err := d.ask("scopes", map[string]int{"frameId": stack.StackFrames[0].ID}, &scopes); err != nil {
		return 0, err
	}
	if len(scopes.Scopes) == 0 {
		return 0, fmt.Errorf("the frame has no variables")
	}
	return scopes.Scopes[0].VariablesReference, nil
}

func (d *adapter) variable(scope int, name string) (string, error) {
	var out struct {
		Variables []struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"variables"`
	}
	if err := d.ask("variables", map[string]int{"variablesReference": scope}, &out); err != nil {
		return "", err
	}
	for _, v := range out.Variables {
		if v.Name == name {
			return v.Value, nil
		}
	}
	return "", fmt.Errorf("there is no variable %s: %v", name, out.Variables)
}
