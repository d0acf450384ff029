package launch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk/process"
)

const (
	rayInterval = time.Second
	// rayEndWait is how long a job may take to end after Ray has killed it.
	rayEndWait = 15 * time.Second
)

// Ray submits jobs to a Ray cluster through the REST interface of its dashboard. The job's id is its name, which Ray gives
// to one job only: a second submission is refused there, and found here.
//
// Values of Job.Env may name variables of the cluster's machines ($HOME): Ray fills them in.
//
// Source: docs.ray.io, "Ray Jobs REST API"; ray/dashboard/modules/job/{job_head,job_manager,job_supervisor}.py in 2.52.
type Ray struct {
	api        *rayAPI
	workingDir string
	runtimeEnv map[string]any
	gpus       int
	logs       follower
}

// RayOptions are the block "ray".
type RayOptions struct {
	Address    string         `json:"address"`     // URL of the dashboard
	TokenFile  string         `json:"token_file"`  // holds the token of a cluster that requires one
	WorkingDir string         `json:"working_dir"` // URI of a zip that Ray unpacks; empty: the job's folder
	RuntimeEnv map[string]any `json:"runtime_env"` // in addition to env_vars and working_dir
	GPUs       int            `json:"-"`           // reserved for the job's own process
}

// NewRay makes a launcher. Nothing is contacted.
func NewRay(o RayOptions) *Ray {
	return &Ray{
		api:        &rayAPI{address: strings.TrimSuffix(o.Address, "/"), tokenFile: o.TokenFile, client: rayClient()},
		workingDir: o.WorkingDir, runtimeEnv: o.RuntimeEnv, gpus: o.GPUs,
	}
}

// launchKey is the key of the launch's id in a job's metadata.
const launchKey = "awhost_launch"

type raySubmission struct {
	Entrypoint   string            `json:"entrypoint"`
	SubmissionID string            `json:"submission_id"`
	RuntimeEnv   map[string]any    `json:"runtime_env"`
	Metadata     map[string]string `json:"metadata"`
	GPUs         int               `json:"entrypoint_num_gpus,omitempty"`
}

// Start submits a job, or finds the one that was submitted before.
func (r *Ray) Start(ctx context.Context, j Job) (Handle, error) {
	err := r.api.call(ctx, http.MethodPost, "/api/jobs/", r.submission(j), nil)
	if err == nil {
		return r.handle(j), nil
	}
	// Also after an error there may be a job: an earlier life's, or ours, where only the answer was lost.
	h, findErr := r.Find(ctx, j)
	switch {
	case findErr == nil:
		return h, nil
	case errors.Is(findErr, ErrNone), errors.Is(findErr, ErrUnreachable):
		return Handle{}, fmt.Errorf("submit a job to Ray at %s: %w", r.api.address, err)
	}
	return Handle{}, findErr // whatever the first error was, asking again cannot help
}

func (r *Ray) submission(j Job) raySubmission {
	vars := maps.Clone(j.Env)
	if vars == nil {
		vars = map[string]string{}
	}
	vars[process.EnvLaunch] = j.LaunchID
	// Ray's supervisor of the job reads these: an interrupt lets the driver say good-bye to the cluster.
	vars["RAY_JOB_STOP_SIGNAL"] = "SIGINT"
	vars["RAY_JOB_STOP_WAIT_TIME_S"] = strconv.Itoa(max(1, int(j.Patience.Seconds())))
	env := maps.Clone(r.runtimeEnv)
	if env == nil {
		env = map[string]any{}
	}
	env["env_vars"] = vars
	if r.workingDir != "" {
		env["working_dir"] = r.workingDir
	}
	return raySubmission{
		Entrypoint: r.Entrypoint(j), SubmissionID: jobName(j.LaunchID), RuntimeEnv: env, Metadata: map[string]string{launchKey: j.LaunchID},
		GPUs: r.gpus,
	}
}

// Entrypoint is what the shell of Ray's supervisor is given. The shell becomes the driver, so that signals reach it.
func (r *Ray) Entrypoint(j Job) string {
	if r.workingDir != "" {
		return "exec " + quoteAll(j.Argv)
	}
	return "cd " + quote(j.Dir) + " && exec " + quoteAll(j.Argv)
}

// Command says for a plan what Start does.
func (r *Ray) Command(j Job) []string {
	return []string{"POST", r.api.address + "/api/jobs/", "submission_id=" + jobName(j.LaunchID), "entrypoint=" + r.Entrypoint(j)}
}

func (r *Ray) handle(j Job) Handle {
	h := newHandle(KindRay, j)
	h.ID, h.Cluster = jobName(j.LaunchID), r.api.address
	return h
}

// rayJob is what Ray says of a job.
type rayJob struct {
	Status   string            `json:"status"`
	Message  string            `json:"message"`
	ExitCode *int              `json:"driver_exit_code"`
	Metadata map[string]string `json:"metadata"`
}

// Find asks for the launch's job.
func (r *Ray) Find(ctx context.Context, j Job) (Handle, error) {
	h := r.handle(j)
	var found rayJob
	if err := r.api.call(ctx, http.MethodGet, jobPath(h), nil, &found); err != nil {
		return Handle{}, fmt.Errorf("look for the %s: %w", h, err)
	}
	if other := found.Metadata[launchKey]; other != j.LaunchID {
		return Handle{}, fmt.Errorf("look for the %s: it belongs to %q, not to launch %s; delete that job, or use another cluster", h, other, j.LaunchID)
	}
	return h, nil
}

func jobPath(h Handle) string { return "/api/jobs/" + h.ID }

// Status asks how the job is.
func (r *Ray) Status(ctx context.Context, h Handle) (Status, error) {
	var job rayJob
	err := r.at(h).call(ctx, http.MethodGet, jobPath(h), nil, &job)
	if errors.Is(err, ErrNone) {
		return Status{State: Ended, Reason: "Ray knows the job no longer: its cluster was ended, or started anew"}, nil
	}
	if err != nil {
		return Status{}, fmt.Errorf("ask for the %s: %w", h, err)
	}
	switch job.Status {
	case "PENDING":
		return Status{State: Pending, Reason: firstLine(job.Message)}, nil
	case "RUNNING":
		return Status{State: Running}, nil
	case "SUCCEEDED":
		return ended(0, ""), nil
	case "STOPPED", "FAILED":
		return Status{State: Ended, Code: job.ExitCode, Reason: "Ray: " + strings.ToLower(job.Status) + ": " + firstLine(job.Message)}, nil
	}
	return Status{}, fmt.Errorf("ask for the %s: its status %q is none that this awhost knows", h, job.Status)
}

// at is the interface of the cluster that has the job.
func (r *Ray) at(h Handle) *rayAPI {
	if h.Cluster == r.api.address {
		return r.api
	}
	other := *r.api
	other.address = h.Cluster
	return &other
}

// Stop asks Ray to end the job, which sends an interrupt and, after the patience of its start, a kill.
func (r *Ray) Stop(ctx context.Context, h Handle, patience time.Duration) error {
	status := func() (Status, error) { return r.Status(ctx, h) }
	if s, err := status(); err == nil && s.State == Ended {
		return nil
	}
	err := r.at(h).call(ctx, http.MethodPost, jobPath(h)+"/stop", struct{}{}, nil)
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("end the %s: %w", h, err)
	}
	over, err := awaitEnd(ctx, patience+rayEndWait, rayInterval, status)
	if !over {
		return errors.Join(fmt.Errorf("end the %s: it has not ended within %s", h, patience+rayEndWait), err)
	}
	return nil
}

// Logs copies what the job has printed since the last call to the log file.
func (r *Ray) Logs(ctx context.Context, h Handle, last bool) error {
	return r.logs.follow(h.LogFile, last, func() (string, error) {
		var answer struct {
			Logs string `json:"logs"`
		}
		err := r.at(h).call(ctx, http.MethodGet, jobPath(h)+"/logs", nil, &answer)
		return answer.Logs, err
	})
}

// Version asks the cluster for the version of its Ray.
func (r *Ray) Version(ctx context.Context) (string, error) {
	var answer struct {
		RayVersion string `json:"ray_version"`
	}
	err := r.api.call(ctx, http.MethodGet, "/api/version", nil, &answer)
	if err == nil && answer.RayVersion == "" {
		err = errors.New("what answers is no dashboard of Ray")
	}
	if err != nil {
		return "", fmt.Errorf("ask Ray at %s: %w", r.api.address, err)
	}
	return answer.RayVersion, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
