package commandplugin

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/sandbox"
)

// sandboxNoneRemedy is the remedy if no sandbox is available.
const sandboxNoneRemedy = "To run the program without a sandbox, with your permissions and under the control of the " +
	"policy, write sandbox = \"none\"."

func (c *config) sandboxed() bool { return c.Sandbox != sandboxNone }

// checkSandbox reports sandbox attributes without a sandbox, and values that no sandbox supports.
func (c *config) checkSandbox() []sdk.Diagnostic {
	var out []sdk.Diagnostic
	for _, path := range c.Read {
		if !filepath.IsAbs(path) || filepath.Clean(path) == "/" {
			out = append(
				out,
				wrong("read", "Files that cannot be shown", "%q is not the absolute path of a file or a folder.", path),
			)
		}
	}
	for _, address := range c.Connect {
		if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().IsLoopback() || at.Port() == 0 {
			out = append(out, wrong("connect", "Address outside", "%q is not an address of the loopback device: write "+
				"127.0.0.1:PORT.", address))
		}
	}
	if !c.sandboxed() && (len(c.Read) > 0 || len(c.Connect) > 0 || c.DiskBytes > 0) {
		out = append(out, wrong("sandbox", "Sandbox settings without a sandbox",
			"read, connect and disk_bytes configure "+
				"the sandbox of a program: with sandbox = %q everything is allowed.", sandboxNone))
	}
	return out
}

// describeSandbox describes what the program can access.
func (c *config) describeSandbox() sdk.Diagnostic {
	name := filepath.Base(c.Command[0])
	if !c.sandboxed() {
		return note("no sandbox: %s runs as you, may read and write your files and use your network, and the policy decides "+
			"what it does. Its environment, home and working directory are its own", name)
	}
	s := sandbox.Probe()
	if s.Missing != "" {
		return wrong("sandbox", "No sandbox on this machine", "%s %s", s.Missing, sandboxNoneRemedy)
	}
	return note(
		"sandbox: %s writes nothing but its own folders, reads the system and what it is installed in, and connects "+
			"to nothing but the policy and its tools (%s)",
		name,
		s,
	)
}

// needSandbox returns an error before the first episode if no sandbox is available, and logs the protections that the
// available sandbox lacks.
func (c *config) needSandbox(log *slog.Logger) error {
	if !c.sandboxed() {
		return nil
	}
	s := sandbox.Probe()
	if s.Missing != "" {
		return &sdk.ConfigError{Diagnostics: []sdk.Diagnostic{c.describeSandbox()}}
	}
	if len(s.Weak) > 0 {
		log.Warn("the sandbox of programs is without " + strings.Join(s.Weak, ", "))
	}
	return nil
}

// policy returns what a program may access, or nil without a sandbox.
func (p *episode) policy(program string, env map[string]string) (*sandbox.Policy, error) {
	c, f := p.config, p.folders
	if !c.sandboxed() {
		return nil, nil
	}
	out := &sandbox.Policy{
		Write: []string{f.work, f.home, f.tmp}, ReadOwned: []string{f.own}, Dial: append([]string(nil), c.Connect...),
		Limits: sandbox.Limits{Processes: c.Processes, MemoryBytes: c.MemoryBytes, DiskBytes: c.DiskBytes},
	}
	for _, path := range append(sandbox.Installation(program, env["PATH"]), c.Read...) {
		if !within(path, f.root) {
			out.Read = append(out.Read, path)
		}
	}
	for _, name := range []string{"base_url", "mcp_url"} {
		if p.placeholders.values[name] == "" {
			continue
		}
		address, err := loopback(p.placeholders.values[name])
		if err != nil {
			return nil, err
		}
		if len(out.Dial) == 0 || out.Dial[len(out.Dial)-1] != address {
			out.Dial = append(out.Dial, address)
		}
	}
	return out, nil
}

func within(path, folder string) bool {
	name, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(name)
}

// loopback returns the address of a server on this machine.
func loopback(raw string) (string, error) {
	at, err := url.Parse(raw)
	if err != nil {
		return "", err
	}
	address, err := netip.ParseAddrPort(at.Host)
	if err != nil || !address.Addr().IsLoopback() {
		return "", fail("the policy is at %s, which is not a port of the loopback device: a sandbox cannot let the "+
			"program "+
			"connect to it. %s", raw, sandboxNoneRemedy)
	}
	return address.String(), nil
}

// launch starts a program, in its sandbox if it has one.
func (p *program) launch(ctx context.Context, config process.Config) (*process.Process, *sandbox.Box, error) {
	var box *sandbox.Box
	if p.policy != nil {
		var err error
		if box, err = sandbox.New(*p.policy); err != nil {
			return nil, nil, err
		}
		if err := box.Apply(&config); err != nil {
			box.Close()
			return nil, nil, err
		}
	}
	running, err := process.New(config)
	if err == nil {
		err = running.Start(ctx)
	}
	switch {
	case box == nil:
	case err != nil:
		box.Close()
	default:
		box.Started()
	}
	return running, box, err
}

// readReport obtains the way in which the program ended, or a failure, from the sandbox's report.
func (e *end) readReport(box *sandbox.Box) error {
	if box == nil {
		return nil
	}
	report := box.Close()
	if report.Failure != "" {
		return fmt.Errorf("%s. List the required files in read", report.Failure)
	}
	if report.Ended {
		exit := *e.exit
		exit.Code, exit.Signal = report.Code, report.Signal
		e.exit = &exit
	}
	if report.Excess != "" && e.stopped == "" {
		e.stopped = report.Excess
	}
	return nil
}
