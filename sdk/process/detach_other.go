//go:build !linux

package process

import "context"

// FindMarked is for Linux only: elsewhere the environment of a process cannot be read.
func FindMarked(string) ([]Identity, error) { return nil, ErrNoMarks }

// EndLaunch is for Linux only, as FindMarked is.
func EndLaunch(context.Context, string) ([]Leftover, error) { return nil, ErrNoMarks }
