//go:build unix

package sdk

import "syscall"

// inheritedFile is the file descriptor of the inherited run lock; see process.Config.ExtraFiles.
const inheritedFile = 3

// keepInheritedLock keeps the lock until this process exits. Its children, which may outlive it, do not inherit the
// lock.
func keepInheritedLock() { syscall.CloseOnExec(inheritedFile) }
