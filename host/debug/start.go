package debug

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/sdk"
)

// Start holds the inputs for starting a plugin under a debugger.
type Start struct {
	Entry *catalog.Entry // of its program
	Dir   string         // for builds and pdb's socket, with mode 0700; the caller removes it
	Wait  bool           // no code of the user runs before a debugger is attached
	// Listening receives the address at which the debugger listens, from another goroutine. A Python debugger reports
	// it in the plugin's log.
	Listening func(Listening)
}

// Listening is a debugger that waits for a connection.
type Listening struct {
	Address  string `json:"address"` // of the block
	Debugger string `json:"debugger" jsonschema:"enum=debugpy,enum=pdb,enum=dlv"`
	Listen   string `json:"listen"` // "127.0.0.1:5678", or the path of pdb's Unix socket
	Waits    bool   `json:"waits"`  // the plugin waits until a debugger is attached
}

// Tool returns the debugger for a target: the one that the target names or, otherwise, the one for the plugin's
// language. The error explains why a debugger is missing.
func (s Start) Tool(t Target) (string, error) {
	has, err := s.languages(t.Address)
	switch {
	case err != nil:
		return "", err
	case t.Tool == "":
		return has[0], nil
	}
	for _, tool := range has {
		if tool == t.Tool {
			return tool, nil
		}
	}
	return "", fmt.Errorf("%s cannot be debugged with %s: its plugin %s supports %s", t.Address, t.Tool,
		s.Entry.Name, strings.Join(has, " or "))
}

// languages returns the debuggers that support the plugin, starting with the default.
func (s Start) languages(address string) ([]string, error) {
	python, golang := []string{Debugpy, PDB}, []string{Delve}
	switch s.Entry.Origin {
	case catalog.OriginPython:
		return python, nil
	case catalog.OriginGo:
		return golang, nil
	case catalog.OriginProgram, catalog.OriginCommand:
		if isGo(s.Entry.Command[0]) {
			return golang, nil
		}
		return python, nil
	}
	if s.Entry.Name == "python" {
		return python, nil
	}
	return nil, fmt.Errorf("%s belongs to the bundled plugin %s, which does not run user code: there is nothing to "+
		"debug", address, s.Entry.Name)
}

func isGo(program string) bool {
	_, err := buildinfo.ReadFile(program)
	return err == nil
}

// Debugged returns the configuration for starting a target's plugin.
func (s Start) Debugged(ctx context.Context, t Target) (plugin.Debugged, error) {
	tool, err := s.Tool(t)
	if err != nil {
		return plugin.Debugged{}, err
	}
	env := map[string]string{sdk.EnvDebug: tool, sdk.EnvDebugListen: t.Listen}
	if tool == PDB {
		env[sdk.EnvDebugListen] = "unix:" + s.Dir // pdb executes all input from a connection
	}
	if s.Wait {
		env[sdk.EnvDebugWait] = "1"
	}
	out := plugin.Debugged{Env: env}
	if tool == Delve {
		err = s.underDelve(ctx, t, &out)
	}
	return out, err
}

// underDelve starts the plugin with Delve. A Go package is rebuilt without the optimizations that hide variables.
func (s Start) underDelve(ctx context.Context, t Target, out *plugin.Debugged) error {
	dlv, err := findDelve()
	if err != nil {
		return err
	}
	build := ""
	if s.Entry.Origin == catalog.OriginGo {
		build = filepath.Join(s.Dir, filepath.Base(s.Entry.Name)+"-"+lastPart(t.Address))
		if err := s.Entry.BuildForDebugger(ctx, build); err != nil {
			return err
		}
	}
	out.Wrap = func(command []string) []string {
		program := command[0]
		if build != "" {
			program = build
		}
		// The plugin exits when its standard input is closed. Delve would replace it with an empty one.
		wrapped := []string{dlv, "exec", "--headless", "--api-version=2", "--accept-multiclient",
			"--listen=" + t.Listen, "-r", "stdin:/dev/stdin"}
		if !s.Wait {
			wrapped = append(wrapped, "--continue")
		}
		return append(append(wrapped, program, "--"), command[1:]...)
	}
	out.Line = func(line string) {
		if _, listen, ok := strings.Cut(line, "API server listening at: "); ok {
			s.Listening(Listening{Address: t.Address, Debugger: Delve, Listen: strings.TrimSpace(listen), Waits: s.Wait})
		}
	}
	return nil
}

// findDelve looks for dlv in PATH and in the directories in which `go install` places programs.
func findDelve() (string, error) {
	if path, err := exec.LookPath(Delve); err == nil {
		return filepath.Abs(path)
	}
	places := []string{os.Getenv("GOBIN")}
	if gopath := os.Getenv("GOPATH"); gopath != "" {
		places = append(places, filepath.Join(filepath.SplitList(gopath)[0], "bin"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		places = append(places, filepath.Join(home, "go", "bin"))
	}
	for _, dir := range places {
		if dir == "" {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, Delve)); err == nil {
			return path, nil
		}
	}
	return "", errors.New("debugging Go plugins requires Delve, but dlv is not in PATH: run go install " +
		"github.com/go-delve/delve/cmd/dlv@latest")
}

// LogListening parses a Python debugger's message in the plugin's log. It returns ok = false for other lines.
func LogListening(address, message string, fields map[string]string, waits bool) (l Listening, stands, ok bool) {
	stands = message == sdk.DebugStands
	if !stands && message != sdk.DebugListens {
		return l, false, false
	}
	if _, _, err := net.SplitHostPort(fields["listen"]); err != nil && !filepath.IsAbs(fields["listen"]) {
		return l, false, false
	}
	return Listening{Address: address, Debugger: fields["debugger"], Listen: fields["listen"],
		Waits: waits || stands}, stands, true
}
