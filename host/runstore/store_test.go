package runstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/journal/disk"
)

func TestANewRunHasItsFiles(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	defer closeRun(t, w)
	entries, err := os.ReadDir(w.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	want := []string{"checkpoints", "journal", "journal.index", "lock", "logs", "metrics.jsonl", "owner.json", "plugins",
		"run.json", "spec.resolved.json"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("the run directory: (-want +got)\n%s", diff)
	}
	run, err := s.Open("quickstart-1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w.Info, run.Info); diff != "" {
		t.Errorf("run.json: (-written +read)\n%s", diff)
	}
	if spec, err := run.Spec(); err != nil || !strings.Contains(string(spec), `"steps": 4`) {
		t.Errorf("the resolved spec is %s: %v", spec, err)
	}
	if ignore, err := os.ReadFile(filepath.Join(s.Root(), "..", ".gitignore")); err != nil || string(ignore) != "*\n" {
		t.Errorf(".awhost/.gitignore is %q: %v", ignore, err)
	}
}

func TestARunIsFoundByWhatPeopleCallIt(t *testing.T) {
	s := onDisk(emptyDisk(t))
	if _, err := s.Open(""); !errors.Is(err, ErrNoRun) || !strings.Contains(err.Error(), "start one with: awhost apply") {
		t.Errorf("in an empty store: %v", err)
	}
	for _, name := range []string{"quickstart", "quickstart", "my run/2", "quickstart"} {
		run := quickstart
		run.Name, run.Identity = name, "sha256:"+name
		w, err := s.Create(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.release(); err != nil {
			t.Fatal(err)
		}
	}
	id := newest(t, s).Info.ID
	for _, tc := range []struct{ ref, want, err string }{
		{"", "quickstart-3", ""},
		{"quickstart-2", "quickstart-2", ""},
		{"quickstart", "quickstart-3", ""},
		{"my-run-2", "my-run-2-1", ""},
		{"2", "quickstart-2", ""},
		{id[:8], "quickstart-3", ""},
		{s.Root() + "/quickstart-2/", "quickstart-2", ""},
		{"1", "", `"1" may mean my-run-2-1 or quickstart-1: choose one`},
		{"slowstart", "", `no such run: "slowstart"; in /spec/.awhost/runs there are my-run-2-1, quickstart-1, quickstart-2, quickstart-3; --dir names the directory of another spec`},
	} {
		run, err := s.Open(tc.ref)
		switch {
		case tc.err != "" && (err == nil || err.Error() != tc.err):
			t.Errorf("open %q: %v, want %s", tc.ref, err, tc.err)
		case tc.err == "" && err != nil:
			t.Errorf("open %q: %v", tc.ref, err)
		case tc.err == "" && run.Ref() != tc.want:
			t.Errorf("open %q gives %s, want %s", tc.ref, run.Ref(), tc.want)
		}
	}
	same, err := s.Find("sha256:quickstart", "quickstart")
	if err != nil || len(same) != 3 || same[0].Ref() != "quickstart-3" {
		t.Errorf("runs of the identity: %+v, %v", same, err)
	}
}

func TestTheStatusIsWhatTheRecordsSay(t *testing.T) {
	d := emptyDisk(t)
	s := onDisk(d)
	check := func(when string, want Status, step int) {
		t.Helper()
		runs, err := s.List()
		if err != nil || len(runs) != 1 || runs[0].Status != want || runs[0].Step != step {
			t.Errorf("%s: %+v, %v; want %s at step %d", when, runs, err, want, step)
		}
	}
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	check("created and abandoned", StatusInterrupted, -1)
	if err := driveTo(t.Context(), w, 2, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(t.Context(), FinishRecord{Outcome: StatusStopped, Reason: "Ctrl-C", ExitCode: 13}); err != nil {
		t.Fatal(err)
	}
	closeRun(t, w)
	check("stopped", StatusStopped, 2)
	if w, err = s.Resume(t.Context(), "", ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	closeRun(t, w)
	check("resumed and abandoned", StatusInterrupted, 2)
	if err := drive(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	check("finished", StatusFinished, lastStep)
	if err := disk.WriteFile(d, newest(t, s).JournalPath(), []byte("AWHJRNL\nxxx")); err != nil {
		t.Fatal(err)
	}
	check("with an emptied journal", StatusUnreadable, lastStep)
}

func TestANewerFormatIsRefusedByName(t *testing.T) {
	newer := []byte(`{"format": 9, "awhost": "1.4.0", "id": 7}`)
	for _, tc := range []struct{ file, want string }{
		{infoFile, "is in format 9, this awhost reads format 1: use awhost 1.4.0 or newer"},
		{"checkpoints/step-000004/manifest.json", "is in format 9, this awhost reads format 1: use awhost 1.4.0 or newer"},
	} {
		d := emptyDisk(t)
		s := onDisk(d)
		if err := drive(t.Context(), s, func(int) {}); err != nil {
			t.Fatal(err)
		}
		if err := disk.WriteFile(d, filepath.Join(s.Root(), "quickstart-1", tc.file), newer); err != nil {
			t.Fatal(err)
		}
		_, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{})
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: resuming says %v, want %q", tc.file, err, tc.want)
		}
		if runs, err := s.List(); err != nil || len(runs) != 1 || tc.file == infoFile &&
			!strings.Contains(runs[0].Problem, tc.want) {
			t.Errorf("%s: listed as %+v, %v", tc.file, runs, err)
		}
	}
}

func TestARunWithoutAnIntactCheckpointSaysSo(t *testing.T) {
	d := emptyDisk(t)
	s := onDisk(d)
	if err := drive(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	present, err := newest(t, s).Checkpoints()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range present {
		if err := d.Remove(filepath.Join(c.Dir, "model.safetensors")); err != nil {
			t.Fatal(err)
		}
	}
	_, err = s.Resume(t.Context(), "", ResumeOptions{})
	var none *NoCheckpointError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "model.safetensors is missing") ||
		!strings.Contains(err.Error(), "awhost apply --new") {
		t.Errorf("resuming says %v", err)
	}
	w, err := s.Resume(t.Context(), "", ResumeOptions{FromScratch: true})
	if err != nil || w.Tip() != nil {
		t.Fatalf("starting over: %v", err)
	}
	closeRun(t, w)
	if err := drive(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	checkWhole(t, newest(t, s))
}

// TestAFailingDiskStopsTheRunResumably fails every change of the disk once, each in the ways that it can fail.
func TestAFailingDiskStopsTheRunResumably(t *testing.T) {
	count := &killer{at: 1 << 30}
	if err := drive(t.Context(), onDisk(disk.Hooked(emptyDisk(t), count.hook)), func(int) {}); err != nil {
		t.Fatal(err)
	}
	messages := map[string]bool{}
	for at := 1; at <= count.seen; at++ {
		d := emptyDisk(t)
		var seen atomic.Int64
		acked := -1
		err := drive(t.Context(), onDisk(disk.Hooked(d, func(op disk.Op) error {
			if op.Done || seen.Add(1) != int64(at) {
				return nil
			}
			switch op.Name {
			case disk.OpWrite:
				return &disk.ShortWrite{N: op.Bytes / 2, Err: syscall.ENOSPC}
			case disk.OpSync, disk.OpSyncDir:
				return syscall.EIO
			}
			return syscall.EROFS
		})), func(step int) { acked = step })
		if err == nil {
			continue // a failed cleanup that a later one repeated successfully
		}
		var stopped *StoppedError
		var trainer errTrainer
		if !errors.As(err, &stopped) && !errors.As(err, &trainer) && !strings.HasPrefix(err.Error(), "create ") {
			t.Fatalf("operation %d failed: %v, want a StoppedError", at, err)
		}
		messages[fmt.Sprintf("%t %v", errors.As(err, &stopped), errno(err))] = true
		checkReader(t, fmt.Sprintf("operation %d failed", at), onDisk(d), acked)
		if err := drive(t.Context(), onDisk(d), func(int) {}); err != nil {
			t.Fatalf("operation %d failed: %v; resuming after it: %v", at, stopped, err)
		}
		checkWhole(t, newest(t, onDisk(d)))
	}
	for _, want := range []string{"true no space left on device", "true input/output error",
		"true read-only file system"} {
		if !messages[want] {
			t.Errorf("%s never stopped the run: %v", want, messages)
		}
	}
}

func errno(err error) error {
	var number syscall.Errno
	errors.As(err, &number)
	return number
}

func TestWhatADiskRefusesIsExplained(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want string
	}{
		{syscall.ENOSPC, "no space left on device; free some disk space"},
		{syscall.EROFS, "read-only file system; remount the file system writable or work in another folder"},
		{syscall.EACCES, "permission denied; make the folder writable or work in another one"},
	} {
		s := onDisk(disk.Hooked(emptyDisk(t), func(op disk.Op) error {
			return &fs.PathError{Op: op.Name, Path: op.Path, Err: tc.err}
		}))
		if _, err := s.Create(t.Context(), quickstart); err == nil || !strings.HasSuffix(err.Error(), tc.want) {
			t.Errorf("creating a run says %v, want %q", err, tc.want)
		}
	}
	full := false
	s := onDisk(disk.Hooked(emptyDisk(t), func(op disk.Op) error {
		if full && op.Name == disk.OpWrite {
			return syscall.ENOSPC
		}
		return nil
	}))
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	full = true
	err = w.AppendEvent(t.Context(), EventRecord{Kind: "note", Message: "x"})
	if want := "free some disk space, then continue with: awhost resume quickstart-1 --dir /spec"; err == nil ||
		!strings.HasSuffix(err.Error(), want) {
		t.Errorf("a full disk says %v, want %q", err, want)
	}
}

// TestADamagedManifestIsSaid checks a manifest that is damaged before its commit is on record. The run continues one
// step earlier, and reports the reason.
func TestADamagedManifestIsSaid(t *testing.T) {
	d := emptyDisk(t)
	s := onDisk(d)
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	if err := driveTo(t.Context(), w, 2, func(int) {}); err != nil {
		t.Fatal(err)
	}
	closeRun(t, w)
	dir := w.checkpointDir(3)
	if err := d.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := disk.WriteFile(d, filepath.Join(dir, manifestFile), []byte(`{"format": 1, "st`)); err != nil {
		t.Fatal(err)
	}
	w, err = s.Resume(t.Context(), "", ResumeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if w.Tip().Step != 2 || len(w.Warnings()) != 1 ||
		!strings.Contains(w.Warnings()[0].Message, "checkpoint step-000003 of run quickstart-1 is not intact") {
		t.Errorf("it continues at step %d with %+v", w.Tip().Step, w.Warnings())
	}
	closeRun(t, w)
	if err := drive(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	checkWhole(t, newest(t, s))
}

func TestARunWithoutRunJSONIsUnreadable(t *testing.T) {
	for name, damage := range map[string]func(d disk.FS, dir string) error{
		"no run.json": func(d disk.FS, dir string) error { return d.Remove(filepath.Join(dir, infoFile)) },
		"a cut run.json": func(d disk.FS, dir string) error {
			return disk.WriteFile(d, filepath.Join(dir, infoFile),
				[]byte("{"))
		},
		"no journal": func(d disk.FS, dir string) error { return d.Remove(filepath.Join(dir, journalFile)) },
		"a broken journal": func(d disk.FS, dir string) error {
			return disk.WriteFile(d, filepath.Join(dir, journalFile), []byte("no journal at all"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := emptyDisk(t)
			s := onDisk(d)
			if err := drive(t.Context(), s, func(int) {}); err != nil {
				t.Fatal(err)
			}
			if err := damage(d, filepath.Join(s.Root(), "quickstart-1")); err != nil {
				t.Fatal(err)
			}
			found, err := s.Find(quickstart.Identity, quickstart.Name)
			if err != nil || len(found) != 1 || found[0].Status != StatusUnreadable ||
				!strings.Contains(found[0].Problem, "quickstart-1") {
				t.Errorf("%+v, %v", found, err)
			}
			if other, err := s.Find("sha256:other", "other"); err != nil || len(other) != 0 {
				t.Errorf("a run of another name: %+v, %v", other, err)
			}
		})
	}
}
