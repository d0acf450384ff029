// Package launch starts a trainer so that it outlives us, finds it again, says how it is and ends it: as a detached process
// of this machine (Process), as a job of a Ray cluster (Ray), or as a job of Slurm (Slurm).
//
//	job := launch.Job{LaunchID: "run-1.i1", Argv: argv, Env: env, Dir: dir, LogFile: log}
//	handle, err := launcher.Start(ctx, job)   // a second Start of a launch finds the job of the first
//	status, err := launcher.Status(ctx, handle)
//	err = launcher.Stop(ctx, handle, patience)
//
// A job's name follows from the id of its launch (Name), so that Find can tell whether a launch whose handle was lost has a
// job, and nothing ever starts a second trainer beside the first.
//
// Every call ends by itself. An error that wraps ErrUnreachable says that whoever knows the job did not answer, which says
// nothing about the job: Insist asks again.
//
// Placement and Site are the part of an adapter's block that chooses between them (placement.go, site.go), and Follow
// watches a job (watch.go). The package knows no framework. A job finds awhost by files in Job.Dir, so no secret is in a
// command line, in the environment of a job, or in its metadata.
package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/sdk/process"
)

// Kinds of launchers, as the spec names them.
const (
	KindProcess = "process"
	KindRay     = "ray"
	KindSlurm   = "slurm"
)

// Job is a trainer to be started.
type Job struct {
	LaunchID string
	Argv     []string
	Env      map[string]string // beside what is there anyway where the job runs; PYTHONPATH goes before what is there
	Dir      string            // absolute; on a file system that all machines of the job see
	LogFile  string            // absolute; gets what the job prints
	Patience time.Duration     // between the request to end and the kill
}

// handleFormat is the version of a Handle.
const handleFormat = "awhost.verl.job/1"

// Handle names a started job for good. It is JSON in the record of a launch.
type Handle struct {
	Format  string            `json:"format"`
	Kind    string            `json:"kind"`
	Launch  string            `json:"launch"`
	Dir     string            `json:"dir"`
	LogFile string            `json:"log_file"`
	Process *process.Identity `json:"process,omitempty"` // of a process of this machine
	ID      string            `json:"id,omitempty"`      // Ray's submission id, Slurm's number of the job
	Cluster string            `json:"cluster,omitempty"` // URL of Ray's dashboard; name of the cluster where Slurm has several
}

func newHandle(kind string, j Job) Handle {
	return Handle{Format: handleFormat, Kind: kind, Launch: j.LaunchID, Dir: j.Dir, LogFile: j.LogFile}
}

// Check says whether this package knows the handle.
func (h Handle) Check() error {
	if h.Format != handleFormat {
		return fmt.Errorf("the handle of launch %s has the format %q, this awhost knows %q", h.Launch, h.Format, handleFormat)
	}
	return nil
}

// String names the job for people.
func (h Handle) String() string {
	switch {
	case h.Kind == KindRay:
		return fmt.Sprintf("job %s of Ray at %s", h.ID, h.Cluster)
	case h.Kind == KindSlurm:
		return "Slurm job " + h.ID
	case h.Process != nil:
		return fmt.Sprintf("process %d", h.Process.PID)
	}
	return "launch " + h.Launch
}

// State is how far a job is.
type State int

// The states of a job.
const (
	Pending State = iota // in a queue
	Running
	Ended
)

// Status is what is known of a job.
type Status struct {
	State  State
	Code   *int   // exit status of an ended job; nil: nobody told
	Reason string // why it waits or how it ended, in the words of who knows; may be empty
}

// Succeeded says whether a job is known to have ended well.
func (s Status) Succeeded() bool { return s.State == Ended && s.Code != nil && *s.Code == 0 }

// String says it for people.
func (s Status) String() string {
	switch {
	case s.State == Pending:
		return "waiting" + inParentheses(s.Reason)
	case s.State == Running:
		return "running"
	case s.Code == nil:
		return "an unknown exit status" + inParentheses(s.Reason)
	}
	return fmt.Sprintf("exit status %d", *s.Code) + inParentheses(s.Reason)
}

func inParentheses(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func ended(code int, reason string) Status { return Status{State: Ended, Code: &code, Reason: reason} }

var (
	// ErrNone says that a launch has no job, as far as those can know who are asked.
	ErrNone = errors.New("there is no such job")
	// ErrUnreachable says that nobody answered who knows. The job may go on all the same.
	ErrUnreachable = errors.New("no answer")
)

// maxName bounds the name of a job, in bytes: it becomes part of file names.
const maxName = 80

// jobName is the name of a launch's job. It consists of letters, digits, '-', '_' and '.', and is another for another launch.
func jobName(launchID string) string {
	name := []byte("awhost-" + launchID)
	for i, c := range name {
		if !plain(c) {
			name[i] = '-'
		}
	}
	if string(name) == "awhost-"+launchID && len(name) <= maxName {
		return string(name)
	}
	sum := sha256.Sum256([]byte(launchID))
	return string(name[:min(len(name), maxName-9)]) + "-" + hex.EncodeToString(sum[:4])
}

func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}
