package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
)

// Source is a checkpoint to export.
type Source struct {
	Run  string // "quickstart-3"; empty for a checkpoint outside of a run
	Step int    // -1 for a checkpoint outside of a run
	Why  string // reason for the choice: "best", "latest", or empty if it was named
	Dir  string // absolute path of its files
	// Manifest is nil for a checkpoint outside of a run.
	Manifest *runstore.Manifest

	run     *runstore.Run
	adapter string          // type of the adapter
	config  json.RawMessage // configuration of the adapter's block
	model   json.RawMessage // block of the model that was trained; nil: the adapter's own
}

// Find returns a checkpoint by a user's name for it: a run (its best checkpoint or, if none is best, its newest), a
// step in the run ("quickstart-3/step-60" or "quickstart-3@60"), or the directory of a run or a
// checkpoint. It checks the files against the manifest.
func Find(ctx context.Context, store *runstore.Store, name string) (*Source, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() && strings.ContainsRune(name, filepath.Separator) ||
		name == "." {
		return inDirectory(ctx, store, name)
	}
	ref, step, named := cutStep(name)
	run, err := store.Open(ref)
	if err != nil {
		return nil, err
	}
	if !named {
		return best(ctx, run)
	}
	return ofStep(ctx, run, step)
}

// cutStep splits "quickstart-3/step-60" and "quickstart-3@60". The path of a run does not end like that.
func cutStep(name string) (ref string, step int, named bool) {
	if ref, last, found := strings.Cut(name, "@"); found {
		name = ref + "/" + last
	}
	ref, last, found := cutLast(name)
	number, err := strconv.Atoi(strings.TrimPrefix(last, "step-"))
	if !found || err != nil {
		return name, 0, false
	}
	return ref, number, true
}

func cutLast(name string) (before, last string, found bool) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

// inDirectory handles the directory of a run, of a checkpoint in a run, or of a copy of a checkpoint.
func inDirectory(ctx context.Context, store *runstore.Store, dir string) (*Source, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if run, err := store.Open(dir); err == nil {
		return best(ctx, run)
	}
	if run, err := store.Open(filepath.Dir(filepath.Dir(dir))); err == nil {
		present, err := run.Checkpoints()
		if err != nil {
			return nil, err
		}
		for _, c := range present {
			if filepath.Base(c.Dir) == filepath.Base(dir) {
				return verified(ctx, run, c, "")
			}
		}
		return nil, fmt.Errorf("%s is not a complete checkpoint of run %s", dir, run.Ref())
	}
	if _, err := os.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", dir, err)
	}
	return &Source{Step: -1, Dir: dir}, nil
}

// best returns a run's best checkpoint or, if it has none, its newest.
func best(ctx context.Context, run *runstore.Run) (*Source, error) {
	kept, err := run.Kept(ctx, false)
	if err != nil {
		return nil, err
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("run %s has no checkpoint yet: wait for it, or name another run of awhost runs",
			run.Ref())
	}
	chosen, why := kept[len(kept)-1], "latest"
	for _, k := range kept {
		if k.Best {
			chosen, why = k, "best"
		}
	}
	return verified(ctx, run, chosen.Checkpoint, why)
}

func ofStep(ctx context.Context, run *runstore.Run, step int) (*Source, error) {
	present, err := run.Checkpoints()
	if err != nil {
		return nil, err
	}
	var steps []string
	for _, c := range present {
		if c.Step == step {
			return verified(ctx, run, c, "")
		}
		steps = append(steps, strconv.Itoa(c.Step))
	}
	return nil, fmt.Errorf("run %s has no checkpoint of step %d: choose a step from "+
		"%s", run.Ref(), step, strings.Join(steps, ", "))
}

// verified returns the source of a checkpoint after verifying its files.
func verified(ctx context.Context, run *runstore.Run, c runstore.Checkpoint, why string) (*Source, error) {
	if err := run.Verify(ctx, c); err != nil {
		return nil, fmt.Errorf("%w; list the intact checkpoints with: awhost checkpoints %s --verify", err, run.Ref())
	}
	dir, err := filepath.Abs(c.Path)
	if err != nil {
		return nil, err
	}
	manifest, err := run.ReadManifest(c.Dir)
	if err != nil {
		return nil, err
	}
	s := &Source{Run: run.Ref(), Step: c.Step, Why: why, Dir: dir, Manifest: manifest, run: run}
	return s, s.recall()
}

// recall reads the adapter from the recorded spec.
func (s *Source) recall() error {
	text, err := s.run.Spec()
	if err != nil {
		return err
	}
	var resolved struct {
		Blocks map[string]json.RawMessage `json:"blocks"`
		Trains map[string]struct {
			Adapter string `json:"adapter"`
			Policy  string `json:"policy"`
		} `json:"trains"`
	}
	if err := json.Unmarshal(text, &resolved); err != nil {
		return fmt.Errorf("read the spec of run %s: %w", s.Run, err)
	}
	train, ok := resolved.Trains[s.run.Info.Name]
	for name, other := range resolved.Trains {
		if !ok && (len(resolved.Trains) == 1 || s.run.Info.IsOf(name)) {
			train = other
		}
	}
	parts := strings.SplitN(train.Adapter, ".", 3)
	if len(parts) != 3 {
		return errors.New("the run's record contains no adapter")
	}
	s.adapter, s.config, s.model = parts[1], resolved.Blocks[train.Adapter], resolved.Blocks[train.Policy]
	return nil
}

// Start returns the checkpoint as the start of another run's policy.
func (s *Source) Start() (plan.Start, error) {
	if s.run == nil {
		return plan.Start{}, fmt.Errorf("%s is not a checkpoint of a run: name a run, as in quickstart-1, or a step, as in "+
			"quickstart-1@40", s.Dir)
	}
	return plan.Start{
		PolicyRun: runstore.PolicyRun{Run: s.Run, ID: s.run.Info.ID, Step: s.Step, Checkpoint: s.Dir,
			Digest: s.Manifest.Digest},
		Adapter: s.adapter, Model: s.model,
	}, nil
}

// specDir returns the directory of the run's spec if it still exists.
func (s *Source) specDir() string {
	if s.run == nil {
		return ""
	}
	root := filepath.Dir(s.run.Dir) // .awhost/runs
	dir := filepath.Dir(filepath.Dir(root))
	if filepath.Base(root) != "runs" || filepath.Base(filepath.Dir(root)) != ".awhost" {
		return ""
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return dir
}
