package stamp

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// old stores a sum as if the file had been written long ago: only the kernel can set ctime itself.
func old(t *testing.T, s *Sums, path, hex string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	now, ok := stampOf(info)
	if !ok {
		t.Skipf("SKIPPED: %s tells nothing of files by which a change could be seen, so that each is read", runtime.GOOS)
	}
	s.remember(path, sum{now, hex})
}

// tick waits until the file system's clock differs from the time of a file.
func tick(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for first, _ := stampOf(info); ; {
		if err := os.WriteFile(path+".tick", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path + ".tick")
		if err != nil {
			t.Fatal(err)
		}
		if now, _ := stampOf(info); now.changed.After(first.changed) {
			return
		}
		if err := os.Remove(path + ".tick"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFile_ReadsWhatChanged(t *testing.T) {
	for what, change := range map[string]func(path string) error{
		"nothing": func(string) error { return nil },
		"edited in place, its time set back": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte("two"), 0o600); err != nil {
				return err
			}
			return os.Chtimes(path, info.ModTime(), info.ModTime())
		},
		"replaced by a rename": func(path string) error {
			if err := os.WriteFile(path+".new", []byte("two"), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
		"edited through a hard link": func(path string) error {
			if err := os.Link(path, path+".link"); err != nil {
				return err
			}
			return os.WriteFile(path+".link", []byte("two"), 0o600)
		},
	} {
		t.Run(what, func(t *testing.T) {
			var s Sums
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
				t.Fatal(err)
			}
			old(t, &s, path, "remembered")
			tick(t, path)
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			got, err := s.File(path)
			if err != nil {
				t.Fatal(err)
			}
			if remembered := got == "remembered"; remembered != (what == "nothing") {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestFile_WhatWasJustWrittenIsReadAgain(t *testing.T) {
	var s Sums
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"one", "two", "one"} { // within one tick
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := s.File(path)
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := (*Sums)(nil).File(path); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestFile_DoesNotHangOnAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := new(Sums).File(path); err == nil {
		t.Error("a pipe has a hash")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(os.Args[0], link); err != nil {
		t.Fatal(err)
	}
	program, err := filepath.EvalSymlinks(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	_, err = new(Sums).File(link)
	if err == nil || !strings.Contains(err.Error(), "link is a symbolic link") ||
		!strings.Contains(err.Error(), "use the file itself, "+program) {
		t.Errorf("a link has a hash, or it is not said what it is: %v", err)
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	if err := os.Symlink("gone", nowhere); err != nil {
		t.Fatal(err)
	}
	if _, err := new(Sums).File(nowhere); err == nil || !strings.Contains(err.Error(), "is a broken symbolic link") {
		t.Errorf("a link to nothing: %v", err)
	}
}
