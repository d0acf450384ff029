package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

var (
	refusedHere  = []uintptr{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT}
	modeHere     = []uintptr{unix.SYS_CHMOD, unix.SYS_CREAT, unix.SYS_MKNOD}
	openHere     = []uintptr{unix.SYS_OPEN}
	othersHere   = []uintptr{unix.SYS_INOTIFY_INIT}
	metadataHere = []uintptr{
		unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_FUTIMESAT, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES,
	}
)
