package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// refused lists system calls that change the machine or bypass the sandbox. Most need a right that the program does not
// have. They are nevertheless refused, to reduce the kernel's attack surface.
var refused = []uintptr{
	unix.SYS_ACCT,
	unix.SYS_ADD_KEY,
	unix.SYS_ADJTIMEX,
	unix.SYS_BPF,
	unix.SYS_CHROOT,
	unix.SYS_CLOCK_ADJTIME,
	unix.SYS_CLOCK_SETTIME,
	unix.SYS_DELETE_MODULE,
	unix.SYS_FANOTIFY_INIT,
	unix.SYS_FINIT_MODULE,
	unix.SYS_FSCONFIG,
	unix.SYS_FSMOUNT,
	unix.SYS_FSOPEN,
	unix.SYS_FSPICK,
	unix.SYS_INIT_MODULE,
	unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_KEXEC_LOAD,
	unix.SYS_KEYCTL,
	unix.SYS_LOOKUP_DCOOKIE,
	unix.SYS_MEMFD_SECRET,
	unix.SYS_MOUNT,
	unix.SYS_MOUNT_SETATTR,
	unix.SYS_MOVE_MOUNT,
	unix.SYS_NAME_TO_HANDLE_AT,
	unix.SYS_NFSSERVCTL,
	unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_OPEN_TREE,
	unix.SYS_PERF_EVENT_OPEN,
	unix.SYS_PIDFD_GETFD,
	unix.SYS_PIVOT_ROOT,
	unix.SYS_QUOTACTL,
	unix.SYS_QUOTACTL_FD,
	unix.SYS_REBOOT,
	unix.SYS_REQUEST_KEY,
	unix.SYS_SETDOMAINNAME,
	unix.SYS_SETHOSTNAME,
	unix.SYS_SETNS,
	unix.SYS_SETTIMEOFDAY,
	unix.SYS_SWAPOFF,
	unix.SYS_SWAPON,
	unix.SYS_SYSLOG,
	unix.SYS_UMOUNT2,
	unix.SYS_UNSHARE,
	unix.SYS_USERFAULTFD,
	unix.SYS_VHANGUP,
}

// unknown lists system calls that fail as if they were not implemented, so that programs use alternatives. The filter
// cannot see the actions of io_uring or the flags of the newer clone and open calls. The machine counts asynchronous
// I/O requests jointly for all users.
var unknown = []uintptr{
	unix.SYS_CLONE3, unix.SYS_IO_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_IO_URING_SETUP,
	unix.SYS_OPENAT2,
}

// firstUnknown is the number of the first system call that is newer than these lists. Such calls fail as unimplemented.
const firstUnknown = unix.SYS_MSEAL + 1

// pagePinningCalls lists calls that keep pages in pipes and sockets, where they cannot be counted: one byte keeps up to
// 2 MiB. Programs copy data instead if these calls fail with EINVAL.
var pagePinningCalls = []uintptr{unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_TEE, unix.SYS_VMSPLICE}

// families lists the socket families that a program may use. Others expose the kernel or bypass the sandbox: virtual
// machine sockets (AF_VSOCK) do not belong to any namespace.
var families = []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}

const (
	newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	setID = unix.S_ISUID | unix.S_ISGID
)

// filter is a BPF program under construction.
type filter []unix.SockFilter

// Offsets in a system call's description (struct seccomp_data).
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16 // 8 bytes each, low bytes first
)

func argument(n uint32) uint32 { return atArgs + 8*n }

func (f *filter) add(code uint16, k uint32, yes, no uint8) {
	*f = append(*f, unix.SockFilter{Code: code, K: k, Jt: yes, Jf: no})
}

func (f *filter) load(at uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, at, 0, 0) }

func (f *filter) answer(errno unix.Errno) {
	f.add(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(errno), 0, 0)
}

func (f *filter) allow() { f.add(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW, 0, 0) }

// on adds a block that handles one system call. The block must end with a result.
func (f *filter) on(number uintptr, block func(*filter)) {
	var inner filter
	block(&inner)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, uint32(number), 0, uint8(len(inner)))
	*f = append(*f, inner...)
}

// flags refuses a call if its argument n has any of the given bits set.
func flags(n, bits uint32) func(*filter) {
	return func(f *filter) {
		f.load(argument(n))
		f.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, bits, 0, 1)
		f.answer(unix.EPERM)
		f.allow()
	}
}

// refuseSetID refuses a call that creates a file with a set-ID bit. Without these flags, the kernel ignores the mode,
// which is the argument that follows the flags.
func refuseSetID(n uint32) func(*filter) {
	return func(f *filter) {
		f.load(argument(n))
		f.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, unix.O_CREAT|unix.O_TMPFILE&^unix.O_DIRECTORY, 0, 3)
		flags(n+1, setID)(f)
	}
}

// ipc lists calls that create or use objects that outlive their process. The objects' sequential numbers reveal how
// many were created before.
var ipc = []uintptr{
	unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK, unix.SYS_MSGCTL, unix.SYS_MSGGET, unix.SYS_MSGRCV, unix.SYS_MSGSND,
	unix.SYS_SEMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SHMAT, unix.SYS_SHMCTL,
	unix.SYS_SHMGET,
}

// metadata lists calls that change the modes, owners, and times of files that landlock does not let the program open.
// They succeed without having any effect, because git, pip, npm, and tar change the modes of files that they create and
// stop on an error.
var metadata = []uintptr{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT,
}

// extended lists calls that change extended file attributes, which some file systems do not support either.
var extended = []uintptr{
	unix.SYS_FREMOVEXATTR, unix.SYS_FSETXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_LSETXATTR, unix.SYS_REMOVEXATTR,
	unix.SYS_SETXATTR,
}

// others lists calls with which a program could disturb or monitor its user's other programs.
var others = []uintptr{
	unix.SYS_INOTIFY_INIT1, unix.SYS_IOPRIO_SET, unix.SYS_LISTEN, unix.SYS_SCHED_SETATTR, unix.SYS_SETPRIORITY,
}

// scheduling lists calls with which a program could slow down its user's other processes.
var scheduling = []uintptr{unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETSCHEDULER}

// requireOwnProcess refuses a call that targets another process.
func requireOwnProcess(f *filter) {
	f.load(argument(0))
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, 1, 0)
	f.answer(unix.EPERM)
	f.allow()
}

// withoutPointer makes a call return errno if its argument n is not NULL.
func withoutPointer(n uint32, errno unix.Errno) func(*filter) {
	return func(f *filter) {
		f.load(argument(n))
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, 0, 2)
		f.load(argument(n) + 4)
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, 1, 0)
		f.answer(errno)
		f.allow()
	}
}

// coreLimit refuses calls that change the core dump limit. Argument n is the limit's number, and the next argument is
// its new value.
func coreLimit(n uint32) func(*filter) {
	return func(f *filter) {
		f.load(argument(n))
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.RLIMIT_CORE, 1, 0)
		f.allow()
		withoutPointer(n+1, unix.EPERM)(f)
	}
}

// noSharedMemory refuses anonymous shared memory, which remains allocated but is not counted while no process maps it.
func noSharedMemory(f *filter) {
	f.load(argument(3))
	f.add(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, unix.MAP_SHARED|unix.MAP_ANONYMOUS, 0, 0)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.MAP_SHARED|unix.MAP_ANONYMOUS, 0, 1)
	f.answer(unix.EPERM)
	f.allow()
}

// withoutNamespaces refuses further calls that programs on the same machine can use to interact and that landlock does
// not cover.
func (f *filter) withoutNamespaces() {
	for _, number := range slices.Concat(others, othersHere) {
		f.on(number, func(f *filter) { f.answer(unix.EPERM) })
	}
	for _, number := range slices.Concat(metadata, metadataHere) {
		f.on(number, func(f *filter) { f.answer(0) })
	}
	for _, number := range extended {
		f.on(number, func(f *filter) { f.answer(unix.EOPNOTSUPP) })
	}
	for _, number := range scheduling {
		f.on(number, requireOwnProcess)
	}
	f.on(unix.SYS_UTIMENSAT, withoutPointer(1, 0)) // only for open files
	f.on(unix.SYS_SOCKETPAIR, func(f *filter) {    // no datagrams, which can be sent to any path
		f.load(argument(1))
		f.add(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, 0xf, 0, 0)
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.SOCK_STREAM, 2, 0)
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.SOCK_SEQPACKET, 1, 0)
		f.answer(unix.EPERM)
		f.allow()
	})
	f.on(unix.SYS_SOCKET, func(f *filter) { // only TCP, which landlock restricts
		f.load(argument(0))
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.AF_INET, 2, 0)
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.AF_INET6, 1, 0)
		f.answer(unix.EAFNOSUPPORT)
		f.load(argument(1))
		f.add(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, 0xf, 0, 0)
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.SOCK_STREAM, 1, 0)
		f.answer(unix.EPERM)
		f.load(argument(2))
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, 2, 0)
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.IPPROTO_TCP, 1, 0)
		f.answer(unix.EPERM)
		f.allow()
	})
	f.on(unix.SYS_SENDTO, flags(3, unix.MSG_FASTOPEN)) // MSG_FASTOPEN connects, too
	f.on(unix.SYS_SENDMSG, flags(2, unix.MSG_FASTOPEN))
	f.on(unix.SYS_SENDMMSG, flags(3, unix.MSG_FASTOPEN))
}

// callFilter returns the filter, or nil for an architecture whose system call numbers are not included.
func (o *instructions) callFilter() []unix.SockFilter {
	if auditArch == 0 {
		return nil
	}
	var f filter
	f.load(atArch)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, auditArch, 1, 0)
	f.answer(unix.ENOSYS) // other architectures have other numbers
	f.load(atNumber)
	f.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, firstUnknown, 0, 1) // also covers the calls of x32
	f.answer(unix.ENOSYS)
	for _, number := range slices.Concat(refused, refusedHere) {
		f.on(number, func(f *filter) { f.answer(unix.EPERM) })
	}
	for _, number := range unknown {
		f.on(number, func(f *filter) { f.answer(unix.ENOSYS) })
	}
	for _, number := range pagePinningCalls {
		f.on(number, func(f *filter) { f.answer(unix.EINVAL) })
	}
	if o.Grade == byLandlock {
		f.withoutNamespaces()
	}
	f.on(unix.SYS_CLONE, flags(0, newNamespaces|unix.CLONE_PARENT))
	if o.Counted { // the group counts everything except huge pages
		f.on(unix.SYS_MMAP, flags(3, unix.MAP_HUGETLB))
		f.on(unix.SYS_MEMFD_CREATE, flags(1, unix.MFD_HUGETLB))
	} else {
		f.on(unix.SYS_MMAP, noSharedMemory)
		f.on(unix.SYS_MEMFD_CREATE, func(f *filter) { f.answer(unix.ENOSYS) }) // memory in files cannot be counted
	}
	f.on(unix.SYS_SETRLIMIT, coreLimit(0))
	f.on(unix.SYS_PRLIMIT64, func(f *filter) {
		if o.Grade == byLandlock {
			f.load(argument(0))
			f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, 1, 0)
			f.answer(unix.EPERM)
		}
		coreLimit(1)(f)
	})
	f.on(unix.SYS_FCHMOD, flags(1, setID))
	f.on(unix.SYS_FCHMODAT, flags(2, setID))
	f.on(unix.SYS_FCHMODAT2, flags(2, setID))
	f.on(unix.SYS_MKNODAT, flags(2, setID))
	for _, number := range modeHere {
		f.on(number, flags(1, setID))
	}
	f.on(unix.SYS_OPENAT, refuseSetID(2))
	for _, number := range openHere {
		f.on(number, refuseSetID(1))
	}
	if o.Grade == byLandlock || o.Again {
		for _, number := range ipc {
			f.on(number, func(f *filter) { f.answer(unix.EPERM) })
		}
	}
	f.on(unix.SYS_SOCKET, refuseOtherFamilies)
	f.on(unix.SYS_IOCTL, refuseTerminalInput)
	f.allow()
	return f
}

// refuseOtherFamilies refuses sockets in other families.
func refuseOtherFamilies(f *filter) {
	f.load(argument(0))
	for i, family := range families {
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, family, uint8(len(families)-i), 0)
	}
	f.answer(unix.EAFNOSUPPORT)
	f.allow()
}

// refuseTerminalInput refuses the calls with which a program can inject input into its terminal.
func refuseTerminalInput(f *filter) {
	f.load(argument(1))
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.TIOCSTI, 1, 0)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, tiocLinux, 0, 1)
	f.answer(unix.EPERM)
	f.allow()
}

// tiocLinux is TIOCLINUX, which pastes into a terminal.
const tiocLinux = 0x541C
