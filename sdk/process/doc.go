// Package process owns a child process that cannot hang, leak or outlive its owner unless told to.
//
// It starts plugin processes for HashiCorp go-plugin, whose own runner can be blocked for ever by a stopped child, a
// grandchild that holds a pipe, a long line or an odd log line. It knows processes, pipes, files and go-plugin's
// handshake line; it knows no gRPC services, no specs and no restart policy.
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
// The life of a process:
//
//  1. Start gives it an environment of its own (see Config.PassEnv), a session and process group of its own, and three
//     plain pipes. Standard input is the lifeline: it ends when the host is gone, however the host went. On Linux the
//     kernel also kills a managed process when the host dies.
//  2. The first line on standard output that looks like a go-plugin handshake goes to go-plugin; the lines before it
//     are logged as noise, the lines after it too. Both pipes are read until they end, whatever comes out of them.
//  3. Every line of standard error is parsed, logged, and kept in the log file; the last ones stay in memory, so that a
//     crash can be explained.
//  4. When the process ends, what is left of its group is killed, Done closes, and Exit says how it ended. Done never
//     waits for a pipe that some grandchild still holds.
//  5. Kill asks the group to end (SIGTERM, SIGCONT), waits for the grace period, and kills the group (SIGKILL). It
//     closes what is left and always returns.
//
// There are two policies. A managed process dies with its host. A detachable one (Config.Detachable) survives it: it
// has no death signal and writes into its log file itself, so that no pipe breaks under it.
//
// A grandchild in a session of its own escapes the group. With a Guard it does not escape: managed processes are then
// children of a guard process, to which every descendant falls that loses its parent.
//
//	guard, err := process.StartGuard(ctx, process.GuardConfig{Command: []string{"/proc/self/exe", "guard"}, Run: id, …})
//	p, err := process.New(process.Config{…, Guard: guard})
//	…                                  // p has ended
//	leftovers, err := guard.Close(ctx) // what had to be ended; the program's "guard" command calls ServeGuard
//
// It ends processes on these occasions:
//
//  1. When the host ends, however it does, its socket to the guard ends, and the guard kills everything that descends
//     from it or carries the mark of this host, stopped processes too, until nothing is left. Then it ends.
//  2. When a process ends, the guard kills its group and what else carries its mark, and then tells the host.
//  3. When the guard dies, the kernel kills its children. The host ends the rest by mark; the next start makes another.
//  4. When both are killed, SweepRun of the next host ends what carries the mark of a dead host of this run.
//
// A process with AWHOST_DETACHABLE=1 is spared, with what descends from it: Detach makes one of a command that a plugin starts, by
// the id of a launch, and FindMarked and EndLaunch find and end it. docs/adr/0005-guard.md has reasons and limits.
//
// Every process carries AWHOST_RUN and AWHOST_INSTANCE in its environment, and AWHOST_MARK if there is a guard. Identity
// and Alive name a process across restarts of the host without mistaking a recycled pid for it.
package process
