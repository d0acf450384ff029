package sandbox

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// ids holds the user IDs for a sandbox. Its namespace has one or two.
type ids struct {
	uid, gid int  // of the program, inside and outside
	root     bool // process 1 is root, and the program runs as another user
	plain    bool // both run as this user, without namespaces
}

// A range of user IDs that services allocate at run time. systemd assigns its dynamic users from the same range.
const (
	firstID = 61184
	manyIDs = 4336
)

var idsTaken atomic.Uint32

// chooseIDs returns a separate user for a program started by root, if one is mapped. In a container that maps only
// root, the program keeps root's ID. Outside the container, this is the ID of the user who started the container.
func chooseIDs() (ids, error) {
	own := ids{uid: os.Geteuid(), gid: os.Getegid()}
	if own.uid != 0 {
		return own, nil
	}
	id := firstID + int(uint32(os.Getpid())+idsTaken.Add(1))%manyIDs
	for _, file := range []string{"/proc/self/uid_map", "/proc/self/gid_map"} {
		mapped, err := isMapped(file, id)
		if err != nil {
			return ids{}, err
		}
		if !mapped {
			return own, nil
		}
	}
	return ids{uid: id, gid: id, root: true}, nil
}

// ids returns the sandbox's users. Without its own file system, a program running as another user could not access its
// directories.
func (g grade) ids() (ids, error) {
	if g == byLandlock {
		return ids{uid: os.Geteuid(), gid: os.Getegid(), plain: true}, nil
	}
	return chooseIDs()
}

func isMapped(file string, id int) (bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var inside, outside, count int
		if _, err := fmt.Sscan(lines.Text(), &inside, &outside, &count); err == nil && id >= inside && id-inside < count {
			return true, nil
		}
	}
	return false, lines.Err()
}

// neededCapabilities lists the capabilities that process 1 needs to set up the sandbox. They apply only inside the
// sandbox.
var neededCapabilities = []uintptr{
	unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_NET_BIND_SERVICE, unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_SETPCAP,
	unix.CAP_SYS_CHROOT, unix.CAP_KILL, unix.CAP_SYS_PTRACE, unix.CAP_DAC_OVERRIDE, unix.CAP_SYS_RESOURCE,
}

// attributes sets the attributes of process 1.
func (i ids) attributes(a *syscall.SysProcAttr) {
	if i.plain {
		return
	}
	a.Cloneflags |= unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUTS
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: i.uid, HostID: i.uid, Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: i.gid, HostID: i.gid, Size: 1}}
	if i.root {
		root := syscall.SysProcIDMap{Size: 1}
		a.UidMappings, a.GidMappings = append(a.UidMappings, root), append(a.GidMappings, root)
		a.GidMappingsEnableSetgroups = true
	}
	a.AmbientCaps = neededCapabilities
}

// chownTo transfers the ownership of a directory and its content to the program's user. It does not follow symbolic
// links.
func (i ids) chownTo(folder string) error {
	if !i.root {
		return nil
	}
	return filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, i.uid, i.gid)
	})
}
