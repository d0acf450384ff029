// Package ownerfile creates files and folders that only their owner may read: locks, journals, logs, and the files of
// a trainer's launch, which may contain conversations, keys and addresses.
//
//	log, err := ownerfile.Append(path)
//
// The umask can remove further permissions. Existing files and folders keep their mode, because the user may have
// opened them to others. The package owns the modes and nothing else.
package ownerfile

import (
	"io/fs"
	"os"
)

// The modes of private files and folders.
const (
	File   fs.FileMode = 0o600
	Folder fs.FileMode = 0o700
)

// Append opens or creates a file for writing at its end.
func Append(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, File)
}

// WriteFile creates or truncates a file and writes data to it.
func WriteFile(path string, data []byte) error { return os.WriteFile(path, data, File) }

// MkdirAll creates a folder and its missing parents.
func MkdirAll(path string) error { return os.MkdirAll(path, Folder) }
