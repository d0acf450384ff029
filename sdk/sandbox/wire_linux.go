package sandbox

import (
	"encoding/json"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// connect creates the connection between the owner and process 1. It preserves message boundaries.
func (b *Box) connect() error {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socketpair", err)
	}
	b.conn, b.childConn = os.NewFile(uintptr(ends[0]), "sandbox"), os.NewFile(uintptr(ends[1]), "sandbox")
	return nil
}

// shutdownConn shuts the connection down. The reader still receives messages that are pending.
func (b *Box) shutdownConn() { _ = unix.Shutdown(int(b.conn.Fd()), unix.SHUT_RDWR) }

const (
	maxMessageBytes = 64 << 10
	maxFiles        = 16
)

// send sends a message together with open files.
func send(to *os.File, said message, files ...int) error {
	text, err := json.Marshal(said)
	if err != nil {
		return err
	}
	var rights []byte
	if len(files) > 0 {
		rights = unix.UnixRights(files...)
	}
	return ignoringEINTR(func() error { return unix.Sendmsg(int(to.Fd()), text, rights, nil, 0) })
}

// receive returns the next message. The caller must close the files that came with the message.
func receive(from *os.File) (said message, files []*os.File, err error) {
	text, rights := make([]byte, maxMessageBytes), make([]byte, unix.CmsgSpace(4*maxFiles))
	var n, got int
	err = ignoringEINTR(func() error {
		n, got, _, _, err = unix.Recvmsg(int(from.Fd()), text, rights, unix.MSG_CMSG_CLOEXEC)
		return err
	})
	if err != nil {
		return said, nil, err
	}
	if n == 0 {
		return said, nil, io.EOF
	}
	messages, err := unix.ParseSocketControlMessage(rights[:got])
	if err != nil {
		return said, nil, err
	}
	for i := range messages {
		numbers, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			return said, files, err
		}
		for _, number := range numbers {
			files = append(files, os.NewFile(uintptr(number), "passed"))
		}
	}
	return said, files, json.Unmarshal(text[:n], &said)
}

func ignoringEINTR(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// inMemory returns a file that no other process can open, positioned at its beginning.
func inMemory(name string, text []byte) (*os.File, error) {
	file, err := openInMemory(name)
	if err != nil {
		return nil, err
	}
	if _, err := file.WriteAt(text, 0); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// openInMemory falls back to an unlinked temporary file if memfd_create is unavailable, as in a sandbox.
func openInMemory(name string) (*os.File, error) {
	number, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err == nil {
		return os.NewFile(uintptr(number), name), nil
	}
	file, err := os.CreateTemp("", name)
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}

func machineMemory() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 4 << 30
	}
	return int64(info.Totalram) * int64(info.Unit)
}
