package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/shirou/gopsutil/v4/mem"
)

func (c *Config) lookAtProgram(context.Context) result {
	f := Finding{Group: Machine, Subject: "awhost", Status: OK,
		Found: joined(c.Version, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)}
	if path := c.lookPath("go"); path != "" {
		f.Found += "; plugins that are Go packages are built with " + path
	} else {
		f.Found += "; go is not on PATH, but only plugins that are Go packages need it"
	}
	return found(f)
}

func (c *Config) lookAtSystem(context.Context) result {
	f := Finding{Group: Machine, Subject: "system", Status: OK,
		Found: joined(distribution(), kernel(), plural(runtime.NumCPU(), "CPU", "CPUs"))}
	if allowed := runtime.GOMAXPROCS(0); allowed < runtime.NumCPU() {
		f.Found += fmt.Sprintf(", of which the cgroup allows %d", allowed)
	}
	if runtime.GOOS != "linux" {
		f.Status, f.Remedy = Warn, "only Linux is tested: a guard that leaves no process behind is there only"
	}
	return found(f)
}

// distribution returns the name of the operating system, such as "Debian GNU/Linux 12 (bookworm)".
func distribution() string {
	text, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return runtime.GOOS
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return strings.Trim(name, `"'`)
		}
	}
	return runtime.GOOS
}

// leastMemory is the amount of memory that the host and a few plugins need, in bytes.
const leastMemory = 1 << 30

func (c *Config) lookAtMemory(context.Context) result {
	f := Finding{Group: Machine, Subject: "memory", Status: OK}
	m, err := readMemory()
	if err != nil {
		f.Status, f.Found = Skipped, err.Error()
		return found(f)
	}
	f.Found = fmt.Sprintf("%s free of %s", size(m.available), size(m.total))
	available := m.available
	if m.limit > 0 && m.limit < m.total {
		left := m.limit - min(m.limit, m.used)
		f.Found += fmt.Sprintf("; the cgroup allows %s and has %s left", size(m.limit), size(left))
		available = min(available, left)
	}
	if available < leastMemory {
		f.Status, f.Remedy = Warn, "give it more, or end something: when memory runs out the kernel ends plugins"
	}
	return found(f)
}

// memory holds sizes in bytes.
type memory struct {
	total, available uint64
	limit, used      uint64 // of the cgroup; a limit of 0: no limit
}

func readMemory() (memory, error) {
	machine, err := mem.VirtualMemory()
	if err != nil {
		return memory{}, err
	}
	m := memory{total: machine.Total, available: machine.Available}
	if m.total == 0 {
		return m, errors.New("the system reports no total memory")
	}
	m.limit, m.used = limitOfMemory()
	return m, nil
}

// Memory returns the number of bytes that this process may use: the machine's memory, or the limit of its cgroup. 0:
// unknown.
func Memory() uint64 {
	m, err := readMemory()
	switch {
	case err != nil:
		return 0
	case m.limit > 0:
		return min(m.limit, m.total)
	}
	return m.total
}

// lookAtProxy reports a proxy through which clients would send requests that are addressed to this machine.
func (c *Config) lookAtProxy(context.Context) result {
	for _, name := range []string{"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"} {
		if c.getenv(name) == "" {
			continue
		}
		f := Finding{Group: Machine, Subject: "proxy", Status: OK, Found: name + " is set, and no_proxy spares this machine"}
		if except := c.getenv("no_proxy") + "," + c.getenv("NO_PROXY"); !strings.Contains(except, "127.0.0.1") &&
			!strings.Contains(except, "*") {
			f.Status, f.Found = Warn, name+" is set, and no_proxy does not name 127.0.0.1"
			f.Remedy = "export no_proxy=localhost,127.0.0.1,::1: else Python's clients ask the proxy for what runs on this machine"
		}
		return found(f)
	}
	return result{}
}
