package plugin

import (
	"context"
	"time"

	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Debugged says how a plugin is started that a debugger is to be attached to. Its process is never taken for hung,
// and may take any time to start and to be configured.
type Debugged struct {
	// Wrap is the command that starts the plugin's under a debugger; nil: the plugin's own.
	Wrap func(command []string) []string
	Env  map[string]string // beside the plugin's own
	// Line hears what the process writes to its standard output; nil: nobody does.
	Line func(line string)
	// Attach is where the plugin waits that was started elsewhere; nil: it is started here.
	Attach *client.Attachment
	// HostSocket is where an attached plugin finds the host; see Attachment.Authority.
	HostSocket string
}

// Authority is the host's own, for the service that an attached plugin calls.
func (d Debugged) Authority(address string) (*mtls.Authority, error) {
	return mtls.LoadAuthority(d.Attach.Dir, address)
}

// unhurried is longer than anybody stands at a breakpoint.
const unhurried = 365 * 24 * time.Hour

// debugGrace is how long a debugged process may take to end: it may stand still for good.
const debugGrace = time.Second

// debugged reports whether the plugin is debugged, and how.
func (i *Instance) debugged() (Debugged, bool) {
	d, ok := i.supervisor.config.Debugged[i.block.Address]
	return d, ok
}

// prepareDebugged changes how a process is started, where the plugin is debugged.
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

// begin starts the process, or finds the one that waits elsewhere.
func (i *Instance) begin(ctx context.Context, config client.Config) (*client.Plugin, error) {
	if d, ok := i.debugged(); ok && d.Attach != nil {
		return client.Attach(ctx, config, d.Attach)
	}
	return client.Start(ctx, config)
}

// isAttached reports whether the plugin was started elsewhere.
func (i *Instance) isAttached() bool {
	d, _ := i.debugged()
	return d.Attach != nil
}
