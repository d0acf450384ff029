package plugin

import (
	"context"
	"time"

	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Debugged configures how a plugin is started for a debugger. Its process is never considered hung, and its start and
// configuration have no time limit.
type Debugged struct {
	// Wrap returns the command that runs the plugin's command under a debugger. Nil means that the plugin's own command
	// is used.
	Wrap func(command []string) []string
	Env  map[string]string // added to the plugin's environment
	// Line receives the lines that the process writes to its standard output. May be nil.
	Line func(line string)
	// Attach is the address of a plugin that was started separately. Nil means that the host starts it.
	Attach *client.Attachment
	// HostSocket is the host's socket for an attached plugin; see Attachment.Authority.
	HostSocket string
}

// Authority returns the host certificates for the service that an attached plugin calls.
func (d Debugged) Authority(address string) (*mtls.Authority, error) {
	return mtls.LoadAuthority(d.Attach.Dir, address)
}

// unhurried exceeds the time that a user spends at a breakpoint.
const unhurried = 365 * 24 * time.Hour

// debugGrace is how long a debugged process has to end, because it may be stopped at a breakpoint.
const debugGrace = time.Second

// debugged returns the plugin's debugger configuration, if it has one.
func (i *Instance) debugged() (Debugged, bool) {
	d, ok := i.supervisor.config.Debugged[i.block.Address]
	return d, ok
}

// prepareDebugged adapts how a process is started if the plugin is debugged.
func (i *Instance) prepareDebugged(config *client.Config) {
	d, ok := i.debugged()
	if !ok {
		return
	}
	if d.Wrap != nil {
		config.Command = d.Wrap(config.Command)
	}
	config.Env = withEnv(config.Env, d.Env)
	config.StartTimeout, config.GreetTimeout, config.Grace = unhurried, unhurried, debugGrace
	if d.Line != nil {
		config.Line = func(stream, line string) {
			if stream == process.Stdout {
				d.Line(line)
			}
		}
	}
}

// begin starts the process, or attaches to one that was started separately.
func (i *Instance) begin(ctx context.Context, config client.Config) (*client.Plugin, error) {
	if d, ok := i.debugged(); ok && d.Attach != nil {
		return client.Attach(ctx, config, d.Attach)
	}
	return client.Start(ctx, config)
}

// isAttached reports whether the plugin was started separately.
func (i *Instance) isAttached() bool {
	d, _ := i.debugged()
	return d.Attach != nil
}
