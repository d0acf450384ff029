package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// oldRoot is the mount point for the machine's file system while the sandbox's file system is built.
const oldRoot = "/.machine"

// Mount attributes.
const (
	fileMountFlags     = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	writableMountFlags = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	// devices can still be written
	deviceMountFlags = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC
)

// makeFileSystem builds a new root that contains only the mounts of the instructions and the system's lists, and
// unmounts the machine's root.
func (o *instructions) makeFileSystem() error {
	if err := o.mountRoot(); err != nil {
		return fmt.Errorf("make the file system of the sandbox: %w", err)
	}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"the system's files", mountSystem}, {"/etc", o.writeEtc}, {"/dev", o.makeDev}, {"/tmp", o.makeTemp},
		{"/proc", makeProc},
		{"its own files", o.mountPaths}, {"the machine's", unmountOldRoot},
	} {
		if err := step.do(); err != nil {
			return fmt.Errorf("make the file system of the sandbox: %s: %w", step.what, err)
		}
	}
	if o.Dir == "" {
		o.Dir = "/"
	}
	return nil
}

// mountRoot mounts an empty tmpfs as the root, with the machine's root below it.
func (o *instructions) mountRoot() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return os.NewSyscallError("mount", err)
	}
	base := "/tmp" // any existing folder will do
	if !exists(base) {
		base = "/usr"
	}
	err := unix.Mount("tmpfs", base, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=4m")
	if err != nil {
		return fmt.Errorf("mount a tmpfs: %w", err)
	}
	if err := os.Mkdir(base+oldRoot, 0o700); err != nil {
		return err
	}
	if err := unix.PivotRoot(base, base+oldRoot); err != nil {
		return os.NewSyscallError("pivot_root", err)
	}
	return os.Chdir("/")
}

// mountSystem mounts those paths in the system lists that exist. Symbolic links are recreated.
func mountSystem() error {
	for _, list := range [][]string{systemFolders, systemFiles} {
		for _, path := range list {
			info, err := os.Lstat(oldRoot + path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if info.Mode()&fs.ModeSymlink == 0 {
				err = bind(oldRoot+path, path, fileMountFlags)
			} else {
				err = copyLink(path)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func copyLink(path string) error {
	target, err := os.Readlink(oldRoot + path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.Symlink(target, path)
}

// bind mounts a file or directory at another path, along with all mounts below it.
func bind(from, to string, attributes uint64) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if err := mountPoint(to, info.IsDir()); err != nil {
		return err
	}
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("show %s: %w", to, err)
	}
	return protect(to, attributes, unix.AT_RECURSIVE)
}

func protect(path string, attributes uint64, flags uint) error {
	err := unix.MountSetattr(unix.AT_FDCWD, path, flags, &unix.MountAttr{Attr_set: attributes})
	if err != nil {
		return fmt.Errorf("protect %s: mount_setattr: %w", path, err)
	}
	return nil
}

func mountPoint(path string, folder bool) error {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if folder {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o644)
}

// writeEtc writes the users and the loopback device to /etc.
func (o *instructions) writeEtc() error {
	id := strconv.Itoa(o.UID) + ":" + strconv.Itoa(o.GID)
	for name, text := range map[string]string{
		"passwd": "root:x:0:0:root:/:/usr/sbin/nologin\nsandbox:x:" + id + ":sandbox:/:/bin/sh\n",
		"group":  "root:x:0:\nsandbox:x:" + strconv.Itoa(o.GID) + ":\n",
		"hosts":  "127.0.0.1 localhost sandbox\n::1 localhost\n",
		// No name server responds, so name lookups fail immediately.
		"resolv.conf": "",
	} {
		if err := os.MkdirAll("/etc", 0o755); err != nil {
			return err
		}
		if err := os.WriteFile("/etc/"+name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// devices lists the devices in a sandbox.
var devices = []string{"null", "full", "random", "urandom"}

// makeDev creates the devices that programs need.
func (o *instructions) makeDev() error {
	for _, name := range devices {
		if err := bind(oldRoot+"/dev/"+name, "/dev/"+name, deviceMountFlags); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{
		"zero": "full", // reads as zeros, and cannot be mapped as shared memory without a file
		"fd":   "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
		"ptmx": "pts/ptmx",
	} {
		if err := os.Symlink(target, "/dev/"+name); err != nil {
			return err
		}
	}
	if err := os.Mkdir("/dev/pts", 0o755); err != nil {
		return err
	}
	err := unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620")
	if err != nil {
		return fmt.Errorf("mount a devpts: %w", err)
	}
	return o.makeTempFolder("/dev/shm")
}

func (o *instructions) makeTemp() error {
	for _, folder := range []string{nextTemp, "/var"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	if err := os.Symlink("/tmp", "/var/tmp"); err != nil {
		return err
	}
	return o.makeTempFolder("/tmp")
}

// inodeBytes is the size counted for an empty file, which is the kernel memory for it.
const inodeBytes = 4096

// resolveTemp returns the mount point of an in-memory file system. A program that serves users one after another
// reaches it through a symbolic link: each user receives a new file system, and landlock can permit writing to a later
// one only through its parent directory.
func (o *instructions) resolveTemp(path string) string {
	if o.Again {
		return tempParent + "/" + filepath.Base(path)
	}
	return path
}

const (
	tempParent = "/run"
	nextTemp   = tempParent + "/next"
)

func (o *instructions) makeTempFolder(path string) error {
	at := o.resolveTemp(path)
	if at != path {
		if err := os.Symlink(at, path); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	return o.mountTemp(at)
}

// replaceTemp replaces an in-memory file system with a new one that has the same mounts, because the old one has
// counted inodes.
func (o *instructions) replaceTemp(path string) error {
	if err := o.mountTemp(nextTemp); err != nil {
		return err
	}
	for _, m := range o.Mounts {
		if !below(m.To, path) {
			continue
		}
		if err := bind(m.To, nextTemp+strings.TrimPrefix(m.To, path), m.attributes()); err != nil {
			return err
		}
	}
	if err := unix.Unmount(o.resolveTemp(path), unix.MNT_DETACH); err != nil {
		return os.NewSyscallError("umount2", err)
	}
	return os.NewSyscallError("mount", unix.Mount(nextTemp, o.resolveTemp(path), "", unix.MS_MOVE, ""))
}

func (o *instructions) mountTemp(path string) error {
	data := fmt.Sprintf("mode=1777,size=%d,nr_inodes=%d", o.Limits.TempBytes, max(o.Limits.TempBytes/inodeBytes, 64))
	if err := unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, data); err != nil {
		return fmt.Errorf("mount a tmpfs on %s: %w", path, err)
	}
	return nil
}

// hiddenInProc lists files in /proc that reveal or control something outside the sandbox.
var hiddenInProc = []string{
	"config.gz",
	"kallsyms",
	"kcore",
	"key-users",
	"keys",
	"kmsg",
	"kpagecgroup",
	"kpagecount",
	"kpageflags",
	"latency_stats",
	"mounts.bak",
	"sched_debug",
	"slabinfo",
	"sysrq-trigger",
	"timer_list",
	"vmallocinfo",
}

// hideOthers hides processes that the reader is not allowed to trace: process 1 and a program that has protected
// itself.
const hideOthers = "hidepid=2"

// makeProc mounts a read-only /proc that contains the sandbox's processes. Root cannot change kernel settings there.
func makeProc() error {
	if err := os.Mkdir("/proc", 0o555); err != nil {
		return err
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, hideOthers); err != nil {
		return fmt.Errorf("mount a proc: %w", err)
	}
	for name, value := range map[string]string{
		"user/max_user_namespaces":   "0", // a user namespace grants rights
		"user/max_inotify_instances": "4", // they also count for the user outside, who has 128
		"user/max_inotify_watches":   "4096",
		"kernel/shmall":              "16384",
		"net/core/rmem_max":          strconv.Itoa(socketBytes / 2), // where each network has its own setting
		"net/core/wmem_max":          strconv.Itoa(socketBytes / 2),
		"net/ipv4/tcp_rmem":          fmt.Sprint("4096 131072 ", socketBytes/2),
		"net/ipv4/tcp_wmem":          fmt.Sprint("4096 16384 ", socketBytes/2),
	} {
		_ = os.WriteFile("/proc/sys/"+name, []byte(value), 0o644) // in addition to the filter of system calls
	}
	for _, name := range hiddenInProc {
		if path := "/proc/" + name; exists(path) {
			if err := unix.Mount("/dev/null", path, "", unix.MS_BIND, ""); err != nil {
				return fmt.Errorf("hide %s: %w", path, err)
			}
		}
	}
	return protect("/proc", unix.MOUNT_ATTR_RDONLY, 0)
}

// mountPaths mounts the paths of the instructions, outer folders first.
func (o *instructions) mountPaths() error {
	for _, m := range o.Mounts {
		if err := o.mountPath(m); err != nil {
			return err
		}
	}
	return nil
}

func (m mount) attributes() uint64 {
	if m.Write {
		return writableMountFlags
	}
	return fileMountFlags
}

func (o *instructions) mountPath(m mount) error {
	if err := bind(oldRoot+m.From, m.To, m.attributes()); err != nil {
		return err
	}
	if m.Write { // it may be below a read-only folder
		err := unix.MountSetattr(unix.AT_FDCWD, m.To, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
		if err != nil && !errors.Is(err, unix.EPERM) { // a machine on which it is read-only
			return fmt.Errorf("show %s: %w", m.To, err)
		}
	}
	return nil
}

// unmountOldRoot unmounts the machine's file system and makes the root read-only.
func unmountOldRoot() error {
	if err := unix.Unmount(oldRoot, unix.MNT_DETACH); err != nil {
		return os.NewSyscallError("umount2", err)
	}
	if err := os.Remove(oldRoot); err != nil {
		return err
	}
	return protect("/", unix.MOUNT_ATTR_RDONLY, 0)
}
