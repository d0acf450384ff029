package sandbox

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ruleset is a landlock ruleset. Landlock comes on top of the file system of the sandbox: a second fence around what
// can be written, and one around signals and abstract sockets.
type ruleset struct {
	fd      int
	handled uint64
}

// The rights of landlock, by the version that brought them.
const (
	landlockFirst = 1<<13 - 1
	landlockRead  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_EXECUTE
	landlockFile  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV | unix.LANDLOCK_ACCESS_FS_READ_DIR
)

// landlockABI is the version of the kernel's landlock; an error where it has none.
func landlockABI() (int, error) {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, errno
	}
	return int(abi), nil
}

func newRuleset(abi int) (*ruleset, error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: landlockFirst}
	if abi >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	fd, _, errno := unix.Syscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0,
	)
	if errno != 0 {
		return nil, os.NewSyscallError("landlock_create_ruleset", errno)
	}
	return &ruleset{fd: int(fd), handled: attr.Handled_access_fs}, nil
}

// allow grants rights below a path, as far as the kernel knows them.
func (r *ruleset) allow(path string, access uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	attr := unix.LandlockPathBeneathAttr{Allowed_access: access & r.handled, Parent_fd: int32(at)}
	_, _, errno := unix.Syscall6(
		unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0,
	)
	if errno != 0 {
		return os.NewSyscallError("landlock_add_rule", errno)
	}
	return nil
}

type landlockRule struct {
	path   string
	access uint64
}

func (o *order) landlockRules(r *ruleset) []landlockRule {
	rules := []landlockRule{
		{"/", landlockRead}, {"/dev", landlockFile}, {"/tmp", r.handled}, {"/dev/shm", r.handled},
	}
	for _, m := range o.Mounts {
		if m.Write {
			rules = append(rules, landlockRule{m.To, r.handled})
		}
	}
	return rules
}
