// Package sandbox runs a program that may be hostile: one that a policy under training decides about.
//
//	box, err := sandbox.New(sandbox.Policy{
//		Write: []string{work},                 // its own folders, at the same paths inside
//		Read:  sandbox.Installation(python),   // beside the system's files
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
// The program sees a file system of its own, made of the system's files to read and its folders to write; no process
// but its own; a network in which nothing answers but the addresses of Dial; and none of the user's rights. How that is
// done on Linux, one file each:
//
//	policy.go             what a program may have
//	box.go                the sandbox as its owner sees it: started, over, and why
//	relay.go              how the addresses of Dial are reached
//	system.go             which files of the system can be read
//	installation.go       which files belong to a program that is installed elsewhere
//	probe.go              what this kernel gives
//	init_linux.go         process 1 of the sandbox: sets it up, starts the program, reaps, watches, ends everything
//	mounts_linux.go       its file system
//	network_linux.go      its loopback device and the sockets that listen there
//	reset_linux.go        what the next user of a program must not find
//	watch_linux.go        memory, processes and files of all of it together
//	enter_linux.go        the last steps before the program: rights, landlock, limits, the filter of system calls
//	landlock_linux.go     a second fence around files, abstract sockets and signals
//	seccomp_linux.go      the system calls that no program of a sandbox needs
//
// Where the system lets nobody make namespaces, as in many containers, landlock and the filter hold a program by
// themselves, with less: Probe says with what.
//
// The owner starts its own executable again, in new namespaces, as process 1: a program that imports this package
// becomes one when its first argument says so, before main. Process 1 dies with its owner, and with it the kernel ends
// everything in the sandbox, also what has left its session or cleared its environment. Nothing listens outside:
// process 1 opens the sockets of Dial in the network of the sandbox and passes them to the owner, who accepts there and
// dials here.
//
// A program can serve one user after the other by copies of itself (Policy.Again, Box.Reset): who is gone leaves
// nothing to the next one, or the sandbox is not used again.
//
// As root the program runs as a user who owns nothing but its folders, which are handed over to it. An ordinary user's
// program runs as that user, without rights over anything that it cannot see.
//
// The package knows nothing of agents, environments or hosts.
package sandbox
