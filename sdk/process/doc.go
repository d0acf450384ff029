// Package process manages a child process that cannot hang, leak or outlive its owner unless configured to.
//
// It starts plugin processes for HashiCorp go-plugin, whose own runner can be blocked forever by a stopped child, a
// grandchild that holds a pipe, a long line or an odd log line. It handles processes, pipes, files and go-plugin's
// handshake line. It does not handle gRPC services, specs or restart policies.
//
//	p, err := process.New(process.Config{Name: "plugin calculator", Command: []string{"./calculator"}, SocketDir: dir})
//	client := plugin.NewClient(&plugin.ClientConfig{
//		RunnerFunc:   p.RunnerFunc(),
//		SkipHostEnv:  true,
//		StartTimeout: p.ClientStartTimeout(),
//		// handshake, plugins, TLS
//	})
//	if _, err := client.Client(); err != nil {
//		client.Kill()
//		return p.StartError(err) // one clear message: hung, exited, not a plugin
//	}
//	defer p.Shutdown(ctx, client.Kill)
//
// The lifecycle of a process:
//
//  1. Start gives it its own environment (see Config.PassEnv), its own session and process group, and three plain
//     pipes. Standard input is the lifeline: it ends when the host is gone, for any reason. On Linux the kernel also
//     kills a managed process when the host exits.
//  2. The first line on standard output that looks like a go-plugin handshake goes to go-plugin. The lines before and
//     after it are logged as noise. Both pipes are read until they end, whatever their content.
//  3. Every line of standard error is parsed, logged, and kept in the log file. The last ones stay in memory, so that a
//     crash can be explained.
//  4. When the process ends, the rest of its group is killed, Done closes, and Exit returns the exit status. Done never
//     waits for a pipe that a grandchild still holds.
//  5. Kill sends SIGTERM and SIGCONT to the group, waits for the grace period, and sends SIGKILL. It closes the rest
//     and always returns.
//
// There are two policies. A managed process ends with its host. A detachable one (Config.Detachable) survives it: it
// has no death signal and writes into its log file itself, so that no pipe breaks.
//
// A grandchild in a separate session escapes the group. With a Guard it does not escape: managed processes are then
// children of a guard process, and every orphaned descendant becomes the guard's child.
//
//	guard, err := process.StartGuard(ctx, process.GuardConfig{Command: []string{"/proc/self/exe", "guard"}, Run: id, …})
//	p, err := process.New(process.Config{…, Guard: guard})
//	…                                  // p has ended
//	leftovers, err := guard.Close(ctx) // what had to be ended; the program's "guard" command calls ServeGuard
//
// The guard and the host end processes in these cases:
//
//  1. When the host ends, for any reason, its socket to the guard ends. The guard then kills all its descendants and
//     all processes with the mark of this host, including stopped processes, until none is left. Then it exits.
//  2. When a process ends, the guard kills its group and other processes with its mark, and then notifies the host.
//  3. When the guard exits, the kernel kills its children. The host ends the rest by mark; the next start starts a new
//     guard.
//  4. When both are killed, SweepRun of the next host ends the processes with the mark of a dead host of this run.
//
// A process with AWHOST_DETACHABLE=1 and its descendants are excluded. Detach makes a plugin's command detachable, by
// the id of a launch, and FindMarked and EndLaunch find and end it. docs/explain/adr/0005-guard.md has reasons and
// limits.
//
// Every process carries AWHOST_RUN and AWHOST_INSTANCE in its environment, and AWHOST_MARK if there is a guard.
// Identity and Alive identify a process across restarts of the host and detect a reused pid.
package process
