//go:build !linux

package process

import "context"

// FindMarked returns ErrNoMarks, because the environment of a process can be read only on Linux.
func FindMarked(string) ([]Identity, error) { return nil, ErrNoMarks }

// EndLaunch returns ErrNoMarks, as FindMarked does.
func EndLaunch(context.Context, string) ([]Leftover, error) { return nil, ErrNoMarks }
