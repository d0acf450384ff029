//go:build !linux

package sandbox

import (
	"os"
	"syscall"
)

func (b *Box) connect() error { return ErrUnsupported }

func (b *Box) shutdownConn() {}

func receive(*os.File) (message, []*os.File, error) { return message{}, nil, ErrUnsupported }

func send(*os.File, message, ...int) error { return ErrUnsupported }

func inMemory(string, []byte) (*os.File, error) { return nil, ErrUnsupported }

func machineMemory() int64 { return 4 << 30 }

// ids are the user IDs of a sandbox.
type ids struct {
	uid, gid int
	root     bool
}

func (grade) ids() (ids, error) { return ids{}, ErrUnsupported }

func (ids) attributes(*syscall.SysProcAttr) {}

func (ids) chownTo(string) error { return ErrUnsupported }

// group is the control group of a sandbox.
type group struct{}

func newGroup(string, Limits) (*group, error) { return nil, ErrUnsupported }

func (*group) attributes(*syscall.SysProcAttr) {}

func (*group) excess(Limits) string { return "" }

func (*group) remove() {}

func weaknesses() Support { return Support{Missing: "sandboxes are made of what Linux has."} }

func (Support) landlockSuffices() bool { return false }

func remedy() string { return "" }
