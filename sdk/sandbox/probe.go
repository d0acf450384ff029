package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/process"
)

// Support describes the sandbox mechanisms that this system provides.
type Support struct {
	// Missing explains why sandboxes are unavailable and names a remedy. It is empty if they are available.
	Missing string
	// Weak describes protections that this kernel lacks and that others make up for.
	Weak []string
	// Unenforced lists limits that this system cannot enforce.
	Unenforced []string
	// User describes, for String, the user whose rights programs have.
	User string
	// Own reports whether a program has its own file system, processes, and network; see Box.Path.
	Own bool
	// Landlock is the kernel's landlock version, or 0 if it has none.
	Landlock int

	grade    grade
	groups   string // the parent of control groups, or empty
	noGroups error  // explains why groups is empty
}

// String describes the support for the user.
func (s Support) String() string {
	if s.Missing != "" {
		return "no sandbox: " + s.Missing
	}
	text := fmt.Sprintf("landlock %d and a filter of system calls", s.Landlock)
	if s.Own {
		text = "namespaces for processes, files, network, users and more"
		if s.Landlock > 0 {
			text += fmt.Sprintf(", landlock %d", s.Landlock)
		}
	}
	if s.groups != "" {
		text += ", control groups for memory and threads"
	}
	if len(s.Weak) > 0 {
		text += "; without " + strings.Join(s.Weak, ", ")
	}
	if len(s.Unenforced) > 0 {
		text += "; limits that are not enforced here: " + strings.Join(s.Unenforced, ", ")
	}
	return text + "; programs run as " + s.User
}

const probeTimeout = 20 * time.Second

var probed = sync.OnceValue(func() Support {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	return probe(ctx)
})

// Probe tests this system's mechanisms by creating a sandbox in which only this program briefly runs. The result is
// cached for this process's lifetime.
func Probe() Support { return probed() }

func probe(ctx context.Context) Support {
	s := weaknesses()
	if s.Missing != "" {
		return s
	}
	err := s.try(ctx, byNamespaces)
	s.Own = err == nil
	if !s.Own {
		if !s.landlockSuffices() || s.try(ctx, byLandlock) != nil {
			s.Missing = fmt.Sprintf("this system does not let %s make one (%v). %s", userDescription(), err, remedy())
			return s
		}
		s.grade = byLandlock
		s.User = "you, without rights over what landlock does not show them"
		s.Weak = append(s.Weak, fmt.Sprintf("namespaces (%v. %s They see the names and arguments of other processes, reach "+
			"other machines on the ports that they may connect to, and what has left its process group and hides may live "+
			"until the run ends)", err, remedy()))
		if s.groups == "" {
			s.Unenforced = append(s.Unenforced, "memory_bytes for the buffers of sockets")
		}
	}
	if s.groups == "" {
		s.Unenforced = append(s.Unenforced, fmt.Sprintf(
			"memory_bytes for kernel memory such as file locks, and for peaks of less than 100 ms (%v)", s.noGroups))
	}
	return s
}

// try runs a program that exits immediately. It stops using control groups if the program runs only without them.
func (s *Support) try(ctx context.Context, g grade) error {
	err := try(ctx, g, s.groups)
	if err != nil && s.groups != "" && try(ctx, g, "") == nil {
		s.groups, s.noGroups, err = "", err, nil
	}
	return err
}

func try(ctx context.Context, g grade, groups string) error {
	report, err := runTrial(ctx, g, groups)
	if err == nil && report.Failure != "" {
		err = errors.New(report.Failure)
	}
	if err == nil && (!report.Ended || report.Code != 0) {
		err = fmt.Errorf("a trial ended with status %d %s", report.Code, report.Signal)
	}
	return err
}

func runTrial(ctx context.Context, g grade, groups string) (Report, error) {
	box, err := newBox(Policy{}, g, groups)
	if err != nil {
		return Report{}, err
	}
	c := process.Config{Name: "sandbox trial", Command: []string{trialProgram}, Log: slog.New(slog.DiscardHandler)}
	if err := box.Apply(&c); err != nil {
		box.Close()
		return Report{}, err
	}
	p, err := process.New(c)
	if err == nil {
		err = p.Start(ctx)
	}
	if err != nil {
		box.Close()
		return Report{}, err
	}
	box.Started()
	select {
	case <-p.Done():
	case <-ctx.Done():
		err = ctx.Err()
	}
	err = errors.Join(err, p.Kill(context.WithoutCancel(ctx)))
	return box.Close(), err
}

func userDescription() string {
	if os.Geteuid() == 0 {
		return "root"
	}
	return "an ordinary user"
}
