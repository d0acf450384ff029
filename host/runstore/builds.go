package runstore

import (
	"errors"
	"slices"

	"github.com/awhost/awhost/host/build"
)

// CurrentBuild is the awhost that the run goes on with, as it is kept: that of the process which opened it last; nil:
// not recorded.
func (r *Run) CurrentBuild() *build.Build { return currentBuild(r.Info, readOwner(r.fs(), r.Dir)) }

// CurrentBuild is the awhost that the run goes on with, as it is kept; nil: not recorded.
func (summary *Summary) CurrentBuild() *build.Build { return currentBuild(summary.Info, summary.Owner) }

func currentBuild(info Info, owner *Owner) *build.Build {
	if owner != nil && owner.Build != nil {
		return owner.Build
	}
	return info.Build
}

// Builds lists the digests of the kept builds that unfinished runs need. It is not known where a run cannot be read.
func (s *Store) Builds() (digests []string, known bool, err error) {
	refs, err := s.refs()
	if err != nil {
		return nil, false, err
	}
	for _, ref := range refs {
		summary, err := s.summary(ref)
		switch {
		case errors.Is(err, errNoInfo) && !s.hasCommits(ref):
			continue // it is no run: its making was cut off
		case err != nil:
			return nil, false, nil
		case summary.Status == StatusFinished || summary.Over():
			continue
		}
		if b := summary.CurrentBuild(); b != nil && !slices.Contains(digests, b.Digest) {
			digests = append(digests, b.Digest)
		}
	}
	return digests, true, nil
}
