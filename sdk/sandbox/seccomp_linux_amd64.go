package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch    = unix.AUDIT_ARCH_X86_64
	firstForeign = 0x40000000 // the calls of x32
)

var (
	refusedHere = []uintptr{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT}
	modeHere    = []uintptr{unix.SYS_CHMOD, unix.SYS_CREAT, unix.SYS_MKNOD}
	openHere    = []uintptr{unix.SYS_OPEN}
)
