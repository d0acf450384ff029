package disktest

import (
	"io"
	"io/fs"

	"github.com/awhost/awhost/host/journal/disk"
)

// file is an open handle. Closing it does not make anything durable.
type file struct {
	disk   *Disk
	node   *node
	name   string
	closed bool
}

func (f *file) use(op string) error {
	if f.closed {
		return &fs.PathError{Op: op, Path: f.name, Err: fs.ErrClosed}
	}
	return nil
}

// ReadAt implements io.ReaderAt.
func (f *file) ReadAt(data []byte, offset int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.use("read"); err != nil {
		return 0, err
	}
	if offset >= int64(len(f.node.content)) {
		return 0, io.EOF
	}
	n := copy(data, f.node.content[offset:])
	if n < len(data) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt implements io.WriterAt.
func (f *file) WriteAt(data []byte, offset int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.use("write"); err != nil {
		return 0, err
	}
	f.node.change(change{offset: offset, data: append([]byte{}, data...)})
	return len(data), nil
}

// Truncate implements disk.File.
func (f *file) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.use("truncate"); err != nil {
		return err
	}
	f.node.change(change{offset: size})
	return nil
}

// Size implements disk.File.
func (f *file) Size() (int64, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return int64(len(f.node.content)), f.use("stat")
}

// Sync implements disk.File.
func (f *file) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.use("sync"); err != nil {
		return err
	}
	f.node.durable = append([]byte(nil), f.node.content...)
	f.node.pending = nil
	return nil
}

// Close implements io.Closer.
func (f *file) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	err := f.use("close")
	f.closed = true
	return err
}

var _ disk.File = (*file)(nil)
