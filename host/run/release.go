package run

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// releaseTimeout is the default of Config.ReleaseTimeout, as in adapter.proto.
const releaseTimeout = time.Minute

// releaser returns a function that has the adapter of a checkpoint's stage delete the checkpoint's data outside of its
// directory. All its calls together have one time limit. A failure is a warning with the given consequence.
func (l *trainCall) releaser(consequence string) func(context.Context, *runstore.Manifest, string) bool {
	deadline := time.Now().Add(cmp.Or(l.run.ReleaseTimeout, releaseTimeout))
	return func(parent context.Context, m *runstore.Manifest, path string) bool {
		ctx, cancel := context.WithDeadline(parent, deadline)
		defer cancel()
		stage := l.stage
		if m != nil {
			stage = l.run.Plan.Stages[m.StageIndex]
		}
		err := l.run.deleteRemote(ctx, stage.Adapter, path)
		if err == nil || parent.Err() != nil {
			return err == nil
		}
		if l.run.unreleased == nil {
			l.run.unreleased = map[string]bool{}
		}
		if !l.run.unreleased[path] { // once for each checkpoint: every later prune tries again
			l.run.unreleased[path] = true
			l.run.warn(event.Warning{Code: "remote_checkpoint", Summary: fmt.Sprintf("%s has not deleted the remote "+
				"data of the checkpoint %s; %s", stage.Adapter, relative(path), consequence), Detail: err.Error()})
		}
		return false
	}
}

// deleteRemote asks an adapter to delete the data of a checkpoint outside of its directory. It starts the adapter of an
// earlier stage that no stage of this process has used.
func (r *runner) deleteRemote(ctx context.Context, address, path string) error {
	if !r.Plan.Adapters[address].Capabilities.RemoteCheckpoints {
		return nil
	}
	if err := r.startPlugins(ctx, []string{address}); err != nil {
		return err
	}
	instance, ok := r.plugins.Find(address)
	if !ok {
		return fmt.Errorf("%s is not running", address)
	}
	return instance.Adapter().(sdk.AdapterWithRemoteCheckpoints).DeleteCheckpoint(ctx, path)
}

// releaseUnfinished deletes the remote data of the checkpoints that the next launch removes because they were not
// committed.
func (l *trainCall) releaseUnfinished(ctx context.Context) error {
	unfinished, err := l.run.Writer.Unfinished()
	release := l.releaser("it was not committed, and its directory is removed now: delete the data by hand")
	for _, path := range unfinished {
		release(ctx, nil, path)
	}
	return err
}
