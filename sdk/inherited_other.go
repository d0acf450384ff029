//go:build !unix

package sdk

func keepInherited() {}
