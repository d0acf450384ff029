package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// enter runs the last stage: it gives up all rights that the program must not have and then executes the program. All
// steps affect only the calling thread, which is the one that survives. Failures are written to file descriptor 3,
// which is read by process 1.
func enter() {
	failing := os.NewFile(3, "failure")
	unix.CloseOnExec(3)
	_, _ = failing.WriteString(execProgram().Error())
}

// execProgram returns only on failure.
func execProgram() error {
	o, err := readInstructions(os.NewFile(instructionsFile, "order"))
	if err != nil {
		return err
	}
	dir := o.Dir
	if dir == "" {
		dir = "/"
	}
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close inherited files: %w", err)
	}
	if err := o.dropPrivileges(); err != nil {
		return err
	}
	threads := uint64(0) // without a namespace, the kernel also counts threads of the user's other programs
	if o.Grade == byNamespaces {
		threads = o.Limits.threads()
	}
	if err := os.Chdir(dir); err != nil { // as the program's user
		return fmt.Errorf("enter the working directory: %w", err)
	}
	if err := o.restrictFiles(); err != nil {
		return fmt.Errorf("fence the program in by landlock: %w", err)
	}
	if err := o.Limits.set(threads); err != nil {
		return err
	}
	if err := o.filterCalls(); err != nil {
		return fmt.Errorf("filter the program's system calls: %w", err)
	}
	if o.Program[0] == trialProgram {
		os.Exit(0)
	}
	return explain(o.Program[0], unix.Exec(o.Program[0], o.Program, append(contractEnv(), o.Env...)))
}

// dropPrivileges drops all of the program's capabilities, prevents it from gaining any, and switches to its own user.
func (o *instructions) dropPrivileges() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("PR_SET_NO_NEW_PRIVS", err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return os.NewSyscallError("PR_CAP_AMBIENT_CLEAR_ALL", err)
	}
	if held, err := hasCapabilities(); err != nil || !held {
		return err // an ordinary user without a namespace: PR_SET_NO_NEW_PRIVS keeps programs from gaining any
	}
	const noRoot = 1<<0 | 1<<1 | 1<<6 | 1<<7 // SECBIT_NOROOT and SECBIT_NO_CAP_AMBIENT_RAISE, both locked
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, noRoot, 0, 0, 0); err != nil {
		return os.NewSyscallError("PR_SET_SECUREBITS", err)
	}
	for capability := range uintptr(64) {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); errors.Is(err, unix.EINVAL) {
			break // the kernel has no more capabilities
		} else if err != nil {
			return os.NewSyscallError("PR_CAPBSET_DROP", err)
		}
	}
	if o.Root {
		if err := setUser(o.UID, o.GID); err != nil {
			return fmt.Errorf("become the user of the sandbox: %w", err)
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return os.NewSyscallError("capset", err)
	}
	return nil
}

// hasCapabilities reports whether this process has capabilities to give up.
func hasCapabilities() (bool, error) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var now [2]unix.CapUserData
	if err := unix.Capget(&header, &now[0]); err != nil {
		return false, os.NewSyscallError("capget", err)
	}
	return now[0].Permitted|now[1].Permitted|now[0].Effective != 0, nil
}

// setUser changes the user only for this thread. Package syscall would change it for all threads.
func setUser(uid, gid int) error {
	u, g := uintptr(uid), uintptr(gid)
	for _, call := range []struct{ number, a, b, c uintptr }{
		{unix.SYS_SETGROUPS, 0, 0, 0}, {unix.SYS_SETRESGID, g, g, g}, {unix.SYS_SETRESUID, u, u, u},
	} {
		if _, _, errno := unix.RawSyscall(call.number, call.a, call.b, call.c); errno != 0 {
			return errno
		}
	}
	return nil
}

// nprocPerProcess is the average number of threads that a process may have, because the kernel's limit counts threads.
const nprocPerProcess = 16

// threads returns the total number of threads that the program may have.
func (l Limits) threads() uint64 { return uint64(l.Processes)*nprocPerProcess + 64 }

// set sets the limits that the kernel enforces. They apply to each process, except for the limit on the number of
// threads.
func (l Limits) set(threads uint64) error {
	for _, limit := range []struct {
		what     string
		resource int
		value    uint64
	}{
		{"threads", unix.RLIMIT_NPROC, threads},
		{"open files", unix.RLIMIT_NOFILE, l.OpenFiles},
		{"the size of files", unix.RLIMIT_FSIZE, uint64(l.DiskBytes)},
		{"core dumps", unix.RLIMIT_CORE, 1}, // with 0, the kernel starts the machine's core dump handler
		{"locked memory", unix.RLIMIT_MEMLOCK, 64 << 20},
		{"message queues", unix.RLIMIT_MSGQUEUE, 1 << 20},
		{"data", unix.RLIMIT_DATA, uint64(l.ProcessBytes)},
	} {
		if limit.value == 0 && limit.resource == unix.RLIMIT_NPROC {
			continue
		}
		var now unix.Rlimit
		if err := unix.Getrlimit(limit.resource, &now); err != nil {
			return fmt.Errorf("limit %s: %w", limit.what, err)
		}
		value := min(limit.value, now.Max)
		if now.Cur == value && now.Max == value {
			continue // also if a filter refuses the call, as in a nested sandbox
		}
		// setrlimit of package syscall would restore the number of open files for the programs that it starts.
		if err := unix.Prlimit(0, limit.resource, &unix.Rlimit{Cur: value, Max: value}, nil); err != nil {
			return fmt.Errorf("limit %s: %w", limit.what, err)
		}
	}
	return nil
}

// explain returns a clear error for a failed exec: the program or its interpreter may be missing or not visible in
// the sandbox.
func explain(program string, err error) error {
	if !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("start %s in the sandbox: %w", program, err)
	}
	if _, missing := os.Stat(program); missing != nil {
		return fmt.Errorf(
			"start %s in the sandbox: it is not among the files that can be read there: name its folder",
			program,
		)
	}
	text := ""
	if f, err := os.Open(program); err == nil {
		head := make([]byte, 128)
		n, _ := f.Read(head)
		text, _, _ = strings.Cut(string(head[:n]), "\n")
		f.Close()
	}
	if interpreter, ok := strings.CutPrefix(text, "#!"); ok {
		return fmt.Errorf("start %s in the sandbox: its interpreter (%s) is not among the files that can be read there",
			filepath.Base(program), strings.TrimSpace(interpreter))
	}
	return fmt.Errorf(
		"start %s in the sandbox: its loader is not among the files that can be read there: %w",
		program,
		err,
	)
}

// restrictFiles applies landlock if the kernel supports it.
func (o *instructions) restrictFiles() error {
	abi, err := landlockABI()
	if err != nil || abi < 1 {
		return nil // the namespaces still confine the program; Probe reports it
	}
	ruleset, err := newRuleset(abi, o.Grade)
	if err != nil {
		return err
	}
	defer unix.Close(ruleset.fd)
	for _, rule := range o.landlockRules(ruleset) {
		if err := ruleset.allow(rule.path, rule.access); err != nil {
			return fmt.Errorf("%s: %w", rule.path, err)
		}
	}
	if err := o.landlockPorts(ruleset); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(ruleset.fd), 0, 0); errno != 0 {
		return os.NewSyscallError("landlock_restrict_self", errno)
	}
	return nil
}

// filterCalls installs the system call filter.
func (o *instructions) filterCalls() error {
	program := o.callFilter()
	if len(program) == 0 {
		return nil // an architecture whose system call numbers are not listed; Probe reports it
	}
	fprog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return os.NewSyscallError("seccomp", errno)
	}
	return nil
}
