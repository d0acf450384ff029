package run

// ExitCode is a code with the name under which docs/cli.md explains it.
type ExitCode struct {
	Number int
	Name   string
}

// The exit codes of awhost.
var (
	ExitOK          = ExitCode{0, "ok"}
	ExitUsage       = ExitCode{1, "usage"}             // wrong spec, flags or data
	ExitChanges     = ExitCode{2, "changes"}           // plan --detailed-exitcode: there is something to do
	ExitFailed      = ExitCode{10, "run_failed"}       //
	ExitGuard       = ExitCode{11, "stopped_by_guard"} // a health check or the circuit breaker
	ExitPlugin      = ExitCode{12, "plugin_failed"}    // a plugin does not start, died too often, or broke the protocol
	ExitStopped     = ExitCode{13, "stopped"}          // on request, after a commit
	ExitAborted     = ExitCode{14, "aborted"}          // on request, at once
	ExitConformance = ExitCode{15, "conformance_failed"}
	ExitLocked      = ExitCode{16, "locked"}    // another process writes the run
	ExitNotReady    = ExitCode{17, "not_ready"} // doctor found what keeps awhost from working
	// ExitNothingTrained is of a run that came to its end, and whose episodes failed so that no step had anything to train.
	ExitNothingTrained = ExitCode{18, "nothing_trained"}
)

// ExitCodes lists them all, for the documentation.
var ExitCodes = []ExitCode{
	ExitOK, ExitUsage, ExitChanges, ExitFailed, ExitGuard, ExitPlugin, ExitStopped, ExitAborted, ExitConformance, ExitLocked, ExitNotReady,
	ExitNothingTrained,
}

// GuardError says that a check stopped the run before it got worse: the trainer's health, or the circuit breaker.
type GuardError struct {
	Reason string
	// Final says that going on from the last commit would end the same way.
	Final bool
}

// Error implements error.
func (e *GuardError) Error() string { return e.Reason }

// NothingTrainedError says that failures left a run nothing to train. Going on with it would change nothing: it is at its end.
type NothingTrainedError struct{ Reason string }

// Error implements error.
func (e *NothingTrainedError) Error() string { return e.Reason }

// PluginError says that the run cannot go on because of a plugin.
type PluginError struct {
	Address string
	Err     error
}

// Error implements error.
func (e *PluginError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *PluginError) Unwrap() error { return e.Err }

var (
	_ error = (*GuardError)(nil)
	_ error = (*NothingTrainedError)(nil)
	_ error = (*PluginError)(nil)
)
