// Package private makes files and folders that only their owner may read: locks, journals, logs, and what a launch of a
// trainer needs, which may hold conversations, keys and addresses.
//
//	log, err := private.Append(path)
//
// The umask can take away more, as always. What exists keeps its mode: a person may have opened it to others. It owns
// the modes and nothing else.
package private

import (
	"io/fs"
	"os"
)

// The modes of what is private.
const (
	File   fs.FileMode = 0o600
	Folder fs.FileMode = 0o700
)

// Append opens or creates a file to write at its end.
func Append(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, File)
}

// WriteFile writes a file, which is created or cut first.
func WriteFile(path string, data []byte) error { return os.WriteFile(path, data, File) }

// MkdirAll makes a folder and the parents that are missing.
func MkdirAll(path string) error { return os.MkdirAll(path, Folder) }
