//go:build unix

package sdk

import "syscall"

// inheritedFile is where a host hands the lock of its run on, see process.Config.ExtraFiles.
const inheritedFile = 3

// keepInherited keeps the lock for as long as this process lives, and from those that it starts: they may outlive it.
func keepInherited() { syscall.CloseOnExec(inheritedFile) }
