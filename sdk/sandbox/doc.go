// Package sandbox runs a program that may be hostile because it is controlled by a policy that is being trained.
//
//	box, err := sandbox.New(sandbox.Policy{
//		Write: []string{work},                 // its own folders, at the same paths inside
//		Read:  sandbox.Installation(python),   // in addition to the system's files
//		Dial:  []string{"127.0.0.1:40123"},    // the gateway
//	})
//	err = box.Apply(&config)                       // a process.Config
//	p, err := process.New(config)
//	err = p.Start(ctx)
//	box.Started()
//	…
//	<-p.Done()
//	report := box.Close()
//
// The program has its own file system with the system's files to read and its folders to write. It sees no other
// processes, can reach only the addresses in Dial, and has none of the user's rights. The implementation for Linux, by
// file:
//
//	policy.go             the permissions of a program
//	box.go                the owner's view of a sandbox: its start, its end and the reason
//	relay.go              the connections to the addresses of Dial
//	system.go             the readable files of the system
//	installation.go       the files of a program that is installed elsewhere
//	python.go             the same for a Python, which knows its own paths
//	probe.go              the mechanisms of this kernel
//	init_linux.go         process 1 of the sandbox: sets it up, starts the program, reaps, watches, ends everything
//	mounts_linux.go       its file system
//	network_linux.go      its loopback device and the sockets that listen there
//	reset_linux.go        the cleanup before the next user of a program
//	watch_linux.go        the total memory, processes and files of the sandbox
//	cgroup_linux.go       the control group that bounds memory and threads, where this process can create one
//	enter_linux.go        the last steps before the program: rights, landlock, limits, the filter of system calls
//	landlock_linux.go     a second protection of files, abstract sockets and signals
//	seccomp_linux.go      the system calls that no program of a sandbox needs
//
// On systems without namespaces, as in many containers, landlock and the filter confine a program alone, with fewer
// guarantees. Probe reports them.
//
// The owner starts its own executable again as process 1 in new namespaces: a program that imports this package becomes
// process 1 before main runs if its first argument requests this. Process 1 is killed when its owner exits, and the
// kernel then ends everything in the sandbox, including processes that have left their session or cleared their
// environment. Nothing listens outside the sandbox: process 1 opens the sockets for Dial in the sandbox's network and
// passes them to the owner, which accepts connections on them and dials outside.
//
// A program can serve several users in turn through copies of itself (Policy.Reusable, Box.Reset). If anything from the
// previous user remains, the sandbox is not used again.
//
// If the owner is root, the program runs as a user who owns only the program's directories, which are transferred to
// that user. If the owner is an ordinary user, the program runs as that user, without rights to anything that it cannot
// see.
//
// The package does not depend on agents, environments, or hosts.
package sandbox
