package sandbox

import (
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
)

// Policy says what a program may have.
type Policy struct {
	// Write are folders of the program's own. It may do with their content what it likes; nobody else should use them
	// while it runs. As root they are handed over to its user, with all that is in them.
	Write []string
	// As gives folders of Write other paths inside, by those that they have here, where the sandbox has a file system of
	// its own: see Box.Path.
	As map[string]string
	// Lend are folders that were made for the program to read, and are handed over in the same way.
	Lend []string
	// Read are other files and folders that it may read. Those of the system need not be named.
	Read []string
	// Dial are addresses of the loopback device that it may connect to, by TCP: "127.0.0.1:40123".
	Dial []string
	// Again says that the program serves one user after the other: see Box.Reset. It reaches no address then.
	Again  bool
	Limits Limits
}

// Limits bound the program and all that it starts, together. Zero means the default.
type Limits struct {
	Processes   int   // 256
	MemoryBytes int64 // half of the machine's; with what is in /tmp and /dev/shm
	// ProcessBytes bounds the data of a single process, which is told that there is no more memory. MemoryBytes.
	ProcessBytes int64
	DiskBytes    int64 // in Write, with what was there before: 8 GiB. A single file cannot be larger
	TempBytes    int64 // in /tmp, and as many in /dev/shm: 256 MiB
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

// reserved are folders that the sandbox makes itself.
var reserved = []string{"/proc", "/dev", "/sys"}

func (p Policy) check() error {
	for _, path := range [][]string{p.Write, p.Lend, p.Read} {
		for _, path := range path {
			if err := checkPath(path); err != nil {
				return err
			}
		}
	}
	for _, path := range p.As {
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
	if p.Again && len(p.Dial) > 0 {
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

// below reports whether a path is a folder or lies in it.
func below(path, folder string) bool {
	path = filepath.Clean(path)
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}
