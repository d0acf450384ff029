//go:build !unix

package sdk

func keepInheritedLock() {}
