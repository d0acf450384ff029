package process

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The host and its guard communicate over a socket pair using one gob per frame. A frame is its length in four bytes,
// followed by the gob. Open files are sent together with the length. Both sides are the same program, so the format is
// not versioned.

// guardRequest is a message from the host. ID is repeated in the response. One of the other fields must be set.
type guardRequest struct {
	ID    uint64
	Setup *guardSetup
	Start *startSpec // with standard input, output and error as files, and extra ones
	// Terminate and Kill name a process started by the guard whose group is sent SIGTERM or is killed, respectively.
	Terminate, Kill int
	// End requests that all processes and the guard end.
	End bool
}

// guardSetup is the first request.
type guardSetup struct {
	Run                string
	Incarnation        int
	Host               Identity
	SocketDir, LogFile string
}

// guardAnswer is a message from the guard: a response or, if ID is 0, an event.
type guardAnswer struct {
	ID        uint64
	Failure   *wireError
	Started   Identity
	Leftovers []Leftover  // to End
	Ended     *guardEnded // the event
}

// guardEnded reports that a process started by the guard has ended, as has everything that it left behind.
type guardEnded struct {
	PID, Code int
	Signal    string
	Leftovers []Leftover
}

// wireError holds the parts of a failed start's error that errors.Is needs.
type wireError struct {
	Op, Path string
	Errno    syscall.Errno
	Text     string
}

func toWire(err error) *wireError {
	w := &wireError{Text: err.Error()}
	var path *fs.PathError
	if errors.As(err, &path) && errors.As(path.Err, &w.Errno) {
		w.Op, w.Path = path.Op, path.Path
	}
	return w
}

func (w *wireError) error() error {
	if w.Errno != 0 {
		return &fs.PathError{Op: w.Op, Path: w.Path, Err: w.Errno}
	}
	return errors.New(w.Text)
}

const (
	// maxFrame is larger than the kernel's limit for arguments and environment variables.
	maxFrame = 16 << 20
	// standardFiles is the minimum number of files for a start, and maxFrameFiles is the maximum number for a request.
	standardFiles = 3
	maxFrameFiles = standardFiles + maxExtraFiles
	// writeTimeout limits the time for writing a frame, because the other side reads immediately.
	writeTimeout = 5 * time.Second
)

// guardConn is one end of the socket pair. Writes may come from several goroutines, but reads must come from one.
type guardConn struct {
	socket  *net.UnixConn
	writing sync.Mutex
}

// newGuardConn takes ownership of the file.
func newGuardConn(file *os.File) (*guardConn, error) {
	defer file.Close() // FileConn has a copy
	conn, err := net.FileConn(file)
	if err != nil {
		return nil, err
	}
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, errors.Join(errors.New("not a unix socket"), conn.Close())
	}
	return &guardConn{socket: socket}, nil
}

// encodeFrame encodes a frame's body.
func encodeFrame(message any) ([]byte, error) {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(message); err != nil {
		return nil, err
	}
	if body.Len() > maxFrame {
		return nil, fmt.Errorf("arguments and environment take %d bytes, which exceeds the limit of "+
			"%d", body.Len(), maxFrame)
	}
	return body.Bytes(), nil
}

// write writes one frame. After an error, the connection is unusable.
func (c *guardConn) write(body []byte, files ...*os.File) error {
	var rights []byte
	if len(files) > 0 {
		var numbers []int
		for _, f := range files {
			numbers = append(numbers, int(f.Fd()))
		}
		rights = unix.UnixRights(numbers...)
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.socket.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, _, err := c.socket.WriteMsgUnix(binary.BigEndian.AppendUint32(nil, uint32(len(body))), rights, nil); err != nil {
		return err
	}
	_, err := c.socket.Write(body)
	return err
}

// receive reads one message and its files. The caller must close the files, even after an error.
func (c *guardConn) receive(message any) ([]*os.File, error) {
	length := make([]byte, 4)
	rights := make([]byte, unix.CmsgSpace(4*maxFrameFiles))
	n, got, _, _, err := c.socket.ReadMsgUnix(length, rights)
	if err != nil {
		return nil, err
	}
	files, err := filesOf(rights[:got])
	if err != nil {
		return files, err
	}
	if n == 0 {
		return files, io.EOF
	}
	if _, err := io.ReadFull(c.socket, length[n:]); err != nil {
		return files, err
	}
	size := binary.BigEndian.Uint32(length)
	if size > maxFrame {
		return files, fmt.Errorf("a message of %d bytes is too long", size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c.socket, body); err != nil {
		return files, err
	}
	return files, gob.NewDecoder(bytes.NewReader(body)).Decode(message)
}

// filesOf returns the files in a control message. The net package ensures that no child inherits them.
func filesOf(rights []byte) ([]*os.File, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil, err
	}
	var files []*os.File
	for i := range messages {
		numbers, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			return files, err
		}
		for _, n := range numbers {
			files = append(files, os.NewFile(uintptr(n), "passed"))
		}
	}
	return files, nil
}
