package run

// ExitCode is an exit code together with the name under which docs/reference/cli.md explains it.
type ExitCode struct {
	Number int
	Name   string
}

// The exit codes of awhost.
var (
	ExitOK          = ExitCode{0, "ok"}
	ExitUsage       = ExitCode{1, "usage"}             // wrong spec, flags or data
	ExitChanges     = ExitCode{2, "changes"}           // plan --detailed-exitcode: there are changes to apply
	ExitFailed      = ExitCode{10, "run_failed"}       //
	ExitGuard       = ExitCode{11, "stopped_by_guard"} // a health check or the circuit breaker
	ExitPlugin      = ExitCode{12, "plugin_failed"}    // a plugin does not start, died too often, or broke the protocol
	ExitStopped     = ExitCode{13, "stopped"}          // on request, after a commit
	ExitAborted     = ExitCode{14, "aborted"}          // on request, at once
	ExitConformance = ExitCode{15, "conformance_failed"}
	ExitLocked      = ExitCode{16, "locked"}    // another process writes the run
	ExitNotReady    = ExitCode{17, "not_ready"} // doctor found a problem that prevents awhost from working
	// ExitNothingTrained is the exit code of a run that ended after failures in its episodes left no step with anything
	// to train.
	ExitNothingTrained = ExitCode{18, "nothing_trained"}
	ExitExpectation    = ExitCode{19, "expectation_failed"} // an expect block or eval --fail-under
)

// ExitCodes lists all exit codes, for the documentation.
var ExitCodes = []ExitCode{
	ExitOK, ExitUsage, ExitChanges, ExitFailed, ExitGuard, ExitPlugin, ExitStopped, ExitAborted, ExitConformance,
	ExitLocked, ExitNotReady,
	ExitNothingTrained, ExitExpectation,
}

// GuardError reports that a check stopped the run: the trainer's health, or the circuit breaker.
type GuardError struct {
	Reason string
	// Final means that resuming from the last commit would end the same way.
	Final bool
}

// Error implements error.
func (e *GuardError) Error() string { return e.Reason }

// NothingTrainedError reports that failures left a run with nothing to train. The run has ended, and resuming it would
// not change anything.
type NothingTrainedError struct{ Reason string }

// Error implements error.
func (e *NothingTrainedError) Error() string { return e.Reason }

// PluginError reports that the run cannot continue because of a plugin.
type PluginError struct {
	Address string
	Err     error
}

// Error implements error.
func (e *PluginError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *PluginError) Unwrap() error { return e.Err }

var (
	_ error = (*GuardError)(nil)
	_ error = (*NothingTrainedError)(nil)
	_ error = (*PluginError)(nil)
)
