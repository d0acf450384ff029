package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func kernel() string {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return ""
	}
	return "Linux " + unix.ByteSliceToString(name.Release[:])
}

func limitOfMemory() (limit, used uint64) { return cgroupMemory("/proc/self/cgroup", "/sys/fs/cgroup") }

// cgroupMemory returns the lowest memory limit among the process's cgroup and its ancestors, and the memory usage of
// that cgroup. 0 means no limit. It supports version 2 (one hierarchy) and version 1 (a separate hierarchy for memory).
func cgroupMemory(membership, root string) (limit, used uint64) {
	text, err := os.ReadFile(membership)
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // hierarchy:controllers:path
		if len(fields) != 3 {
			continue
		}
		top, limitFile, usedFile := root, "memory.max", "memory.current"
		if fields[1] == "memory" {
			top, limitFile, usedFile = filepath.Join(root, "memory"), "memory.limit_in_bytes", "memory.usage_in_bytes"
		} else if fields[1] != "" {
			continue
		}
		for dir := filepath.Join(top, fields[2]); ; dir = filepath.Dir(dir) {
			if n := readNumber(filepath.Join(dir, limitFile)); n > 0 && (limit == 0 || n < limit) {
				limit, used = n, readNumber(filepath.Join(dir, usedFile))
			}
			if dir == top || len(dir) <= len(top) {
				break
			}
		}
	}
	if limit >= 1<<62 { // version 1 uses a huge number for no limit
		return 0, 0
	}
	return limit, used
}

// readNumber returns 0 if the file is missing or contains "max".
func readNumber(path string) uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// fsNames maps the file system types of statfs(2) to names.
var fsNames = map[int64]string{
	0xef53: "ext4", 0x58465342: "xfs", 0x9123683e: "btrfs", 0x2fc12fc1: "zfs", 0x01021994: "tmpfs", 0x794c7630: "overlay",
	0x65735546: "fuse", 0x6969: "nfs", 0xff534d42: "cifs", 0xfe534d42: "smb2", 0x0bd00bd0: "lustre", 0x19830326: "beegfs",
	0x47504653: "gpfs", 0x01021997: "9p", 0x00c36400: "ceph", 0xf2f52010: "f2fs", 0x6a656a63: "virtiofs",
	0x2011bab0: "exfat", 0x4d44: "vfat",
}

// networked lists the file systems that other machines can also mount.
var networked = map[string]bool{
	"nfs": true, "cifs": true, "smb2": true, "lustre": true, "beegfs": true, "gpfs": true, "ceph": true, "9p": true,
	"virtiofs": true, "fuse": true,
}

func statDisk(path string) (disk, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return disk{}, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	name := fsNames[int64(s.Type)]
	if name == "" {
		name = fmt.Sprintf("file system %#x", s.Type)
	}
	return disk{
		name: name, shared: networked[name], free: s.Bavail * uint64(s.Bsize), total: s.Blocks * uint64(s.Bsize),
		noInodes: s.Files > 0 && s.Ffree == 0, readOnly: s.Flags&unix.ST_RDONLY != 0,
	}, nil
}

// tryLock locks an unnamed temporary file on the file system of dir. If that is not possible, as on NFS, it takes a
// shared lock on an existing file.
func tryLock(dir, there string) error {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return lockShared(there)
	}
	defer unix.Close(fd)
	return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
}
