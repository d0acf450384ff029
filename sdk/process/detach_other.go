//go:build !linux

package process

import "context"

// FindMarked returns ErrNoMarks: the environment of a process can be read on Linux only.
func FindMarked(string) ([]Identity, error) { return nil, ErrNoMarks }

// EndLaunch returns ErrNoMarks, like FindMarked.
func EndLaunch(context.Context, string) ([]Leftover, error) { return nil, ErrNoMarks }
