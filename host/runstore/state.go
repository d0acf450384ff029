package runstore

// ProcessState is the system's state of a running process.
type ProcessState string

// The states that matter to processes waiting for it.
const (
	ProcessRuns    ProcessState = "runs"    // or sleeps, as most do most of the time
	ProcessStopped ProcessState = "stopped" // by SIGSTOP, Ctrl-Z or a debugger
	ProcessBlocked ProcessState = "blocked" // in the kernel, for example by a disk that does not respond
)
