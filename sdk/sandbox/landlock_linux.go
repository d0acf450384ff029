package sandbox

import (
	"net/netip"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ruleset is a landlock ruleset. In addition to what the sandbox's file system protects, landlock protects writable
// files, signals, and abstract sockets.
type ruleset struct {
	fd      int
	handled uint64
}

// landlock's rights, by the version that introduced them.
const (
	landlockFirst = 1<<13 - 1
	landlockRead  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_EXECUTE
	landlockFile  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV | unix.LANDLOCK_ACCESS_FS_READ_DIR
)

// landlockABI returns the kernel's landlock version, or an error if the kernel has none.
func landlockABI() (int, error) {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, errno
	}
	return int(abi), nil
}

func newRuleset(abi int, g grade) (*ruleset, error) {
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
	if g == byLandlock {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	fd, _, errno := unix.Syscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0,
	)
	if errno != 0 {
		return nil, os.NewSyscallError("landlock_create_ruleset", errno)
	}
	return &ruleset{fd: int(fd), handled: attr.Handled_access_fs}, nil
}

// allow grants those rights that the kernel supports below a path.
func (r *ruleset) allow(path string, access uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	var info unix.Stat_t
	if err := unix.Fstat(at, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= landlockFile&^unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_EXECUTE
	}
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

// landlockPorts allows the program to connect to the ports in Dial if it has no network namespace: landlock supports
// ports but not addresses.
func (o *instructions) landlockPorts(r *ruleset) error {
	if o.Grade != byLandlock {
		return nil
	}
	for _, address := range o.Dial {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		attr := struct{ access, port uint64 }{unix.LANDLOCK_ACCESS_NET_CONNECT_TCP, uint64(at.Port())}
		const rulePort = 2 // LANDLOCK_RULE_NET_PORT
		_, _, errno := unix.Syscall6(
			unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), rulePort, uintptr(unsafe.Pointer(&attr)), 0, 0, 0,
		)
		if errno != 0 {
			return os.NewSyscallError("landlock_add_rule", errno)
		}
	}
	return nil
}

func (o *instructions) landlockRules(r *ruleset) []landlockRule {
	if o.Grade == byLandlock {
		return o.realRules(r)
	}
	rules := []landlockRule{
		{"/", landlockRead}, {"/dev", landlockFile}, {"/tmp", r.handled}, {"/dev/shm", r.handled},
	}
	if o.Again { // each user gets a new /tmp and /dev/shm
		rules = append(rules, landlockRule{tempParent, r.handled})
	}
	for _, m := range o.Mounts {
		if m.Write {
			rules = append(rules, landlockRule{m.To, r.handled})
		}
	}
	return rules
}

// realRules returns the rules for the machine's own file system.
func (o *instructions) realRules(r *ruleset) []landlockRule {
	rules := []landlockRule{{"/proc", unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR}}
	for _, list := range [][]string{systemFolders, systemFiles} {
		for _, path := range list {
			rules = append(rules, landlockRule{path, landlockRead})
		}
	}
	for _, name := range devices {
		rules = append(rules, landlockRule{"/dev/" + name, landlockFile})
	}
	for _, m := range o.Mounts {
		access := uint64(landlockRead)
		if m.Write {
			access = r.handled
		}
		rules = append(rules, landlockRule{m.From, access})
	}
	return slices.DeleteFunc(rules, func(rule landlockRule) bool { return !exists(rule.path) })
}
