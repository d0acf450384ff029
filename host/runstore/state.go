package runstore

// ProcessState is a running process's state according to the system.
type ProcessState string

// The states that matter to processes waiting for it.
const (
	ProcessRuns    ProcessState = "runs"    // or sleeps, as most do most of the time
	ProcessStopped ProcessState = "stopped" // by SIGSTOP, Ctrl-Z or a debugger
	ProcessBlocked ProcessState = "blocked" // in the kernel, for example by a disk that does not respond
)
