package runstore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// logLimit is the size in bytes at which a log is rotated. One predecessor is kept, so a plugin that floods its log
// uses at most twice this amount of disk space.
const logLimit = 32 << 20

// Log is the log of one plugin. Each Write should contain one or more whole lines. It is safe for concurrent use.
type Log struct {
	fs   disk.FS
	path string

	mu   sync.Mutex
	file disk.File
	size int64
}

// OpenLog opens logs/<instance>.log for appending. The caller closes it.
func (w *Writer) OpenLog(instance string) (*Log, error) {
	l := &Log{fs: w.fs(), path: w.LogPath(instance)}
	if err := l.open(); err != nil {
		return nil, explain("open the log of "+instance, err)
	}
	begin := fmt.Sprintf("--- incarnation %d, %s ---\n", w.incarnation,
		w.store.opts.Now().UTC().Format("2006-01-02T15:04:05Z"))
	if _, err := l.Write([]byte(begin)); err != nil {
		return nil, errors.Join(explain("write the log of "+instance, err), l.Close())
	}
	return l, nil
}

// LogPath returns the path of a plugin's log. The rotated part, if any, has the suffix ".1".
func (r *Run) LogPath(instance string) string {
	return filepath.Join(r.Dir, logsDir, folderName(instance)+".log")
}

// Logs lists the log names, without ".log".
func (r *Run) Logs() ([]string, error) {
	entries, err := r.fs().ReadDir(filepath.Join(r.Dir, logsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list logs of run %s: %w", r.Ref(), err)
	}
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); filepath.Ext(name) == ".log" {
			names = append(names, name[:len(name)-len(".log")])
		}
	}
	return names, nil
}

// PluginDir creates a plugin's directory and returns its path.
func (w *Writer) PluginDir(instance string) (string, error) {
	dir := filepath.Join(w.Dir, pluginsDir, folderName(instance))
	if err := w.fs().Mkdir(dir, ownerfile.Folder); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", explain("make the folder of "+instance, err)
	}
	return dir, nil
}

func (l *Log) open() error {
	file, err := l.fs.OpenFile(l.path, os.O_RDWR|os.O_CREATE, ownerfile.File)
	if err != nil {
		return err
	}
	size, err := file.Size()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size = file, size
	return nil
}

// Write appends to the log.
func (l *Log) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return 0, fs.ErrClosed
	}
	if l.size > 0 && l.size+int64(len(text)) > logLimit {
		if err := l.rotate(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.WriteAt(text, l.size)
	l.size += int64(n)
	return n, err
}

// rotate renames the log and begins a new one. The caller holds mu.
func (l *Log) rotate() error {
	if err := l.file.Close(); err != nil {
		return err
	}
	l.file = nil
	if err := l.fs.Rename(l.path, l.path+".1"); err != nil {
		return err
	}
	return l.open()
}

// Close closes the log.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}

var _ io.WriteCloser = (*Log)(nil)
