package verl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"sync"
	"time"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// pollInterval is how often verl's files are looked at while no sample is asked for: at the end, and in long steps.
const pollInterval = 500 * time.Millisecond

const pythonPath = "PYTHONPATH" // where verl's workers find our code; the user's folders come after it

var errNoReports = errors.New("verl's workers ask for episodes only: steps are read from its files")

// training is one stage while verl trains it, in one life of the adapter.
type training struct {
	*record
	*episodes
	adapter *adapter
	dir     folder
	stage   *stage.Stage
	steps   *steps
	ready   chan struct{} // closed when a worker has connected
}

func (a *adapter) newTraining(r *record, dir folder, host sdk.Host, emit func(sdk.TrainEvent) error) *training {
	t := &training{record: r, adapter: a, dir: dir, ready: make(chan struct{})}
	s := stage.New(r, t, emit)
	s.Site, s.Dir, s.RecordFile, s.BridgeDir, s.LogFile = a.site(r.Request.Smoke), string(dir), dir.record(), string(dir), dir.log()
	s.Interval, s.Patience = pollInterval, s.Site.Patience()
	t.stage = s
	t.account(host, emit)
	return t
}

// prepare writes the files of the launch.
func (t *training) prepare(plan *settings.Resolved) error {
	if err := writeRows(t.dir.train(), sdk.SplitTrain, trainRows(plan, t.Request)); err != nil {
		return err
	}
	if err := writeRows(t.dir.validation(), sdk.SplitValidation, max(1, t.Request.ValidationTasks)); err != nil {
		return err
	}
	if err := ownerfile.WriteFile(t.dir.agentLoops(), []byte(agentLoops)); err != nil {
		return fmt.Errorf("write verl's list of agent loops: %w", err)
	}
	if err := ownerfile.WriteFile(t.dir.config(), plan.File); err != nil {
		return fmt.Errorf("write verl's configuration: %w", err)
	}
	return unpack(t.dir.shim())
}

// account sets up what is known of steps and episodes.
func (t *training) account(host sdk.Host, emit func(sdk.TrainEvent) error) {
	t.steps = &steps{
		launch: t.Request.LaunchID, stage: t.Request.Stage, base: t.record.base(), done: t.record.base() - 1, validations: t.ValidatesBefore, updates: t.Updates, dir: t.dir,
		metrics: &tail{path: t.dir.metrics()}, host: host, emit: emit, episodes: map[int][]finished{},
		checkpoints: checkpoints{dir: t.dir.checkpoints(t.Request.CheckpointDir), every: t.SaveEvery, last: t.Steps}, tell: func(m string) { t.adapter.Log.Info(m) },
		end: t.stage.End, tokens: bridge.TokenRows{Every: t.adapter.config.TokensEvery},
	}
	if t.Request.Resumed {
		t.steps.done = t.Request.FirstStep - 1
	}
	t.episodes = &episodes{
		stage: t.Request.Stage, base: t.record.base(), host: host, steps: t.steps, hello: sync.OnceFunc(func() { close(t.ready) }),
	}
	if t.Generation == settings.V0 {
		t.groups = newGroups(t.dir, &t.steps.keeper)
	}
}

// Recall implements stage.Trainer.
func (t *training) Recall(ctx context.Context, after uint64) error {
	over, err := t.steps.recall(ctx, after)
	if err != nil {
		return err
	}
	if t.groups != nil {
		if err := t.groups.recall(over); err != nil {
			return err
		}
	}
	if t.steps.done < t.record.base() && !t.ValidatesBefore { // it was killed before the first answer
		return t.steps.began(ctx, false)
	}
	return nil
}

// Report implements stage.Trainer.
func (t *training) Report(e sdk.TrainEvent) error { return t.steps.report(e) }

// Count implements stage.Trainer: verl counts the steps of a stage from 0, and says nothing of them before 0.9, where no
// sample is drawn while the weights change.
func (t *training) Count(episode string, versions []sdk.VersionSpan) {
	for i := range versions {
		if t.Generation != settings.V0 {
			versions[i].Version += int64(t.record.base())
		} else if v, ok := t.versions.Load(episode); ok {
			versions[i].Version = v.(int64)
		}
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
		if t.stage.Site.Kind() == launch.KindProcess {
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

// Milestones implements stage.Trainer.
func (t *training) Milestones() []stage.Milestone {
	return []stage.Milestone{{Reached: t.ready, Missing: "none of verl's workers asked for an episode"}}
}

// Look implements stage.Trainer.
func (t *training) Look(ctx context.Context) (stuck, err error) {
	_, err = t.steps.catchUp(ctx)
	return nil, cmp.Or(err, t.steps.keeper.Trouble())
}

// Drain implements stage.Trainer.
func (t *training) Drain(reason string) {
	t.steps.want(stage.Ending{Outcome: sdk.FinishedStopped, Reason: reason})
}

// Finished implements stage.Trainer: verl does not report its end.
func (t *training) Finished() *sdk.FinishedEvent { return nil }

// Finishing implements stage.Trainer.
func (t *training) Finishing() <-chan struct{} { return nil }

// Told implements stage.Trainer: verl has written its last step.
func (t *training) Told() bool {
	last := -1
	err := (&tail{path: t.dir.metrics()}).each(func(n numbers) error { last = n.Step; return nil })
	return err == nil && last >= t.Steps
}

// Ended implements stage.Trainer: after a finished step, another start may succeed.
func (t *training) Ended(status launch.Status) (*sdk.FinishedEvent, bool) {
	last, well := t.steps.last(), status.Code == nil || status.Succeeded()
	if well && last >= t.record.base()+t.Steps {
		return &sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Step: last}, false
	}
	return nil, well || last >= t.Request.FirstStep
}

// LastStep implements stage.Trainer.
func (t *training) LastStep() int { return t.steps.last() }

// Diagnose implements stage.Trainer.
func (t *training) Diagnose() string { return diagnose(t.dir.log()) }

// trainRows is how many rows verl reads: one for each group of the stage, so that its one epoch is the host's order over
// all of them. Where the spec counts epochs, the rows of one.
func trainRows(plan *settings.Resolved, req sdk.TrainRequest) int {
	if steps := plan.Int("trainer.total_training_steps"); steps > 0 {
		return steps * plan.Int("data.train_batch_size")
	}
	return req.TrainTasks
}

var _ stage.Trainer = (*training)(nil)
