package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk/process"
)

// Slurm submits jobs with sbatch. A job's script writes down, beside the run, its number when it begins and its exit status
// when it ends: accounting is off on many clusters, and the controller forgets ended jobs after minutes.
//
// Two jobs of one launch cannot both train: the script of the second finds the mark of the first and ends.
type Slurm struct {
	options  SlurmOptions
	run      runner
	interval time.Duration // between looks at a job that is being ended
}

// SlurmOptions are the block "slurm", with the size of the job.
type SlurmOptions struct {
	Conf        string   `json:"conf"`    // slurm.conf; empty: Slurm finds it
	Options     []string `json:"options"` // for sbatch, after ours, so that they win
	Partition   string   `json:"partition"`
	Time        string   `json:"time"`      // limit, in the format of sbatch
	Setup       []string `json:"setup"`     // lines of the script before the job's command
	Script      string   `json:"script"`    // program that receives the command as arguments and starts it
	RayStart    []string `json:"ray_start"` // arguments for every `ray start` of a job on several nodes
	Nodes       int      `json:"-"`
	GPUsPerNode int      `json:"-"` // 0: none are requested
}

// NewSlurm makes a launcher. Nothing is contacted.
func NewSlurm(o SlurmOptions) *Slurm {
	return &Slurm{options: o, run: commands(o.Conf), interval: time.Second}
}

// Files of a job in its folder.
const (
	scriptFile  = "slurm.sh"
	startedFile = "slurm.started" // a folder, which only one job can make
	numberFile  = "slurm.job"
	exitFile    = "slurm.exit"
)

// exported are the variables of ours that a job gets. More can be asked for in the options (--export).
const exported = "HOME,USER,LOGNAME,SHELL,LANG,PATH"

// Command is the sbatch that Start runs, with Script as its input.
func (s *Slurm) Command(j Job) []string {
	o := s.options
	out := []string{
		"sbatch", "--parsable", "--job-name=" + jobName(j.LaunchID), "--output=" + strings.ReplaceAll(j.LogFile, "%", "%%"), "--open-mode=append",
		"--chdir=" + j.Dir, "--nodes=" + strconv.Itoa(max(1, o.Nodes)), "--ntasks-per-node=1", "--no-requeue", "--export=" + exported,
	}
	if o.Partition != "" {
		out = append(out, "--partition="+o.Partition)
	}
	if o.Time != "" {
		out = append(out, "--time="+o.Time)
	}
	if o.GPUsPerNode > 0 && !o.asksForGPUs() {
		out = append(out, "--gpus-per-node="+strconv.Itoa(o.GPUsPerNode))
	}
	return append(out, o.Options...)
}

// asksForGPUs says whether the options say which GPUs.
func (o SlurmOptions) asksForGPUs() bool {
	for _, option := range o.Options {
		if strings.HasPrefix(option, "--gres") || strings.HasPrefix(option, "--gpus") || strings.HasPrefix(option, "-G") {
			return true
		}
	}
	return false
}

// cluster is the one that the options name where Slurm has several; empty: the usual one.
func (o SlurmOptions) cluster() string {
	for i, option := range o.Options {
		for _, prefix := range []string{"--clusters=", "--cluster=", "-M"} {
			if rest, ok := strings.CutPrefix(option, prefix); ok && rest != "" {
				return rest
			}
		}
		if (option == "-M" || option == "--clusters" || option == "--cluster") && i+1 < len(o.Options) {
			return o.Options[i+1]
		}
	}
	return ""
}

// Start submits the script, or finds the job that was submitted before. sbatch reads the script from us: the file beside the run is
// to be read by people, and has no values of variables, of which some may be secrets.
func (s *Slurm) Start(ctx context.Context, j Job) (Handle, error) {
	if h, err := s.Find(ctx, j); err == nil || !errors.Is(err, ErrNone) {
		return h, err
	}
	if err := os.WriteFile(filepath.Join(j.Dir, scriptFile), []byte(s.script(j, hidden)), 0o600); err != nil {
		return Handle{}, fmt.Errorf("write down the script for Slurm: %w", err)
	}
	command := s.Command(j)
	out, err := s.run(ctx, s.Script(j), command[0], command[1:]...)
	if err != nil {
		return Handle{}, fmt.Errorf("submit a job to Slurm: %w", err)
	}
	lines := strings.Fields(out)
	if len(lines) == 0 {
		return Handle{}, fmt.Errorf("submit a job to Slurm: sbatch names no job")
	}
	h := newHandle(KindSlurm, j)
	h.ID, h.Cluster, _ = strings.Cut(lines[len(lines)-1], ";")
	if _, err := strconv.Atoi(h.ID); err != nil {
		return Handle{}, fmt.Errorf("submit a job to Slurm: sbatch says %q, which is no number of a job", firstLine(out))
	}
	return h, nil
}

// Find looks for the launch's job: by what its script has written, then by name in the queue.
func (s *Slurm) Find(ctx context.Context, j Job) (Handle, error) {
	h := newHandle(KindSlurm, j)
	h.Cluster = s.options.cluster()
	if id, err := readWord(filepath.Join(j.Dir, numberFile)); id != "" || err != nil {
		h.ID = id
		return h, err
	}
	out, err := s.run(ctx, "", "squeue", s.onCluster(h, "--noheader", "--states=all", "--name="+jobName(j.LaunchID), "--format=%i")...)
	if err != nil {
		return Handle{}, fmt.Errorf("look for the Slurm job %s: %w", jobName(j.LaunchID), err)
	}
	ids := numbers(out)
	if len(ids) == 0 {
		return Handle{}, fmt.Errorf("%w: Slurm has no job %s", ErrNone, jobName(j.LaunchID))
	}
	h.ID = ids[0]
	return h, nil
}

// numbers are the words of an output that are numbers: with several clusters squeue writes headings, too.
func numbers(out string) []string {
	var ids []string
	for _, word := range strings.Fields(out) {
		if _, err := strconv.Atoi(word); err == nil {
			ids = append(ids, word)
		}
	}
	return ids
}

func (s *Slurm) onCluster(h Handle, args ...string) []string {
	if h.Cluster == "" {
		return args
	}
	return append([]string{"--clusters=" + h.Cluster}, args...)
}

// readWord reads a file of one word that a job has written; empty: it is not there.
func readWord(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read what the job has written: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// Status reads the job's exit status, if it has written one, and else asks the controller.
func (s *Slurm) Status(ctx context.Context, h Handle) (Status, error) {
	exit, err := readWord(filepath.Join(h.Dir, exitFile))
	if err != nil {
		return Status{}, err
	}
	if code, err := strconv.Atoi(exit); err == nil {
		return ended(code, ""), nil
	}
	if id, err := readWord(filepath.Join(h.Dir, numberFile)); err == nil && id != "" {
		h.ID = id // of the one that trains, where the launch was submitted twice
	}
	out, err := s.run(ctx, "", "squeue", s.onCluster(h, "--noheader", "--states=all", "--jobs="+h.ID, "--format="+statusFormat)...)
	var failed *commandError
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.said, "Invalid job id"):
		return Status{State: Ended, Reason: "Slurm knows the job no longer, and it has left no exit status"}, nil
	case err != nil:
		return Status{}, fmt.Errorf("ask for %s: %w", h, err)
	}
	return readStatus(out), nil
}

// statusFormat asks for the state of a job and why it is in it.
const (
	statusFormat = "awhost|%T|%r"
	statusMark   = "awhost|"
)

// readStatus reads what squeue says of one job. Nothing means that the controller has forgotten it.
func readStatus(out string) Status {
	for line := range strings.Lines(out) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), statusMark)
		if !ok {
			continue
		}
		state, why, _ := strings.Cut(rest, "|")
		reason := "Slurm: " + state
		if why != "" && why != "None" {
			reason += ", " + why
		}
		switch state {
		case "PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD":
			return Status{State: Pending, Reason: reason}
		case "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING":
			return Status{State: Running, Reason: reason}
		case "COMPLETED":
			return ended(0, reason)
		}
		return Status{State: Ended, Reason: reason} // FAILED, TIMEOUT, CANCELLED, NODE_FAIL, OUT_OF_MEMORY, PREEMPTED, …
	}
	return Status{State: Ended, Reason: "Slurm knows the job no longer, and it has left no exit status"}
}

// Stop asks the script to end the job, which interrupts the trainer, and cancels the job after the patience.
func (s *Slurm) Stop(ctx context.Context, h Handle, patience time.Duration) error {
	status := func() (Status, error) { return s.Status(ctx, h) }
	now, err := status()
	if err != nil {
		return err
	}
	if now.State == Running {
		if err := s.cancel(ctx, h, "--batch", "--signal=TERM"); err != nil {
			return err
		}
		if over, _ := awaitEnd(ctx, patience, s.interval, status); over {
			return s.leave(ctx, h)
		}
	}
	if err := s.leave(ctx, h); err != nil {
		return err
	}
	over, err := awaitEnd(ctx, slurmKillWait, s.interval, status)
	if !over {
		return errors.Join(fmt.Errorf("end %s: it is still there after scancel", h), err)
	}
	return nil
}

// slurmKillWait is how long Slurm may take between the two signals of scancel (KillWait), and until it notices the end.
const slurmKillWait = 45 * time.Second

// leave cancels what is left of a job: the script's own end ends its steps, but not always at once.
func (s *Slurm) leave(ctx context.Context, h Handle) error { return s.cancel(ctx, h) }

// cancel runs scancel. That the job is gone is no error.
func (s *Slurm) cancel(ctx context.Context, h Handle, args ...string) error {
	_, err := s.run(ctx, "", "scancel", s.onCluster(h, append(args, h.ID)...)...)
	var failed *commandError
	if err == nil || errors.As(err, &failed) && (strings.Contains(failed.said, "Invalid job id") || strings.Contains(failed.said, "already completing")) {
		return nil
	}
	return fmt.Errorf("end %s: %w", h, err)
}

// environment is that of the job, sorted by the caller.
func slurmEnv(j Job) map[string]string {
	env := map[string]string{process.EnvLaunch: j.LaunchID}
	for name, value := range j.Env {
		env[name] = value
	}
	return env
}
