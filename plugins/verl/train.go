package verl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// pollInterval is how often verl's files are looked at while no sample is asked for: at the end, and in long steps.
const pollInterval = 500 * time.Millisecond

// hostTimeout bounds the time between a call that the host did not answer and the end of the stream that shows it gone.
const hostTimeout = 30 * time.Second

const pythonPath = "PYTHONPATH" // where verl's workers find our code; the user's folders come after it

var errNoReports = errors.New("verl's workers ask for episodes only: steps are read from its files")

// training is one stage while verl trains it, seen by one life of the adapter.
type training struct {
	*record
	adapter *adapter
	host    sdk.Host
	emit    func(sdk.TrainEvent) error
	dir     folder

	bridge   *bridge.Server
	steps    *steps
	episodes *episodes
	job      *launch.Watch // nil until verl was started

	over   chan ending // how the host wants it to end; one is enough
	joined func()      // closes ready
	ready  chan struct{}
}

func (a *adapter) newTraining(r *record, dir folder, host sdk.Host, emit func(sdk.TrainEvent) error) *training {
	t := &training{
		record: r, adapter: a, host: host, emit: emit, dir: dir, over: make(chan ending, 1), ready: make(chan struct{}),
	}
	t.joined = sync.OnceFunc(func() { close(t.ready) })
	return t
}

// begin trains a stage from its start, or from a checkpoint of it.
func (t *training) begin(ctx context.Context, plan *settings.Resolved, command []string) (*sdk.FinishedEvent, error) {
	if err := t.prepare(plan); err != nil {
		return nil, err
	}
	if t.Request.Smoke {
		if err := t.makeModel(ctx, command[0]); err != nil {
			return nil, err
		}
	}
	if err := t.listen(t.account()); err != nil {
		return nil, err
	}
	defer t.letGo() // after the bridge: it waits for what tells the host
	defer t.closeBridge()
	if err := t.steps.began(ctx, t.Request.Resumed); err != nil {
		return nil, err
	}
	if e := t.ending(); e != nil { // stopped before it began
		return t.finished(*e), nil
	}
	if err := t.start(ctx, plan, command); err != nil {
		return nil, err
	}
	starting := sdk.TrainEvent{Log: &sdk.LogEvent{Level: "info", Message: "verl starts, which takes minutes; its log is " + t.dir.log()}}
	if err := errors.Join(t.write(t.dir), t.steps.report(sdk.TrainEvent{Handle: &sdk.HandleEvent{Handle: []byte(t.dir)}}), t.steps.report(starting)); err != nil {
		return nil, errors.Join(err, t.job.Stop(ctx, t.adapter.config.Patience()))
	}
	return t.watch(ctx)
}

// start starts verl, or finds that an earlier life of the adapter has.
func (t *training) start(ctx context.Context, plan *settings.Resolved, command []string) error {
	l, err := t.adapter.site(t.Request.Smoke).Launcher()
	if err != nil {
		return err
	}
	j := t.adapter.job(t.Request.LaunchID, t.dir)
	j.Argv, j.Env = command, t.environment(plan)
	var handle launch.Handle
	err = launch.Insist(ctx, t.adapter.config.Unreachable(), func(ctx context.Context) (err error) {
		handle, err = l.Start(ctx, j)
		return err
	})
	if err != nil {
		return fmt.Errorf("start verl: %w", err)
	}
	t.Job = &handle
	t.follow(ctx, l)
	return nil
}

func (t *training) follow(ctx context.Context, l launch.Launcher) {
	t.job = launch.Follow(ctx, l, *t.Job, t.adapter.config.Unreachable(), func(message string) {
		if err := t.steps.report(sdk.TrainEvent{Log: &sdk.LogEvent{Level: "info", Message: message}}); err != nil {
			t.adapter.log.Warn("tell the host", "message", message, "error", err)
		}
	})
}

func (t *training) letGo() {
	if t.job != nil {
		t.job.LetGo()
	}
}

// goOn takes up a training that an earlier life of the adapter began, after the host's last answer.
func (t *training) goOn(ctx context.Context, l launch.Launcher, after uint64) (*sdk.FinishedEvent, error) {
	t.Epoch++
	if err := t.write(t.dir); err != nil {
		return nil, err
	}
	episodes := t.account()
	over, err := t.steps.recall(ctx, after)
	if err != nil {
		return nil, err
	}
	if episodes.groups != nil {
		if err := episodes.groups.recall(over); err != nil {
			return nil, err
		}
	}
	if t.steps.done < t.base() && !t.ValidatesBefore { // it died before the first answer
		if err := t.steps.began(ctx, false); err != nil {
			return nil, err
		}
	}
	if err := t.listen(episodes); err != nil { // last: whoever asks for an episode finds everything recalled
		return nil, err
	}
	defer t.letGo() // after the bridge: it waits for what tells the host
	defer t.closeBridge()
	t.follow(ctx, l)
	return t.watch(ctx)
}

// prepare writes the files of the launch.
func (t *training) prepare(plan *settings.Resolved) error {
	if err := ownerfile.MkdirAll(string(t.dir)); err != nil {
		return fmt.Errorf("make the folder of the launch: %w", err)
	}
	if err := writeRows(t.dir.train(), sdk.SplitTrain, trainRows(plan, t.Request)); err != nil {
		return err
	}
	if err := writeRows(t.dir.validation(), sdk.SplitValidation, max(1, t.Request.ValidationTasks)); err != nil {
		return err
	}
	if err := ownerfile.WriteFile(t.dir.agentLoops(), []byte(agentLoops)); err != nil {
		return fmt.Errorf("write verl's list of agent loops: %w", err)
	}
	if err := unpack(t.dir.shim()); err != nil {
		return err
	}
	return t.write(t.dir)
}

// account sets up what is known of steps and episodes.
func (t *training) account() *episodes {
	episodes := &episodes{stage: t.Request.Stage, base: t.base(), host: t.host, hello: t.joined}
	t.steps = &steps{
		launch: t.Request.LaunchID, stage: t.Request.Stage, base: t.base(), done: t.base() - 1, validations: t.ValidatesBefore, updates: t.Updates, dir: t.dir,
		metrics: &tail{path: t.dir.metrics()}, host: t.host, emit: t.emit, episodes: map[int][]finished{},
		checkpoints: checkpoints{dir: t.dir.checkpoints(t.Request.CheckpointDir), every: t.SaveEvery, last: t.Steps}, tell: func(m string) { t.adapter.log.Info(m) },
		end: t.end, tokens: bridge.TokenRows{Every: t.adapter.config.TokensEvery},
	}
	if t.Request.Resumed {
		t.steps.done = t.Request.FirstStep - 1
	}
	if t.Generation == settings.V0 {
		episodes.groups = newGroups(t.dir, &t.steps.keeper)
	}
	episodes.steps, t.episodes = t.steps, episodes
	return episodes
}

// listen makes the bridge that verl's workers find.
func (t *training) listen(episodes *episodes) error {
	options := t.adapter.config.Serve(bridge.Options{
		Dir: string(t.dir), Run: t.Request.LaunchID, Epoch: t.Epoch, Handler: episodes, Logger: t.adapter.log,
	})
	var err error
	if t.bridge, err = bridge.Listen(options); err != nil {
		return fmt.Errorf("listen for verl's workers: %w", err)
	}
	t.adapter.running(t)
	return nil
}

// count puts the policy versions of a message into the host's count: verl counts the steps of a stage from 0, and says nothing of
// them before 0.9, where no sample is drawn while the weights change.
func (t *training) count(episode string, versions []sdk.VersionSpan) {
	for i := range versions {
		if t.Generation != settings.V0 {
			versions[i].Version += int64(t.base())
		} else if v, ok := t.episodes.versions.Load(episode); ok {
			versions[i].Version = v.(int64)
		}
	}
}

// end is how the host ends the stage. Only the first counts.
func (t *training) end(e ending) {
	select {
	case t.over <- e:
	default:
	}
}

func (t *training) ending() *ending {
	select {
	case e := <-t.over:
		return &e
	default:
		return nil
	}
}

// environment is what verl, the harness and the spec add to the environment of verl's processes, wherever they run.
func (t *training) environment(plan *settings.Resolved) map[string]string {
	out := map[string]string{
		"PYTHONUNBUFFERED": "1", "HYDRA_FULL_ERROR": "1", "TOKENIZERS_PARALLELISM": "false", "RAY_DEDUP_LOGS": "0",
		"RAY_USAGE_STATS_ENABLED": "0", "VERL_FILE_LOGGER_PATH": t.dir.metrics(), "AWHOST_VERL_TRAINER": string(t.Generation),
	}
	if t.Request.Smoke || t.adapter.config.cpu() {
		maps.Copy(out, cpuEnvironment())
		if t.Request.Smoke || t.adapter.config.Launch == launch.KindProcess {
			out["RAY_ADDRESS"] = "local" // one of its own: a Ray that was left on the machine has other resources
		}
	}
	maps.Copy(out, plan.Env)
	out[pythonPath] = t.dir.shim() // before the spec's
	if own := plan.Env[pythonPath]; own != "" {
		out[pythonPath] += string(os.PathListSeparator) + own
	}
	return out
}

// watch follows verl until it ends, or has to.
func (t *training) watch(ctx context.Context) (*sdk.FinishedEvent, error) {
	starting := time.NewTimer(math.MaxInt64) // a queue may take its time
	defer starting.Stop()
	running := t.job.Running
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	ready := t.ready
	silence := time.Duration(0) // of a host that cannot be reached, or of what cannot be written
	for {
		select {
		case <-running:
			starting.Reset(launch.Duration(t.adapter.config.StartTimeout))
			running = nil
		case <-ready:
			starting.Stop()
			ready, running = nil, nil
		case <-t.job.Ended:
			return t.conclude(ctx)
		case e := <-t.over:
			return t.finished(e), t.stop(ctx)
		case <-starting.C:
			return nil, errors.Join(fmt.Errorf("none of verl's workers asked for an episode within %s (start_timeout). %s",
				t.adapter.config.StartTimeout, t.lastWords()), t.stop(ctx))
		case <-poll.C:
			_, err := t.steps.catchUp(ctx)
			err = cmp.Or(err, t.steps.keeper.Trouble())
			if !errors.Is(err, sdk.ErrUnavailable) {
				silence = 0
			} else if silence += pollInterval; silence < hostTimeout { // the host is gone, and ctx ends soon: verl is to outlive it; or a disk is full
				continue
			}
			if err != nil && ctx.Err() == nil {
				return nil, errors.Join(err, t.stop(ctx))
			}
		case <-ctx.Done(): // the host is gone, or lets go of us: verl goes on, and waits for a later life
			return nil, context.Cause(ctx)
		}
	}
}

func (t *training) stop(ctx context.Context) error {
	return t.job.Stop(ctx, t.adapter.config.Patience())
}

// errLost is about a job that nobody can tell about.
func (t *training) errLost() error {
	return fmt.Errorf("the %s was lost sight of after step %d: %w. It may go on, and waits for awhost for %s (absence_timeout). "+
		"When its cluster answers again, resume the run: it goes on with the job, or from the last commit", *t.Job, t.steps.last(), t.job.Lost, t.adapter.config.AbsenceTimeout)
}

// conclude says what verl's end means. What it reported last is read first, and what it has left running is ended.
func (t *training) conclude(ctx context.Context) (*sdk.FinishedEvent, error) {
	if _, err := t.steps.catchUp(ctx); err != nil {
		return nil, err
	}
	if t.job.Lost != nil {
		return nil, t.errLost()
	}
	if err := t.stop(ctx); err != nil {
		return nil, err
	}
	if e := t.ending(); e != nil {
		return t.finished(*e), nil
	}
	last, status := t.base()+t.Steps, t.job.Status
	if t.steps.last() >= last && (status.Code == nil || status.Succeeded()) {
		return t.finished(ending{outcome: sdk.FinishedCompleted}), nil
	}
	return nil, &crash{
		progress: status.Code == nil || status.Succeeded() || t.steps.last() > t.Request.FirstStep-1,
		text:     fmt.Sprintf("verl ended with %s after step %d of %d. %s", status, t.steps.last(), last, t.lastWords()),
	}
}

// crash is an end of verl that nobody asked for. After a finished step it may be worth another start.
type crash struct {
	progress bool
	text     string
}

// Error implements error.
func (c *crash) Error() string { return c.text }

func (t *training) finished(e ending) *sdk.FinishedEvent {
	return &sdk.FinishedEvent{Outcome: e.outcome, Reason: e.reason, Step: t.steps.last()}
}

// lastWords tells from verl's log what went wrong.
func (t *training) lastWords() string { return diagnose(t.dir.log()) }

func (t *training) closeBridge() {
	t.adapter.over(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := t.bridge.Close(ctx); err != nil {
		t.adapter.log.Warn("close the bridge", "error", err)
	}
}

// launchFolder is where a launch keeps its files.
func launchFolder(dir, launch string) folder {
	return folder(filepath.Join(dir, strings.ReplaceAll(launch, string(os.PathSeparator), "-")))
}

// trainRows is how many rows verl reads: one for each group of the stage, so that its one epoch is the host's order over
// all of them. Where the spec counts epochs, the rows of one.
func trainRows(plan *settings.Resolved, req sdk.TrainRequest) int {
	if steps := plan.Int("trainer.total_training_steps"); steps > 0 {
		return steps * plan.Int("data.train_batch_size")
	}
	return req.TrainTasks
}
