package runstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
)

// manifestHead holds the manifest data that a summary needs. The manifest's lists can be megabytes.
type manifestHead struct {
	Format      int
	Run         string
	Incarnation int
	Stage       string
	Step        int
	Journal     journal.Position
	Committed   time.Time
}

// manifestHeads caches the manifest heads, which never change. Watchers request summaries repeatedly.
type manifestHeads struct {
	mu    sync.Mutex
	known map[string]knownHead // by the path of the manifest
}

type knownHead struct {
	size    int64
	changed time.Time
	head    manifestHead
}

// mostHeads bounds the cache size.
const mostHeads = 4096

// read returns the head of the manifest in a checkpoint's directory.
func (m *manifestHeads) read(fsys disk.FS, dir string) (manifestHead, error) {
	path := filepath.Join(dir, manifestFile)
	info, err := fsys.Lstat(path)
	if err != nil {
		return manifestHead{}, err
	}
	m.mu.Lock()
	known, ok := m.known[path]
	m.mu.Unlock()
	if ok && known.is(info) {
		return known.head, nil
	}
	head, err := readHead(fsys, path)
	if err != nil {
		return manifestHead{}, fmt.Errorf("read %s: %w", path, err)
	}
	m.keep(path, knownHead{info.Size(), info.ModTime(), head})
	return head, nil
}

// readHead reads a manifest up to its episode list, which is its last member. Code that uses the list checks its
// completeness. Here, the end of the file shows that it was not truncated.
func readHead(fsys disk.FS, path string) (head manifestHead, err error) {
	file, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return head, err
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return head, err
	}
	end := make([]byte, min(size, 2))
	if _, err := file.ReadAt(end, size-int64(len(end))); err != nil && err != io.EOF ||
		!bytes.HasSuffix(bytes.TrimSpace(end), []byte("}")) {
		return head, errors.Join(errors.New("it ends before its closing brace"), err)
	}
	members := map[string]any{
		"format": &head.Format, "run": &head.Run, "incarnation": &head.Incarnation, "stage": &head.Stage, "step": &head.Step,
		"journal": &head.Journal, "committed": &head.Committed,
	}
	in := json.NewDecoder(io.NewSectionReader(file, 0, size))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return head, errors.Join(errors.New("it is not a JSON object"), err)
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return head, err
		}
		if name == "consumed" {
			break
		}
		into, known := members[name.(string)] // a string unless err is set
		if !known {
			into = &json.RawMessage{}
		}
		if err := in.Decode(into); err != nil {
			return head, err
		}
	}
	if head.Format < 1 || head.Format > FormatVersion {
		return head, fmt.Errorf("it has unknown format %d", head.Format)
	}
	return head, nil
}

// is reports whether a file's size and time show that it is unchanged since it was read. If the time is missing, it
// returns false.
func (k knownHead) is(info fs.FileInfo) bool {
	return !k.changed.IsZero() && k.changed.Equal(info.ModTime()) && k.size == info.Size()
}

func (m *manifestHeads) keep(path string, head knownHead) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= mostHeads {
		m.known = map[string]knownHead{}
	}
	m.known[path] = head
}
