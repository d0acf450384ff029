//go:build !linux

package testlevel

const memory = ""

func memoryFits() bool { return false }
