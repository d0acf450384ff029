// Package ownerfile creates files and directories that only their owner can read: locks, journals, logs, and the files
// for a trainer's launch, which may contain conversations, keys, and addresses.
//
//	log, err := ownerfile.Append(path)
//
// The umask can remove further permissions. Existing files and directories keep their mode, because the user may have
// granted others access to them. The package is responsible only for the modes.
package ownerfile

import (
	"io/fs"
	"os"
)

// The modes of private files and directories.
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

// MkdirAll creates a directory and its missing parents.
func MkdirAll(path string) error { return os.MkdirAll(path, Folder) }
