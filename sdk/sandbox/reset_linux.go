package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// serveResets handles the owner's reset requests until the connection ends.
func (p *process1) serveResets() {
	for {
		said, _, err := receive(p.control)
		if err != nil {
			return
		}
		if said.Reset {
			done := message{Reset: true}
			err := p.endUsers()
			if err == nil && !said.Keep {
				err = p.reset()
			}
			if err != nil {
				done.Failure = err.Error()
			}
			_ = send(p.control, done) // fails only if the owner has exited
		}
	}
}

// reset empties all writable directories. If anything would remain, the error names it.
func (p *process1) reset() error {
	for _, folder := range p.instructions.Grade.inMemory() {
		if err := p.instructions.replaceTemp(folder); err != nil {
			return err
		}
	}
	for _, folder := range p.instructions.writable() {
		if err := p.instructions.empty(folder); err != nil {
			return err
		}
	}
	if err := p.checkUnchanged(); err != nil {
		return err
	}
	if err := checkKernelObjects(); err != nil {
		return err
	}
	return p.resetTimes()
}

// resetTimes sets the times of all paths that the program's users can change to the current time.
func (p *process1) resetTimes() error {
	now := []unix.Timespec{{Nsec: unix.UTIME_NOW}, {Nsec: unix.UTIME_NOW}}
	for _, path := range p.instructions.changeablePaths() {
		if err := unix.UtimesNanoAt(unix.AT_FDCWD, path, now, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return fmt.Errorf("set the times of %s: %w", path, err)
		}
	}
	return nil
}

// endTimeout limits the wait for killed processes to end.
const endTimeout = 5 * time.Second

// endUsers ends all processes except the program and this process. It first stops them all at once, because running
// processes could start others faster than they can be found. The last allocated process ID reveals whether processes
// have been resumed in the meantime.
func (p *process1) endUsers() error {
	if err := syscall.Kill(-1, syscall.SIGSTOP); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("stop all processes: %w", err)
	}
	for began, pause := time.Now(), 200*time.Microsecond; ; pause = min(2*pause, 20*time.Millisecond) {
		last, unknown := lastProcess()
		users, err := p.users()
		for _, pid := range users {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
		err = errors.Join(unknown, err, syscall.Kill(p.program, syscall.SIGCONT)) // it reaps its own children
		if err != nil {
			return err
		}
		if len(users) == 0 {
			if now, err := lastProcess(); err != nil || now == last {
				return err
			}
		}
		if time.Since(began) > endTimeout {
			return fmt.Errorf("%d processes do not end", len(users))
		}
		time.Sleep(pause)
	}
}

// lastProcess returns the last ID allocated to a process or thread in the sandbox.
func lastProcess() (string, error) {
	text, err := os.ReadFile("/proc/loadavg") // the last field
	return string(text[bytes.LastIndexByte(text, ' ')+1:]), err
}

// users returns all processes other than the program, which must be running.
func (p *process1) users() ([]int, error) {
	members, err := p.instructions.Grade.members()
	if err != nil {
		return nil, err
	}
	at := slices.Index(members, p.program)
	if at < 0 {
		return nil, errors.New("the program has ended")
	}
	return slices.Delete(members, at, at+1), nil
}

// processState is the part of the state of the program and its directories that a process of the same user can change.
type processState struct {
	limits   [unix.RLIMIT_RTTIME + 1]unix.Rlimit
	nice     int
	schedule unix.SchedAttr
	io       uintptr
	cores    unix.CPUSet
	folders  string
	network  string
	problems string // parts that could not be read
}

func (p *process1) readState() (s processState) {
	var problems []error
	for n := range s.limits {
		problems = append(problems, unix.Prlimit(p.program, n, nil, &s.limits[n]))
	}
	var err error
	s.nice, err = unix.Getpriority(unix.PRIO_PROCESS, p.program)
	problems = append(problems, err, unix.SchedGetaffinity(p.program, &s.cores))
	if schedule, err := unix.SchedGetAttr(p.program, 0); err == nil {
		s.schedule = *schedule
	} else {
		problems = append(problems, err)
	}
	const process = 1 // IOPRIO_WHO_PROCESS
	value, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, process, uintptr(p.program), 0)
	if s.io = value; errno != 0 {
		problems = append(problems, errno)
	}
	for _, path := range p.instructions.changeablePaths() {
		s.folders += pathState(path)
	}
	s.network, err = counters()
	problems = append(problems, err)
	if err := errors.Join(problems...); err != nil {
		s.problems = err.Error()
	}
	return s
}

// pathState returns the attributes that the owner of a file or directory can set, except for times and content.
func pathState(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return err.Error()
	}
	if !info.IsDir() {
		return fmt.Sprintf("%s: %v\n", path, info.Mode())
	}
	flags, version := 0, 0
	var project [28]byte // a struct fsxattr
	if f, err := os.Open(path); err == nil {
		// Each call may fail if the file system does not support it.
		flags, _ = unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
		version, _ = unix.IoctlGetInt(int(f.Fd()), getVersion)
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, f.Fd(), getProject, uintptr(unsafe.Pointer(&project)))
		f.Close()
	}
	other := attributes(path)
	return fmt.Sprintf("%s: %v %d %s %d %d %x\n", path, info.Mode(), info.Size(), other, flags, version, project)
}

// ioctl numbers for file systems that package unix does not define.
const (
	getVersion = 0x80087601 // FS_IOC_GETVERSION
	getProject = 0x801c581f // FS_IOC_FSGETXATTR
)

// attributes returns a directory's extended attributes and their values.
func attributes(path string) string {
	names := make([]byte, 64<<10) // the kernel's limit
	n, err := unix.Llistxattr(path, names)
	if errors.Is(err, unix.ENOTSUP) {
		return ""
	}
	out := fmt.Sprint(err)
	for name := range strings.SplitSeq(string(names[:max(n, 0)]), "\x00") {
		value := make([]byte, 64<<10)
		n, err := unix.Lgetxattr(path, name, value)
		if name != "" {
			out += fmt.Sprintf(" %q %q %v", name, value[:max(n, 0)], err)
		}
	}
	return out
}

// counters returns the network counters. They are never reset, and users control how far they increase.
func counters() (string, error) {
	out := ""
	for _, list := range []string{"/proc/net/dev", "/proc/net/snmp", "/proc/net/snmp6", "/proc/net/netstat"} {
		text, err := os.ReadFile(list)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // missing without IPv6
			return "", err
		}
		out += string(text)
	}
	return out, nil
}

// checkUnchanged returns an error if the state of the program or its directories has changed.
func (p *process1) checkUnchanged() error {
	now := p.readState()
	if now.network != p.began.network {
		return errors.New("its user has used the network, which has counted it")
	}
	if now != p.began || now.problems != "" {
		return fmt.Errorf("its user has changed limits or priorities of the program, or its folders%s", now.problems)
	}
	var info unix.Stat_t
	if err := unix.Stat(fmt.Sprintf("/proc/%d/environ", p.program), &info); err != nil {
		return err
	}
	if int(info.Uid) == p.instructions.UID {
		return errors.New("the program can be reached by those that it serves")
	}
	return nil
}

// lists contains files with a heading and one line for each object that can outlive its process: sockets that were sent
// but not received, and reserved IPv6 flow labels.
var lists = []string{"/proc/net/unix", "/proc/net/ip6_flowlabel"}

// checkKernelObjects returns an error if kernel objects have outlived the processes that created them.
func checkKernelObjects() error {
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // missing in a kernel without the feature
			return err
		}
		if bytes.Count(text, []byte("\n")) > 1 {
			return fmt.Errorf("something is left in %s", list)
		}
	}
	for _, list := range []string{"/proc/net/sockstat", "/proc/net/sockstat6"} {
		text, err := os.ReadFile(list)
		if err != nil && (list == "/proc/net/sockstat" || !errors.Is(err, fs.ErrNotExist)) { // not without IPv6
			return err
		}
		if left := openSockets(string(text)); left != "" {
			return fmt.Errorf("the network has %s", left)
		}
	}
	return nil
}

// openSockets returns the line for a protocol that has sockets, including sockets that are only waiting for their port
// to be released.
func openSockets(sockstat string) string {
	for line := range strings.Lines(sockstat) {
		protocol, numbers, _ := strings.Cut(line, ":")
		fields := strings.Fields(numbers)
		for i := 0; i+1 < len(fields); i += 2 {
			if count := fields[i]; protocol != "sockets" && (count == "inuse" || count == "tw") && fields[i+1] != "0" {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}

// writable returns the directories to which the program can write, except those in memory.
func (o *instructions) writable() (out []string) {
	for _, m := range o.Mounts {
		if m.Write {
			out = append(out, m.To)
		}
	}
	return out
}

// changeablePaths returns the paths whose attributes the program's users can set. It includes the directories between a
// writable directory and the mounts inside it.
func (o *instructions) changeablePaths() []string {
	out := o.writable()
	for _, folder := range o.writable() {
		shown := func(path string) bool {
			return slices.ContainsFunc(o.Mounts, func(m mount) bool {
				return m.To != folder && below(m.To, folder) && below(path, m.To)
			})
		}
		for _, m := range o.Mounts {
			for way := filepath.Dir(m.To); way != folder && below(way, folder); way = filepath.Dir(way) {
				if !shown(way) {
					out = append(out, way)
				}
			}
		}
	}
	if o.Grade == byNamespaces {
		out = append(out, "/dev/pts/ptmx")
	}
	return out
}

// empty removes a directory's content, except for mounts.
func (o *instructions) empty(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		switch {
		case slices.ContainsFunc(o.Mounts, func(m mount) bool { return m.To == path }):
		case slices.ContainsFunc(o.Mounts, func(m mount) bool { return below(m.To, path) }):
			err = o.empty(path)
		default:
			err = os.RemoveAll(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
