package runstore

// ProcessState is what the system says of a process that lives.
type ProcessState string

// The states that make a difference to who waits for it.
const (
	ProcessRuns    ProcessState = "runs"    // or sleeps, as most do most of the time
	ProcessStopped ProcessState = "stopped" // by SIGSTOP, Ctrl-Z or a debugger
	ProcessBlocked ProcessState = "blocked" // in the kernel, as on a disk that does not answer
)
