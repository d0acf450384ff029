package runstore

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk"
)

// Answers stored before the end of the process are available after it.
func TestAnswers_OutliveTheProcess(t *testing.T) {
	s, w := launched(t)
	answers, err := w.Answers()
	if err != nil {
		t.Fatal(err)
	}
	want := &sdk.GenerateResponse{
		Message: sdk.Message{
			Role: sdk.RoleAssistant, Content: "60", ToolCalls: []sdk.ToolCall{{ID: "1", Name: "add", Arguments: `{"a":1}`}},
		},
		Finish: sdk.FinishToolCalls, PromptTokens: 7, OutputTokens: 3,
	}
	if err := answers.Keep(1, "k", want); err != nil {
		t.Fatal(err)
	}
	w = again(t, s, w)
	if answers, err = w.Answers(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, answers.Answer(1, "k")); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if got := answers.Answer(1, "another"); got != nil {
		t.Errorf("an answer that was not requested is stored: %+v", got)
	}
}

// A flipped byte anywhere in the file affects only the damaged answers: they are requested again.
func TestAnswers_DamageIsDropped(t *testing.T) {
	s, w := launched(t)
	keys := []string{"a", "b", "c"}
	var ends []int64
	for _, key := range keys {
		answers, err := w.Answers()
		if err != nil {
			t.Fatal(err)
		}
		answer := &sdk.GenerateResponse{Message: sdk.Message{Role: sdk.RoleAssistant, Content: "about " + key}}
		if err := answers.Keep(1, key, answer); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, answers.journal.End().Offset)
	}
	whole := make([]byte, ends[2])
	if _, err := openAnswersFile(t, w).ReadAt(whole, 0); err != nil {
		t.Fatal(err)
	}
	for flipped := range whole {
		w = again(t, s, w)
		damaged := slices.Clone(whole)
		damaged[flipped] ^= 4
		file := openAnswersFile(t, w)
		if _, err := file.WriteAt(damaged, 0); err != nil || file.Truncate(ends[2]) != nil {
			t.Fatal(err)
		}
		answers, err := w.Answers()
		if err != nil {
			t.Fatalf("byte %d: %v", flipped, err)
		}
		at, _ := slices.BinarySearch(ends, int64(flipped)+1)
		for i, key := range keys {
			kept := answers.Answer(1, key)
			if kept != nil && kept.Message.Content != "about "+key || i < at && flipped >= 64 && kept == nil {
				t.Errorf("byte %d: the answer %s is %+v", flipped, key, kept)
			}
		}
		if at < len(keys) && answers.Answer(1, keys[at]) != nil {
			t.Errorf("byte %d: the damaged answer is kept", flipped)
		}
		if answers.Answer(1, "c") == nil && at < 2 && flipped > int(ends[at])-8 {
			t.Errorf("byte %d: an answer behind the damaged one is lost", flipped)
		}
		if err := answers.Keep(1, "new", &sdk.GenerateResponse{}); err != nil {
			t.Errorf("byte %d: %v", flipped, err)
		}
	}
}

func openAnswersFile(t *testing.T, w *Writer) disk.File {
	t.Helper()
	file, err := w.fs().OpenFile(filepath.Join(w.Dir, answersFile), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

// In a run of any length, only the answers of steps that may be repeated are in memory, even after a resume.
func TestAnswers_OfStepsBeforeTheTipAreLetGo(t *testing.T) {
	s, w := launched(t)
	answers, err := w.Answers()
	if err != nil {
		t.Fatal(err)
	}
	for step := range 4 {
		if err := answers.Keep(step, "k", &sdk.GenerateResponse{}); err != nil {
			t.Fatal(err)
		}
	}
	step(t, w, 1, train(t, w, 1))
	commit(t, w, 1)
	step(t, w, 2, train(t, w, 2))
	commit(t, w, 2)
	check := func(when string) {
		t.Helper()
		for step, want := range map[int]bool{0: false, 1: false, 2: true, 3: true} { // validation of step 2 may continue
			if got := answers.Answer(step, "k") != nil; got != want {
				t.Errorf("%s: the answer of step %d is there: %v, want %v", when, step, got, want)
			}
		}
	}
	check("after the commit")
	w = again(t, s, w)
	if answers, err = w.Answers(); err != nil {
		t.Fatal(err)
	}
	check("after the resume")
}
