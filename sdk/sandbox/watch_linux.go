package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/awhost/awhost/sdk/process"
)

const (
	watchPeriod = 100 * time.Millisecond
	diskPeriod  = 500 * time.Millisecond
	// diskShare limits file scanning to 1/diskShare of a processor's time.
	diskShare = 20
)

// watch checks the sandbox's total usage and ends all of its processes if a limit is exceeded. It stops when process 1
// ends.
func (p *process1) watch() {
	ticker := time.NewTicker(watchPeriod)
	nextDisk, seen := time.Now(), int64(0)
	for range ticker.C {
		why := p.instructions.excess()
		used := usedOf(p.instructions.writable())
		if why == "" && (time.Now().After(nextDisk) || used-seen > p.instructions.Limits.DiskBytes/4) {
			began := time.Now()
			why = p.instructions.diskExcess()
			nextDisk, seen = time.Now().Add(max(diskPeriod, diskShare*time.Since(began))), used
		}
		if why != "" {
			p.excess.Store(&why)
			_ = send(p.control, message{Excess: why}) // fails only if the owner has exited
			p.endAll()
			return
		}
	}
}

// inMemory returns the in-memory file systems to which the program can write.
func (g grade) inMemory() []string {
	if g == byLandlock {
		return nil
	}
	return []string{"/tmp", "/dev/shm"}
}

// excess returns a description of the limit that was exceeded, or an empty string.
func (o *instructions) excess() string {
	l := o.Limits
	members, err := o.Grade.members()
	if err != nil {
		return "what it uses cannot be seen any more: " + err.Error()
	}
	processes := len(members)
	if o.Again {
		processes-- // without the program itself, only its users
	}
	if processes > l.Processes {
		return fmt.Sprintf("it had %d processes, more than processes (%d)", processes, l.Processes)
	}
	held := int64(0)
	if o.Counted {
		held = o.Grade.socketBytes() // the group does not count the buffers of netlink sockets
	} else if files := usedOf(o.Grade.inMemory()); o.Grade.usage(members, false)+files > l.MemoryBytes {
		held = o.Grade.usage(members, true) + files // counts memory shared by processes once
	}
	if held > l.MemoryBytes {
		return fmt.Sprintf("it and what it has started had %d bytes in memory, more than memory_bytes (%d)",
			held, l.MemoryBytes)
	}
	return ""
}

// usedOf returns the bytes used on the directories' file systems.
func usedOf(folders []string) (used int64) {
	for _, folder := range folders {
		var s unix.Statfs_t
		if err := unix.Statfs(folder, &s); err == nil {
			used += int64(s.Blocks-s.Bfree)*s.Bsize + int64(s.Files-s.Ffree)*inodeBytes/8
		}
	}
	return used
}

// usage returns the memory that processes hold. An exact count would be slower.
func (g grade) usage(members []int, exact bool) (held int64) {
	for _, pid := range members {
		status := []string{"VmPTE:", "HugetlbPages:", "RssAnon:", "RssShmem:", "VmSwap:"}
		if exact {
			held += sumOf(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss_Anon:", "Pss_Shmem:", "SwapPss:")
			status = status[:2]
		}
		held += sumOf(fmt.Sprintf("/proc/%d/status", pid), status...) + openFiles(pid)*inodeBytes
	}
	return held + g.socketBytes()
}

// openFiles counts a process's file descriptors. It returns 0 if the process has ended.
func openFiles(pid int) int64 {
	dir, err := os.Open(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return 0
	}
	defer dir.Close()
	if info, err := dir.Stat(); err == nil && info.Size() > 0 {
		return info.Size()
	}
	names, _ := dir.Readdirnames(-1) // before Linux 6.2
	return int64(len(names))
}

const (
	// freeSockets are not counted as memory, because every program has a few sockets.
	freeSockets = 64
	// socketBytes is the capacity of a socket's buffers under the kernel's defaults.
	socketBytes = 2 * 212992
)

// socketBytes returns the maximum amount of memory that the sandbox's sockets can hold in their buffers.
func (g grade) socketBytes() int64 {
	text, err := os.ReadFile("/proc/net/sockstat")
	var used int64
	if _, scan := fmt.Sscanf(string(text), "sockets: used %d", &used); err != nil || scan != nil || g == byLandlock {
		return 0 // the sockets belong to the whole machine; Probe reports it
	}
	return max(used-freeSockets, 0) * socketBytes
}

// members returns the sandbox's processes except process 1, which is this process: all processes in the namespace, or
// the descendants of process 1.
func (g grade) members() ([]int, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var all []int
	parents := map[int]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		all = append(all, pid)
		if g == byLandlock {
			parents[pid], _ = process.Parent(pid) // 0 if the process has ended
		}
	}
	if g == byNamespaces {
		return all, nil
	}
	return slices.DeleteFunc(all, func(pid int) bool { return !isDescendant(pid, parents) }), nil
}

// isDescendant follows a process's parents up to this process. If processes end in the meantime, it may miss one or
// loop; the number of iterations is limited.
func isDescendant(pid int, parents map[int]int) bool {
	for range len(parents) + 1 {
		if pid = parents[pid]; pid == os.Getpid() {
			return true
		}
		if pid <= 1 {
			return false
		}
	}
	return false
}

// sumOf adds the lines of the form "NAME: N kB" in a file in /proc. It returns 0 if the process has ended.
func sumOf(file string, names ...string) (bytesHeld int64) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		for _, name := range names {
			if len(fields) >= 2 && string(fields[0]) == name {
				n, _ := strconv.ParseInt(string(fields[1]), 10, 64)
				bytesHeld += n << 10
			}
		}
	}
	return bytesHeld
}

// diskExcess explains that the program's directories contain too much, or more than can be counted. It returns an empty
// string if they do not.
func (o *instructions) diskExcess() string {
	held := o.deletedBytes()
	var tooDeep error
	for i, m := range o.Mounts {
		if !m.Write || i > 0 && o.Mounts[i-1].From == m.From {
			continue
		}
		_ = filepath.WalkDir(m.To, func(path string, d fs.DirEntry, err error) error {
			var info fs.FileInfo
			if err == nil {
				info, err = d.Info()
			}
			if errors.Is(err, unix.ENAMETOOLONG) {
				tooDeep = err
				return fs.SkipAll
			}
			if err != nil {
				return nil //nolint:nilerr // it has gone meanwhile
			}
			if stat, ok := info.Sys().(*syscall.Stat_t); ok {
				held += stat.Blocks*512 + inodeBytes
			}
			if held > o.Limits.DiskBytes {
				return fs.SkipAll
			}
			return nil
		})
	}
	if tooDeep != nil {
		return fmt.Sprintf("its folders held a path of more than %d bytes, below which nothing can be counted", unix.PathMax)
	}
	if held > o.Limits.DiskBytes {
		return fmt.Sprintf("its folders held %d bytes, more than disk_bytes (%d)", held, o.Limits.DiskBytes)
	}
	return ""
}

// deletedBytes returns the total size of deleted files that processes still have open, except for files in memory.
func (o *instructions) deletedBytes() (held int64) {
	counted := map[[2]uint64]bool{}
	inMemory := map[uint64]bool{}
	var file unix.Stat_t
	for _, folder := range o.Grade.inMemory() {
		if unix.Stat(folder, &file) == nil {
			inMemory[file.Dev] = true
		}
	}
	if own, err := unix.MemfdCreate("device", unix.MFD_CLOEXEC); err == nil { // all such files have one device
		if unix.Fstat(own, &file) == nil {
			inMemory[file.Dev] = true
		}
		unix.Close(own)
	}
	members, _ := o.Grade.members()
	for _, pid := range members {
		folder := fmt.Sprintf("/proc/%d/fd/", pid)
		names, _ := os.ReadDir(folder) // empty if the process has ended
		for _, name := range names {
			if unix.Stat(folder+name.Name(), &file) != nil || file.Nlink > 0 || file.Mode&unix.S_IFMT != unix.S_IFREG ||
				inMemory[file.Dev] || counted[[2]uint64{file.Dev, file.Ino}] {
				continue
			}
			counted[[2]uint64{file.Dev, file.Ino}] = true
			held += file.Blocks * 512
		}
	}
	return held
}
