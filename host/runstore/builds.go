package runstore

import (
	"errors"
	"slices"

	"github.com/awhost/awhost/host/build"
)

// CurrentBuild returns the stored awhost build with which the run continues, as recorded by the last process that
// opened the run. It returns nil if no build is recorded.
func (r *Run) CurrentBuild() *build.Build { return currentBuild(r.Info, readOwner(r.fs(), r.Dir)) }

// CurrentBuild returns the stored awhost build with which the run continues, or nil if none is recorded.
func (summary *Summary) CurrentBuild() *build.Build { return currentBuild(summary.Info, summary.Owner) }

func currentBuild(info Info, owner *Owner) *build.Build {
	if owner != nil && owner.Build != nil {
		return owner.Build
	}
	return info.Build
}

// Extension returns the steps that the run was given in addition to the steps that it was started with, or nil.
func (r *Run) Extension() *Extension { return readOwner(r.fs(), r.Dir).extension() }

// Extension returns the steps that the run was given in addition to the steps that it was started with, or nil.
func (summary *Summary) Extension() *Extension { return summary.Owner.extension() }

func (o *Owner) extension() *Extension {
	if o == nil {
		return nil
	}
	return o.Extension
}

// Builds lists the digests of the stored builds that unfinished runs need. known is false if a run cannot be read.
func (s *Store) Builds() (digests []string, known bool, err error) {
	refs, err := s.refs()
	if err != nil {
		return nil, false, err
	}
	for _, ref := range refs {
		summary, err := s.summary(ref)
		switch {
		case errors.Is(err, errNoInfo) && !s.hasCommits(ref):
			continue // not a run: its creation was interrupted
		case err != nil:
			return nil, false, nil
		case summary.Status == StatusFinished || summary.IsFinal():
			continue
		}
		if b := summary.CurrentBuild(); b != nil && !slices.Contains(digests, b.Digest) {
			digests = append(digests, b.Digest)
		}
	}
	return digests, true, nil
}
