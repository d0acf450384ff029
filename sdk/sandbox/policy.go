package sandbox

import (
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
)

// Policy defines what a program is permitted to do.
type Policy struct {
	// Write lists the program's own directories. The program may freely change their content; no other process should
	// use them while it runs. If the owner is root, they and their content are transferred to the program's user.
	Write []string
	// MountAs maps directories in Write to other paths inside the sandbox, if the sandbox has its own file system; see
	// Box.Path.
	MountAs map[string]string
	// ReadOwned lists directories that were created for the program to read. They are transferred in the same way.
	ReadOwned []string
	// Read lists other readable files and directories. The system's files do not need to be listed.
	Read []string
	// Dial lists TCP addresses on the loopback device to which the program may connect: "127.0.0.1:40123".
	Dial []string
	// Reusable allows the program to serve several users one after another; see Box.Reset. It excludes Dial.
	Reusable bool
	Limits   Limits
}

// Limits restricts the total usage of the program and its child processes. Zero means the default.
type Limits struct {
	Processes   int   // default: 256
	MemoryBytes int64 // default: half of the machine's memory; includes the content of /tmp and /dev/shm
	// ProcessBytes limits the data of a single process, whose allocations fail when the limit is reached. The default
	// is MemoryBytes.
	ProcessBytes int64
	DiskBytes    int64 // in Write, including earlier content; default: 8 GiB. It also bounds a single file
	TempBytes    int64 // in /tmp, and the same again in /dev/shm; default: 256 MiB
	OpenFiles    uint64
}

const (
	defaultProcesses = 256
	defaultDiskBytes = 8 << 30
	defaultTempBytes = 256 << 20
	defaultOpenFiles = 4096
)

func (l Limits) withDefaults() Limits {
	if l.Processes == 0 {
		l.Processes = defaultProcesses
	}
	if l.MemoryBytes == 0 {
		l.MemoryBytes = machineMemory() / 2
	}
	if l.ProcessBytes == 0 {
		l.ProcessBytes = l.MemoryBytes
	}
	if l.DiskBytes == 0 {
		l.DiskBytes = defaultDiskBytes
	}
	if l.TempBytes == 0 {
		l.TempBytes = defaultTempBytes
	}
	if l.OpenFiles == 0 {
		l.OpenFiles = defaultOpenFiles
	}
	return l
}

// reserved lists the directories that the sandbox creates itself.
var reserved = []string{"/proc", "/dev", "/sys"}

func (p Policy) check() error {
	for _, path := range [][]string{p.Write, p.ReadOwned, p.Read} {
		for _, path := range path {
			if err := checkPath(path); err != nil {
				return err
			}
		}
	}
	for _, path := range p.MountAs {
		if err := checkPath(path); err != nil {
			return err
		}
	}
	for _, address := range p.Dial {
		parsed, err := netip.ParseAddrPort(address)
		if err != nil || !parsed.Addr().IsLoopback() || parsed.Port() == 0 {
			return fmt.Errorf("%q is no address of the loopback device: write 127.0.0.1:PORT", address)
		}
	}
	if p.Reusable && len(p.Dial) > 0 {
		return errors.New("a program that serves users in turn reaches no address: what answers there knows of all")
	}
	if l := p.Limits; min(int64(l.Processes), l.MemoryBytes, l.ProcessBytes, l.DiskBytes, l.TempBytes) < 0 {
		return errors.New("a limit is negative")
	}
	return nil
}

func checkPath(path string) error {
	if !filepath.IsAbs(path) || filepath.Clean(path) == "/" {
		return fmt.Errorf("%q cannot be shown in a sandbox: name a file or folder by its absolute path", path)
	}
	for _, own := range reserved {
		if below(path, own) && !strings.HasPrefix(filepath.Clean(path), "/dev/shm/") {
			return fmt.Errorf("%s cannot be shown in a sandbox, which has a %s of its own", path, own)
		}
	}
	return nil
}

// below reports whether a path equals a directory or is inside it.
func below(path, folder string) bool {
	path = filepath.Clean(path)
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}
