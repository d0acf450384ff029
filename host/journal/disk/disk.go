// Package disk provides the few file operations whose order and durability determine the state on disk after a crash.
//
// Data that a run must not lose is written through an FS. OS is the real file system. Package disktest provides one
// that distinguishes written data from durable data, and can lose, truncate, and reorder the rest. Data written without
// Sync and SyncDir may be missing, cut or out of order after a power failure:
//
//	err := disk.WriteFile(disk.OS, "run.json", data) // a temporary file, synced, renamed, and its folder synced
//
// It owns only these calls and the advice for their failures. It must not depend on what the files mean.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// FS is a file system. Paths follow package filepath. Errors follow the conventions of package os, so that errors.Is
// finds fs.ErrNotExist, fs.ErrExist, and syscall.ENOSPC.
type FS interface {
	// OpenFile opens or creates a file. A new file is durable only after SyncDir is called on its directory.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// Mkdir creates one folder. It fails if name exists.
	Mkdir(name string, perm fs.FileMode) error
	// Rename replaces newName atomically. It is durable only after SyncDir is called on the directory.
	Rename(oldName, newName string) error
	// Remove unlinks a file or an empty directory.
	Remove(name string) error
	// ReadDir lists a directory, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Lstat describes a file without following symbolic links.
	Lstat(name string) (fs.FileInfo, error)
	// SyncDir makes the entries of a directory durable.
	SyncDir(name string) error
}

// File is an open file. Reads and writes take an offset, so no cursor can be lost.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Truncate shortens or extends the file to size bytes.
	Truncate(size int64) error
	// Size returns the length in bytes.
	Size() (int64, error)
	// Sync makes the content durable, including data written by other processes. After a failure, the writes since the
	// last successful call may or may not be durable, and a later success does not cover them.
	Sync() error
}

// OS is the file system of the operating system.
var OS FS = osFS{}

type osFS struct{}

func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	file, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return osFile{file}, nil
}

func (osFS) Mkdir(name string, perm fs.FileMode) error  { return os.Mkdir(name, perm) }
func (osFS) Rename(oldName, newName string) error       { return os.Rename(oldName, newName) }
func (osFS) Remove(name string) error                   { return os.Remove(name) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFS) Lstat(name string) (fs.FileInfo, error)     { return os.Lstat(name) }

// SyncDir ignores missing support for fsync on directories, because some network file systems order directory entries
// themselves.
func (osFS) SyncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// ReadFile returns the content of a file.
func ReadFile(fsys FS, name string) ([]byte, error) {
	file, err := fsys.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(file, 0, size))
}

// WriteFile replaces a file so that a crash leaves either the old or the new content, never a mixture. It is durable
// when the call returns.
func WriteFile(fsys FS, name string, data []byte) error {
	if err := StageFile(fsys, name+".tmp", data); err != nil {
		return err
	}
	if err := fsys.Rename(name+".tmp", name); err != nil {
		return err
	}
	return fsys.SyncDir(filepath.Dir(name))
}

// StageFile writes and syncs a file that the caller renames later. It overwrites an existing file. The umask determines
// the permissions for other users.
func StageFile(fsys FS, name string, data []byte) (err error) {
	file, err := fsys.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.WriteAt(data, 0); err != nil {
		return err
	}
	return file.Sync()
}

// SyncFile makes the content of a file written by another process durable.
func SyncFile(fsys FS, name string) error {
	file, err := fsys.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// MkdirAll creates a directory and its parents, and makes each entry durable.
func MkdirAll(fsys FS, name string, perm fs.FileMode) error {
	info, err := fsys.Lstat(name)
	if err == nil && (info.IsDir() || info.Mode()&fs.ModeSymlink != 0) {
		return nil
	}
	if parent := filepath.Dir(name); parent != name {
		if err := MkdirAll(fsys, parent, perm); err != nil {
			return err
		}
	}
	if err := fsys.Mkdir(name, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return fsys.SyncDir(filepath.Dir(name))
}

// RemoveAll removes a directory and its contents. A missing directory is not an error. Symbolic links are removed, not
// followed.
func RemoveAll(fsys FS, name string) error {
	info, err := fsys.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return ignoreMissing(fsys.Remove(name))
	}
	entries, err := fsys.ReadDir(name)
	if err != nil {
		return ignoreMissing(err)
	}
	for _, entry := range entries {
		if err := RemoveAll(fsys, filepath.Join(name, entry.Name())); err != nil {
			return err
		}
	}
	return ignoreMissing(fsys.Remove(name))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Advice returns a short suggestion for resolving a failed file operation, or an empty string.
func Advice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "free some disk space"
	case errors.Is(err, syscall.EDQUOT):
		return "raise the disk quota or remove files"
	case errors.Is(err, syscall.EROFS):
		return "remount the file system writable or work in another folder"
	case errors.Is(err, fs.ErrPermission):
		return "make the folder writable or work in another one"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "raise the limit of open files (ulimit -n)"
	case errors.Is(err, syscall.EIO):
		return "check the disk: the kernel's log has the details"
	}
	return ""
}

var (
	_ FS   = osFS{}
	_ File = osFile{}
)
