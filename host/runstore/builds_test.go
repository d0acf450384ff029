package runstore

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/journal"
)

func someBuild(id, target string) *build.Build {
	return &build.Build{Identity: "sha256:" + id, Digest: "sha256:file-" + id, Awhost: "0.1.0", Go: "go1.26.8",
		Target: target}
}

func begun(t *testing.T, s *Store, b *build.Build) *Writer {
	t.Helper()
	run := quickstart
	run.Build = b
	w, err := s.Create(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A run continues with a build of the same identity, whatever its file is, and not with another build.
func TestResume_ByAnotherBuild(t *testing.T) {
	s := onDisk(emptyDisk(t))
	v1, v3 := someBuild("one", "amd64 v1"), someBuild("three", "amd64 v3")
	closeRun(t, begun(t, s, v1))

	again := *v1
	again.Digest = "sha256:file-of-go-run"
	w, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{Build: &again})
	if err != nil {
		t.Fatal(err)
	}
	if w.Inexact() != "" || len(w.Warnings()) > 0 {
		t.Errorf("another executable of the same build makes the run inexact: %q, %v", w.Inexact(), w.Warnings())
	}
	closeRun(t, w)

	var other *OtherBuildError
	if _, err = s.Resume(t.Context(), "quickstart-1", ResumeOptions{Build: v3}); !errors.As(err, &other) {
		t.Fatalf("a build that may compute differently continued: %v", err)
	}
	for _, want := range []string{"amd64 v1", "amd64 v3", "awhost resume quickstart-1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
}

// An accepted other build is on record: both are named, and its results are not exact, after this resume and after
// the next.
func TestResume_WithAnAcceptedBuildIsOnRecord(t *testing.T) {
	s := onDisk(emptyDisk(t))
	v1, v3 := someBuild("one", "amd64 v1"), someBuild("three", "amd64 v3")
	closeRun(t, begun(t, s, v1))
	for range 2 {
		w, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{Build: v3, AcceptBuild: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{v1.String(), v3.String()} {
			if !strings.Contains(w.Inexact(), want) {
				t.Errorf("%q does not name %s", w.Inexact(), want)
			}
		}
		if kinds := w.Warnings(); len(kinds) != 1 || kinds[0].Kind != "build_changed" {
			t.Errorf("the warnings are %v", kinds)
		}
		closeRun(t, w)
	}
	run, err := s.Open("quickstart-1")
	if err != nil {
		t.Fatal(err)
	}
	if got := run.CurrentBuild(); got == nil || *got != *v3 {
		t.Errorf("the run continues with %v, want the accepted build", got)
	}
	var replaced []string
	for record, err := range run.Records(journal.Position{}, TypeIncarnation) {
		if err != nil {
			t.Fatal(err)
		}
		if err := decoded(record, func(i incarnationRecord) {
			if i.Replaces != nil {
				replaced = append(replaced, i.Replaces.Identity+" by "+i.Owner.Build.Identity)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{v1.Identity + " by " + v3.Identity}; !slices.Equal(replaced, want) {
		t.Errorf("the journal says %v, want %v", replaced, want)
	}
	// With the first build again, new results are exact. The other build's commits are not this package's concern.
	w, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{Build: v1, AcceptBuild: true})
	if err != nil {
		t.Fatal(err)
	}
	if w.Inexact() != "" {
		t.Errorf("the build that the run began with makes it inexact: %s", w.Inexact())
	}
	closeRun(t, w)
}

// A run of an earlier version does not record the build that began it, so the results of any build may differ.
func TestResume_OfARunWithoutABuild(t *testing.T) {
	s := onDisk(emptyDisk(t))
	closeRun(t, begun(t, s, nil))
	here := someBuild("one", "amd64 v1")
	var other *OtherBuildError
	if _, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{Build: here}); !errors.As(err, &other) {
		t.Errorf("it continued without a request: %v", err)
	} else if !strings.Contains(err.Error(), "whose build is not on record") ||
		!strings.Contains(err.Error(), "awhost resume --accept-build quickstart-1") {
		t.Errorf("the error has no remedy: %v", err)
	}
	w, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{Build: here, AcceptBuild: true})
	if err != nil {
		t.Fatal(err)
	}
	if w.Inexact() == "" {
		t.Error("it is exact")
	}
	closeRun(t, w)
}

// Builds needs only the builds of runs that can be resumed.
func TestBuilds_AreNeededByUnfinishedRuns(t *testing.T) {
	s := onDisk(emptyDisk(t))
	finish := func(w *Writer, f FinishRecord) {
		if err := w.Finish(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		closeRun(t, w)
	}
	finish(begun(t, s, someBuild("finished", "")), FinishRecord{Outcome: StatusFinished})
	finish(begun(t, s, someBuild("over", "")), FinishRecord{Outcome: StatusFailed, Final: true})
	finish(begun(t, s, someBuild("stopped", "")), FinishRecord{Outcome: StatusStopped})
	closeRun(t, begun(t, s, someBuild("killed", "")))
	closeRun(t, begun(t, s, nil))
	digests, known, err := s.Builds()
	if slices.Sort(digests); err != nil || !known ||
		!slices.Equal(digests, []string{"sha256:file-killed", "sha256:file-stopped"}) {
		t.Errorf("needed are %v (known: %t): %v", digests, known, err)
	}
}
