package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// encodeState returns the run's state for a record, including the engine's.
func (l *trainCall) encodeState() (json.RawMessage, error) {
	l.run.state.keepCodec(l.stage.Adapter, l.engine.Codec())
	state, err := json.Marshal(l.run.state.at(l.engine.BreakerWindow(), l.engine.Quarantine()))
	if err != nil {
		return nil, fmt.Errorf("encode host state: %w", err)
	}
	return state, nil
}

// commit commits a step: the trainer's checkpoint becomes the tip of the lineage.
func (l *trainCall) commit(
	ctx context.Context, step int, events pendingEvents, numbers runstore.Numbers, stageEnds bool,
) error {
	if events.checkpoint.Step != step {
		return l.protocolError(fmt.Errorf("it announced a checkpoint for step %d at the boundary of step %d",
			events.checkpoint.Step, step))
	}
	dir, external, err := l.take(step, events.checkpoint.Path)
	if err != nil {
		return err
	}
	state, err := l.encodeState()
	if err != nil {
		return err
	}
	var version int64
	for _, c := range events.consumed {
		version = c.VersionAfter
	}
	keep := l.kept(step) || stageEnds
	checkpoint, err := l.run.Writer.CommitCheckpoint(ctx, dir, runstore.Manifest{
		Stage: l.stage.Name, StageIndex: l.index, Step: step, PolicyVersion: version, Digest: events.checkpoint.Digest,
		External: external,
		Keep:     keep, StageEnd: stageEnds, NothingLearned: l.run.state.now.Training[l.index].nothingLearned(),
		Metrics: repeatable(numbers), Budgets: state,
	})
	if err != nil {
		return err
	}
	l.run.state.commit(checkpoint)
	l.run.Bus.Publish(event.CheckpointCommitted{
		Stage: l.stage.Name, Step: step, Path: relative(checkpoint.Path), Digest: checkpoint.Digest, IsKept: keep,
	})
	_, err = l.run.Writer.Prune(ctx, l.retention())
	return err
}

// take moves a checkpoint into the run directory. A checkpoint stored at the trainer's own location remains there.
func (l *trainCall) take(step int, path string) (dir, external string, err error) {
	name, err := filepath.Rel(l.staging, path)
	staged := err == nil && filepath.IsLocal(name) && name != "."
	info, err := os.Lstat(path)
	if moved := staged && l.trainer != nil && errors.Is(err, fs.ErrNotExist); moved && l.run.Writer.WasMoved(step, path) {
		dir, err = l.run.Writer.MoveCheckpoint(step, path) // repeated after an interrupted commit
		return dir, "", err
	}
	if err != nil || !info.IsDir() || !filepath.IsAbs(path) {
		return "", "", l.protocolError(fmt.Errorf("it announced a checkpoint for step %d at %q, which is not a "+
			"directory",
			step, path))
	}
	if staged {
		dir, err = l.run.Writer.MoveCheckpoint(step, path)
		return dir, "", err
	}
	dir, err = l.run.Writer.BeginCheckpoint(step)
	return dir, path, err
}

// kept reports whether the checkpoint for a step is retained according to the spec's checkpoint block.
func (l *trainCall) kept(step int) bool {
	every := sdk.ValueOr(l.stage.Knobs.Checkpoint.Every, 0)
	if every <= 0 {
		return false
	}
	if sdk.ValueOr(l.stage.Knobs.Checkpoint.Unit, "") == "epochs" {
		prompts := max(1, sdk.ValueOr(l.stage.Knobs.Batch.Prompts, 0))
		every = max(1, every*l.run.Plan.Tasks(l.stage.Dataset)/prompts)
	}
	return (step-l.run.state.now.Stages[l.index])%every == 0
}

func (l *trainCall) retention() runstore.Retention {
	keep := runstore.Retention{Keep: sdk.ValueOr(l.stage.Knobs.Checkpoint.Keep, 0),
		Release: l.releaser("its directory is kept, and a later step tries again")}
	for _, stage := range l.run.Plan.Stages { // the best checkpoint of an earlier stage is kept, too
		keep.BestBy = append(keep.BestBy, runstore.ValidationMetric(sdk.ValueOr(stage.Knobs.Validate.BestBy, "")))
	}
	return keep
}
