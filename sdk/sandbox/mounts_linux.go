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

// oldRoot is where the file system of the machine is while the sandbox's is made.
const oldRoot = "/.machine"

// Flags of mounts.
const (
	asFiles   = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	asOwn     = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	asDevices = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC // can be written
)

// makeFileSystem makes a root of its own, empty but for what the order and the system's lists name, and forgets the
// machine's.
func (o *order) makeFileSystem() error {
	if err := o.takeRoot(); err != nil {
		return fmt.Errorf("make the file system of the sandbox: %w", err)
	}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"the system's files", showSystem}, {"/etc", o.writeEtc}, {"/dev", o.makeDev}, {"/tmp", o.makeTemp},
		{"/proc", makeProc},
		{"its own files", o.showOwn}, {"the machine's", forgetMachine},
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

// takeRoot makes an empty folder in memory the root, with the machine's below it.
func (o *order) takeRoot() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return os.NewSyscallError("mount", err)
	}
	base := "/tmp" // any folder that is there will do
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

// showSystem shows what there is of the system's lists. What is a link there is one here.
func showSystem() error {
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
				err = bind(oldRoot+path, path, asFiles)
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

// bind shows a file or folder at another path, with all that is mounted below it.
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

// writeEtc names the users that there are, and the loopback device.
func (o *order) writeEtc() error {
	id := strconv.Itoa(o.UID) + ":" + strconv.Itoa(o.GID)
	for name, text := range map[string]string{
		"passwd": "root:x:0:0:root:/:/usr/sbin/nologin\nsandbox:x:" + id + ":sandbox:/:/bin/sh\n",
		"group":  "root:x:0:\nsandbox:x:" + strconv.Itoa(o.GID) + ":\n",
		"hosts":  "127.0.0.1 localhost sandbox\n::1 localhost\n",
		// Nothing answers there: names are unknown at once.
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

// devices are those that a sandbox has.
var devices = []string{"null", "full", "random", "urandom"}

// makeDev has what programs cannot do without.
func (o *order) makeDev() error {
	for _, name := range devices {
		if err := bind(oldRoot+"/dev/"+name, "/dev/"+name, asDevices); err != nil {
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

func (o *order) makeTemp() error {
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

// inodeBytes is what an empty file counts: the kernel's memory for it.
const inodeBytes = 4096

// atTemp returns where a file system in memory is mounted. A program that serves users in turn finds it through a link:
// each user gets a new one, and landlock can allow writing to a file system made later only by a parent folder.
func (o *order) atTemp(path string) string {
	if o.Again {
		return tempParent + "/" + filepath.Base(path)
	}
	return path
}

const (
	tempParent = "/run"
	nextTemp   = tempParent + "/next"
)

func (o *order) makeTempFolder(path string) error {
	at := o.atTemp(path)
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

// renewTemp replaces a file system in memory by a new one that shows the same files: the old one has counted inodes.
func (o *order) renewTemp(path string) error {
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
	if err := unix.Unmount(o.atTemp(path), unix.MNT_DETACH); err != nil {
		return os.NewSyscallError("umount2", err)
	}
	return os.NewSyscallError("mount", unix.Mount(nextTemp, o.atTemp(path), "", unix.MS_MOVE, ""))
}

func (o *order) mountTemp(path string) error {
	data := fmt.Sprintf("mode=1777,size=%d,nr_inodes=%d", o.Limits.TempBytes, max(o.Limits.TempBytes/inodeBytes, 64))
	if err := unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, data); err != nil {
		return fmt.Errorf("mount a tmpfs on %s: %w", path, err)
	}
	return nil
}

// hiddenInProc are files of /proc that say or do something beyond the sandbox.
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

// hideOthers hides processes that the reader may not trace: process 1, and a program that made itself unreachable.
const hideOthers = "hidepid=2"

// makeProc shows the processes of the sandbox. Nothing of it can be written, which takes the switches of the kernel
// away that root could set.
func makeProc() error {
	if err := os.Mkdir("/proc", 0o555); err != nil {
		return err
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, hideOthers); err != nil {
		return fmt.Errorf("mount a proc: %w", err)
	}
	for name, value := range map[string]string{
		"user/max_user_namespaces":   "0", // a user namespace gives rights
		"user/max_inotify_instances": "4", // they count for the user outside, too, who has 128
		"user/max_inotify_watches":   "4096",
		"kernel/shmall":              "16384",
		"net/core/rmem_max":          strconv.Itoa(socketBytes / 2), // where each network has its own
		"net/core/wmem_max":          strconv.Itoa(socketBytes / 2),
		"net/ipv4/tcp_rmem":          fmt.Sprint("4096 131072 ", socketBytes/2),
		"net/ipv4/tcp_wmem":          fmt.Sprint("4096 16384 ", socketBytes/2),
	} {
		_ = os.WriteFile("/proc/sys/"+name, []byte(value), 0o644) // a second fence: the filter of system calls is the first
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

// showOwn shows what the order names, the outer folders first.
func (o *order) showOwn() error {
	for _, m := range o.Mounts {
		if err := o.showOne(m); err != nil {
			return err
		}
	}
	return nil
}

func (m mount) attributes() uint64 {
	if m.Write {
		return asOwn
	}
	return asFiles
}

func (o *order) showOne(m mount) error {
	if err := bind(oldRoot+m.From, m.To, m.attributes()); err != nil {
		return err
	}
	if m.Write { // below a folder that is shown to be read
		err := unix.MountSetattr(unix.AT_FDCWD, m.To, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
		if err != nil && !errors.Is(err, unix.EPERM) { // of a machine where it cannot be written at all
			return fmt.Errorf("show %s: %w", m.To, err)
		}
	}
	return nil
}

// forgetMachine takes the machine's file system away, and the right to add to the root.
func forgetMachine() error {
	if err := unix.Unmount(oldRoot, unix.MNT_DETACH); err != nil {
		return os.NewSyscallError("umount2", err)
	}
	if err := os.Remove(oldRoot); err != nil {
		return err
	}
	return protect("/", unix.MOUNT_ATTR_RDONLY, 0)
}
