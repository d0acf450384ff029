package disk

import (
	"errors"
	"io/fs"
)

// The operations passed to a hook.
const (
	OpOpen     = "open"
	OpWrite    = "write"
	OpTruncate = "truncate"
	OpSync     = "sync"
	OpMkdir    = "mkdir"
	OpRename   = "rename" // Path is the new name
	OpRemove   = "remove"
	OpSyncDir  = "syncdir"
)

// Op is one operation that is about to start (Done false) or has just succeeded (Done true).
type Op struct {
	Name  string
	Path  string
	Bytes int // of a write
	Done  bool
}

// ShortWrite is a hook error that lets only the first N bytes of a write through.
type ShortWrite struct {
	N   int
	Err error
}

// Error implements error.
func (s *ShortWrite) Error() string { return s.Err.Error() }

// Unwrap returns the cause.
func (s *ShortWrite) Unwrap() error { return s.Err }

// Hooked calls hook before and after every operation that changes the disk. An error before the operation prevents it;
// an error after it is returned even though the operation succeeded. The hook may be called concurrently. Tests use it
// to fail, truncate, or kill at a chosen point in a commit.
func Hooked(fsys FS, hook func(Op) error) FS { return hooked{fsys, hook} }

type hooked struct {
	FS
	hook func(Op) error
}

func (h hooked) around(op Op, do func() error) error {
	if err := h.hook(op); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	op.Done = true
	return h.hook(op)
}

func (h hooked) OpenFile(name string, flag int, perm fs.FileMode) (file File, err error) {
	err = h.around(Op{Name: OpOpen, Path: name}, func() error {
		file, err = h.FS.OpenFile(name, flag, perm)
		return err
	})
	if err != nil {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
		return nil, err
	}
	return hookedFile{File: file, name: name, fs: h}, nil
}

func (h hooked) Mkdir(name string, perm fs.FileMode) error {
	return h.around(Op{Name: OpMkdir, Path: name}, func() error { return h.FS.Mkdir(name, perm) })
}

func (h hooked) Rename(oldName, newName string) error {
	return h.around(Op{Name: OpRename, Path: newName}, func() error { return h.FS.Rename(oldName, newName) })
}

func (h hooked) Remove(name string) error {
	return h.around(Op{Name: OpRemove, Path: name}, func() error { return h.FS.Remove(name) })
}

func (h hooked) SyncDir(name string) error {
	return h.around(Op{Name: OpSyncDir, Path: name}, func() error { return h.FS.SyncDir(name) })
}

type hookedFile struct {
	File
	name string
	fs   hooked
}

func (f hookedFile) WriteAt(data []byte, offset int64) (written int, err error) {
	err = f.fs.around(Op{Name: OpWrite, Path: f.name, Bytes: len(data)}, func() error {
		written, err = f.File.WriteAt(data, offset)
		return err
	})
	var short *ShortWrite
	if errors.As(err, &short) {
		written, _ = f.File.WriteAt(data[:min(short.N, len(data))], offset)
	}
	return written, err
}

func (f hookedFile) Truncate(size int64) error {
	return f.fs.around(Op{Name: OpTruncate, Path: f.name}, func() error { return f.File.Truncate(size) })
}

func (f hookedFile) Sync() error {
	return f.fs.around(Op{Name: OpSync, Path: f.name}, f.File.Sync)
}

var (
	_ FS   = hooked{}
	_ File = hookedFile{}
)
