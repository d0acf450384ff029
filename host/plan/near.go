package plan

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/runstore"
)

// mostNear limits the number of earlier runs compared with a new one. mostApart limits the number of differences in a
// similar run; a variable is listed once for each setting that uses it.
const (
	mostNear  = 20
	mostApart = 3
)

// near describes the train block's most similar earlier run and how it differs: only in the awhost build, or in a few
// other ways. It returns "" if no run is similar. The newest similar run is used, but a run that differs only in its
// build takes precedence.
func (p *Plan) near(runs []runstore.Summary) (string, error) {
	runs = slices.DeleteFunc(runs, func(run runstore.Summary) bool {
		return !run.IsOf(p.Train.Name) || run.Status == runstore.StatusUnreadable || run.Identity == p.Identity
	})
	little := ""
	for i := range runs[:min(len(runs), mostNear)] {
		run := &runs[i]
		as, err := p.IdentityAs(run.Info)
		if err != nil {
			return "", err
		}
		if as == run.Identity {
			return p.nearBuild(run), nil
		}
		if changes := p.changesSince(run); little == "" && len(changes) > 0 && len(changes) <= mostApart {
			little = fmt.Sprintf("%s (%s) is nearly the same: %s", run.Ref(), state(run), strings.Join(changes, "; "))
		}
	}
	return little, nil
}

// nearBuild describes a run that was started by another awhost build.
func (p *Plan) nearBuild(run *runstore.Summary) string {
	what := fmt.Sprintf("%s (%s) differs only in the build of awhost: an earlier version started it, whose build is "+
		"not recorded", run.Ref(), state(run))
	if run.Build != nil {
		what = fmt.Sprintf("%s (%s) differs only in the build of awhost: %s started it", run.Ref(), state(run), run.Build)
	}
	if run.Status == runstore.StatusFinished || run.IsFinal() {
		return what
	}
	return fmt.Sprintf("%s; continue it with: awhost resume %s%s", what, run.Ref(), runstore.WhereFlag(run.Dir))
}

// state describes a run's progress.
func state(run *runstore.Summary) string {
	if run.Status == runstore.StatusFinished {
		return "finished"
	}
	return strings.TrimPrefix(standing(run), "is ")
}

// opened opens a listed run for reading.
func opened(run *runstore.Summary) (*runstore.Run, error) {
	return runstore.At(filepath.Dir(run.Dir), runstore.Options{}).Open(run.Ref())
}

// changesSince lists the differences from a recorded run. Other differences, such as files named by a plugin block, may
// also exist.
func (p *Plan) changesSince(run *runstore.Summary) []string {
	r, err := opened(run)
	if err != nil {
		return nil
	}
	resolved, err := r.Spec()
	if err != nil {
		return nil
	}
	was := &File{Resolved: resolved, Train: p.Train.Name, Data: map[string]fileData{}}
	for _, d := range run.Data {
		was.Data[d.Address] = fileData{d.Tasks, d.Fingerprint}
	}
	out := slices.Concat(was.specChanges(p), was.dataChanges(p))
	for _, u := range run.Plugins {
		if c := p.Component(u.Address); c != nil && c.Entry.Hash != u.Hash && c.Entry.Origin != catalog.OriginBundled {
			out = append(out, fmt.Sprintf("plugin %s, which serves %s, was %s (%s) and is %s (%s)",
				u.Plugin, u.Address, u.Version, short(u.Hash), c.Entry.Description.Version, short(c.Entry.Hash)))
		}
	}
	if b := run.Build; b != nil && b.Identity != p.build {
		out = append(out, "another build of awhost started it: "+b.String())
	}
	return out
}
