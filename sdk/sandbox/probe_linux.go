package sandbox

import (
	"fmt"
	"os"
	"strings"
)

// weaknesses returns the findings that do not require a trial.
func weaknesses() Support {
	var s Support
	who, err := chooseIDs()
	if err != nil {
		s.Missing = err.Error()
		return s
	}
	s.User = "you, without your rights over what they cannot see"
	if who.root {
		s.User = "a user of their own, who owns nothing else"
	}
	s.Landlock, _ = landlockABI()
	switch {
	case s.Landlock == 0:
		s.Weak = append(s.Weak, "landlock")
	case s.Landlock < 6:
		s.Weak = append(s.Weak, "landlock's fence around signals and abstract sockets (version 6)")
	}
	if s.groups, s.noGroups = findGroups("/proc/self", ""); s.noGroups == nil {
		removeStale(s.groups)
	}
	if auditArch == 0 {
		s.Weak = append(s.Weak, "a filter of system calls, which is made for amd64 and arm64")
	}
	return s
}

// landlockSuffices reports whether landlock can confine a program without namespaces, for which it must cover
// connections (version 4), signals, and device controls (6).
func (s Support) landlockSuffices() bool { return s.Landlock >= 6 && auditArch != 0 }

// remedy returns the setting that is usually responsible for preventing namespaces.
func remedy() string {
	for _, knob := range []struct{ file, off, on string }{
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"},
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"},
		{"/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces=15000"},
	} {
		if text, err := os.ReadFile(knob.file); err == nil && strings.TrimSpace(string(text)) == knob.off {
			return fmt.Sprintf("User namespaces are switched off: sysctl -w %s, by root, lets them.", knob.on)
		}
	}
	return "It needs user namespaces and Linux 5.12; a container has to be started so that it may make them."
}
