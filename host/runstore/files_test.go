package runstore

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk"
)

// Every entry of the run directory is verified or listed.
func TestAudit_CoversOrListsEachFile(t *testing.T) {
	s, w := launched(t)
	step(t, w, 1, train(t, w, 1))
	commit(t, w, 1)
	answers, err := w.Answers()
	if err != nil {
		t.Fatal(err)
	}
	said := &sdk.GenerateResponse{Message: sdk.Message{Role: sdk.RoleAssistant, Content: "forty-two"}}
	if err := answers.Keep(1, "key", said); err != nil {
		t.Fatal(err)
	}
	attachment := sdk.Attachment{Data: []byte("picture"), SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte("picture")))}
	if err := w.keepAttachment(t.Context(), &attachment); err != nil {
		t.Fatal(err)
	}
	kept, err := w.Checkpoints()
	if err != nil {
		t.Fatal(err)
	}
	inCheckpoint := checkpointsDir + "/" + filepath.Base(kept[0].Dir) + "/stray"
	if err := s.opts.FS.Mkdir(filepath.Join(w.Dir, checkpointsDir, "step-000002"), 0o700); err != nil {
		t.Fatal(err)
	}
	inUnfinished, inCheckpoints := checkpointsDir+"/step-000002/", checkpointsDir+"/file"
	for _, stray := range []string{"stray", inCheckpoint, inUnfinished + "stray", inCheckpoints} {
		if err := disk.WriteFile(s.opts.FS, filepath.Join(w.Dir, stray), nil); err != nil {
			t.Fatal(err)
		}
	}
	closeRun(t, w)
	audit, err := newest(t, s).Audit(t.Context())
	if err != nil || len(audit.Problems) > 0 {
		t.Fatalf("of an untouched run: %+v, %v", audit, err)
	}
	for _, want := range []string{"stray", "owner.json", inCheckpoint, inUnfinished, inCheckpoints} {
		if !slices.Contains(audit.Uncovered, want) {
			t.Errorf("%s is not among the uncovered files %q", want, audit.Uncovered)
		}
	}
	for file, want := range map[string]string{
		answersFile:     "the kept answers: ",
		attachment.File: "has changed since it was written",
	} {
		path := filepath.Join(w.Dir, file)
		data, err := disk.ReadFile(s.opts.FS, path)
		if err != nil {
			t.Fatal(err)
		}
		spoiled := slices.Clone(data)
		spoiled[len(spoiled)-1] ^= 1
		if err := disk.WriteFile(s.opts.FS, path, spoiled); err != nil {
			t.Fatal(err)
		}
		audit, err := newest(t, s).Audit(t.Context())
		if err != nil || len(audit.Problems) != 1 || !strings.Contains(audit.Problems[0], want) {
			t.Errorf("%s: got %q, %v, want a problem with %q", file, audit.Problems, err, want)
		}
		if err := disk.WriteFile(s.opts.FS, path, data); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(w.Dir, answersFile)
	data, err := disk.ReadFile(s.opts.FS, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := disk.WriteFile(s.opts.FS, path, data[:len(data)-1]); err != nil {
		t.Fatal(err)
	}
	if audit, err := newest(t, s).Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
		t.Errorf("of an answer that was cut off: %q, %v", audit.Problems, err)
	}
}

// The journal's first record has the hashes of run.json and the resolved spec: changed or missing files are reported.
func TestAuditComparesTheFilesOfTheRun(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(d disk.FS, dir string) error
		says  string
	}{
		"a changed identity": {func(d disk.FS, dir string) error {
			path := filepath.Join(dir, infoFile)
			data, err := disk.ReadFile(d, path)
			if err != nil {
				return err
			}
			return disk.WriteFile(d, path, bytes.Replace(data, []byte("sha256:1"), []byte("sha256:2"), 1))
		}, "run.json has changed since it was written: restore /"},
		"a cut spec": {func(d disk.FS, dir string) error {
			return disk.WriteFile(d, filepath.Join(dir, specFile), []byte("{}"))
		}, "spec.resolved.json has 2 bytes instead of "},
		"no spec": {func(d disk.FS, dir string) error {
			return d.Remove(filepath.Join(dir, specFile))
		}, "spec.resolved.json is missing: restore /"},
	} {
		t.Run(name, func(t *testing.T) {
			s, w := launched(t)
			step(t, w, 1, train(t, w, 1))
			commit(t, w, 1)
			closeRun(t, w)
			again, err := s.Resume(t.Context(), w.Ref(), ResumeOptions{}) // only the first record has them
			if err != nil {
				t.Fatal(err)
			}
			closeRun(t, again)
			if audit, err := newest(t, s).Audit(t.Context()); err != nil || len(audit.Problems)+len(audit.Unrecorded) > 0 {
				t.Fatalf("of an untouched run: %+v, %v", audit, err)
			}
			if err := test.spoil(s.opts.FS, w.Dir); err != nil {
				t.Fatal(err)
			}
			audit, err := newest(t, s).Audit(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(audit.Problems) != 1 || !strings.Contains(audit.Problems[0], test.says) {
				t.Errorf("the audit says %q, want %q", audit.Problems, test.says)
			}
		})
	}
}

// A run of an earlier version is read as before, without assumptions about its files.
func TestAuditOfARunWithoutHashesOfItsFiles(t *testing.T) {
	s, w := launched(t)
	closeRun(t, w)
	first := incarnationRecord{}
	for record, err := range w.Records(journal.Position{}, TypeIncarnation) {
		if err == nil {
			err = decoded(record, func(i incarnationRecord) { first = i })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(first.Files) != 2 {
		t.Fatalf("the first record has the hashes of %+v", first.Files)
	}
	if err := s.opts.FS.Remove(w.JournalPath()); err != nil {
		t.Fatal(err)
	}
	j, _, err := journal.Open(w.JournalPath(), journal.Options{FS: s.opts.FS})
	if err != nil {
		t.Fatal(err)
	}
	w.journal, first.Files = j, nil
	if err := w.write(t.Context(), TypeIncarnation, first); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	audit, err := newest(t, s).Audit(t.Context())
	if err != nil || len(audit.Problems) > 0 || !slices.Equal(audit.Unrecorded, []string{infoFile, specFile}) {
		t.Errorf("the audit says %+v, %v", audit, err)
	}
}

// The error for a run that cannot be opened names the file and the remedy.
func TestOpenNamesTheRemedy(t *testing.T) {
	s, w := launched(t)
	step(t, w, 1, train(t, w, 1))
	commit(t, w, 1)
	closeRun(t, w)
	if err := s.opts.FS.Remove(filepath.Join(w.Dir, infoFile)); err != nil {
		t.Fatal(err)
	}
	_, err := s.Open(w.Ref())
	if err == nil || !strings.Contains(err.Error(), "run.json: the file is missing") ||
		!strings.Contains(err.Error(), "restore the file from a backup: the checkpoints are still in /") {
		t.Errorf("opening says %v", err)
	}
}

// A run whose description cannot be read is neither replaced by an older one nor reported as missing.
func TestOpenDoesNotPassOverWhatCannotBeRead(t *testing.T) {
	s := onDisk(emptyDisk(t))
	for range 2 {
		w, err := s.Create(t.Context(), quickstart)
		if err != nil {
			t.Fatal(err)
		}
		closeRun(t, w)
	}
	spoil := func(ref string) {
		t.Helper()
		if err := disk.WriteFile(s.opts.FS, filepath.Join(s.root, ref, infoFile), []byte("{")); err != nil {
			t.Fatal(err)
		}
	}
	opens := func(ref, want string) {
		t.Helper()
		run, err := s.Open(ref)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = run.Ref()
		}
		if !strings.Contains(got, want) {
			t.Errorf("opening %q gives %q, want %q", ref, got, want)
		}
	}
	spoil("quickstart-1")
	opens("", "quickstart-2")
	opens("1", "quickstart-1/run.json is damaged")
	opens("other", "there are quickstart-2, quickstart-1;")
	spoil("quickstart-2")
	for _, ref := range []string{"", "2", "quickstart"} {
		opens(ref, "quickstart-2/run.json is damaged")
		opens(ref, "; restore the file from a backup, or remove /")
	}
	runs, err := s.List()
	if err != nil || len(runs) != 2 || !strings.Contains(runs[0].Problem, "; restore the file from a backup, or remove") {
		t.Errorf("the list says %+v, %v", runs, err)
	}
}

// The error for another user's run does not advise removing it.
func TestOpenOfSomebodyElsesRunSaysWhomToAsk(t *testing.T) {
	s := onDisk(emptyDisk(t))
	denied := &fs.PathError{Op: "open", Path: infoFile, Err: fs.ErrPermission}
	err := s.unopened("/spec/.awhost/runs/quickstart-1", denied)
	if got := err.Error(); strings.Contains(got, "remove") || !strings.Contains(got, "ask the owner of the run") {
		t.Errorf("it says %q", got)
	}
}
