// Package process manages a child process that cannot hang, leak, or outlive its owner unless configured to do so.
//
// It starts plugin processes for HashiCorp go-plugin, whose own runner can be blocked forever by a stopped child, a
// grandchild that holds a pipe, a long line, or an unusual log line. It handles processes, pipes, files, and
// go-plugin's handshake line. It does not handle gRPC services, specs, or restart policies.
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
//     pipes. Standard input is the lifeline: it is closed when the host exits, for any reason. On Linux, the kernel
//     also kills a managed process when the host exits.
//  2. The first line on standard output that looks like a go-plugin handshake is passed to go-plugin. The lines before
//     and after it are logged as noise. Both pipes are read until they are closed, regardless of their content.
//  3. Every line of standard error is parsed, logged, and kept in the log file. The last lines stay in memory, so that
//     a crash can be explained.
//  4. When the process ends, the rest of its group is killed, Done is closed, and Exit returns the exit status. Done
//     never waits for a pipe that a grandchild still holds.
//  5. Kill sends SIGTERM and SIGCONT to the group, waits for the grace period, and sends SIGKILL. It closes everything
//     else and always returns.
//
// There are two policies. A managed process ends with its host. A detachable process (Config.Detachable) survives its
// host: it has no death signal and writes to its log file itself, so that no pipe breaks.
//
// A grandchild in a separate session is outside the group and escapes. With a Guard, it does not escape: managed
// processes are then children of a guard process, and every orphaned descendant becomes the guard's child.
//
//	guard, err := process.StartGuard(ctx, process.GuardConfig{Command: []string{"/proc/self/exe", "guard"}, Run: id, …})
//	p, err := process.New(process.Config{…, Guard: guard})
//	…                                  // p has ended
//	leftovers, err := guard.Close(ctx) // what had to be ended; the program's "guard" command calls ServeGuard
//
// The guard and the host end processes in these cases:
//
//  1. When the host ends, for any reason, its socket to the guard is closed. The guard then kills all its descendants
//     and all processes with this host's mark, including stopped processes, until none are left. Then it exits.
//  2. When a process ends, the guard kills its group and other processes with its mark and then notifies the host.
//  3. When the guard exits, the kernel kills its children. The host ends the rest by their mark, and the next start
//     starts a new guard.
//  4. When both are killed, SweepRun in the next host ends the processes that carry the mark of a dead host of this
//     run.
//
// A process with AWHOST_DETACHABLE=1 and its descendants are excluded. Detach makes a plugin's command detachable under
// the ID of a launch, and FindMarked and EndLaunch find and end it. docs/explain/adr/0005-guard.md describes reasons
// and limits.
//
// Every process has AWHOST_RUN and AWHOST_INSTANCE in its environment, and AWHOST_MARK if there is a guard. Identity
// and Alive identify a process across host restarts and detect a reused PID.
package process
