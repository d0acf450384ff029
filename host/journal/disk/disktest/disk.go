// Package disktest provides an in-memory disk that tracks durability, so that tests can simulate power failures.
//
// It distinguishes written data from data made durable with Sync and SyncDir. Crash returns a possible state of the
// disk after the next boot: unsynced writes may be present, missing, truncated, or out of order, and a directory has
// the entries from some moment since its last SyncDir.
//
//	d := disktest.New()
//	… write through d …
//	after := d.Crash(rand.New(rand.NewPCG(1, 2)))
//
// The end of a process alone needs no Crash: its writes stay, and the same disk is opened again. The package must not
// depend on what data is stored.
package disktest

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/journal/disk"
)

// Disk is an in-memory file system. It is safe for concurrent use.
type Disk struct {
	mu   sync.Mutex
	root *node
}

// node is a file or a directory.
type node struct {
	dir     bool
	mode    fs.FileMode
	content []byte           // written content of a file
	entries map[string]*node // written entries of a folder

	durable       []byte
	pending       []change // since the last Sync
	durableNames  map[string]*node
	pendingLayout []map[string]*node // the entries after each change since the last SyncDir
}

// change is one write, or a truncation if data is nil.
type change struct {
	offset int64
	data   []byte
}

// New returns an empty disk.
func New() *Disk { return &Disk{root: newDir()} }

func newDir() *node {
	return &node{dir: true, mode: fs.ModeDir | 0o755, entries: map[string]*node{}, durableNames: map[string]*node{}}
}

// Crash returns the disk as it is after a power failure at this moment. rng determines which data survives. Handles to
// the old disk remain usable and do not affect the new one.
func (d *Disk) Crash(rng *rand.Rand) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &Disk{root: d.root.crash(rng, map[*node]*node{})}
}

func (n *node) crash(rng *rand.Rand, seen map[*node]*node) *node {
	if after, ok := seen[n]; ok {
		return after
	}
	after := &node{dir: n.dir, mode: n.mode}
	seen[n] = after
	if !n.dir {
		after.content = n.surviving(rng)
		after.durable = append([]byte(nil), after.content...)
		return after
	}
	names := n.durableNames
	if k := rng.IntN(len(n.pendingLayout) + 1); k > 0 {
		names = n.pendingLayout[k-1]
	}
	after.entries = map[string]*node{}
	for _, name := range sortedNames(names) {
		after.entries[name] = names[name].crash(rng, seen)
	}
	after.durableNames = copyNames(after.entries)
	return after
}

// surviving returns the durable content with some of the pending changes, each of which is complete, truncated, or
// omitted.
func (n *node) surviving(rng *rand.Rand) []byte {
	content := append([]byte(nil), n.durable...)
	everything := rng.IntN(4) == 0
	for _, c := range n.pending {
		if !everything && rng.IntN(2) == 0 {
			continue
		}
		if c.data != nil && !everything && rng.IntN(3) == 0 {
			content = write(content, c.offset, make([]byte, len(c.data))) // extended but not filled
			c.data = c.data[:rng.IntN(len(c.data)+1)]
		}
		content = c.apply(content)
	}
	return content
}

func (c change) apply(content []byte) []byte {
	if c.data != nil {
		return write(content, c.offset, c.data)
	}
	return resize(content, c.offset)
}

func write(content []byte, offset int64, data []byte) []byte {
	if end := offset + int64(len(data)); end > int64(len(content)) {
		content = resize(content, end)
	}
	copy(content[offset:], data)
	return content
}

func resize(content []byte, size int64) []byte {
	if size <= int64(len(content)) {
		return content[:size:size]
	}
	return append(content, make([]byte, size-int64(len(content)))...)
}

// find returns the node at a path. parent is the directory of the node, which exists even if the node does not.
func (d *Disk) find(op, name string) (parent, n *node, base string, err error) {
	name = filepath.Clean(name)
	n = d.root
	for _, part := range split(name) {
		if n == nil || !n.dir {
			return nil, nil, "", &fs.PathError{Op: op, Path: name, Err: syscall.ENOENT}
		}
		parent, base = n, part
		n = n.entries[part]
	}
	return parent, n, base, nil
}

func split(name string) []string {
	var parts []string
	for name != "." && name != string(filepath.Separator) {
		parts = append([]string{filepath.Base(name)}, parts...)
		name = filepath.Dir(name)
	}
	return parts
}

// changed records the entries of a directory after a change.
func (n *node) changed() { n.pendingLayout = append(n.pendingLayout, copyNames(n.entries)) }

// OpenFile implements disk.FS.
func (d *Disk) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	parent, n, base, err := d.find("open", name)
	if err != nil {
		return nil, err
	}
	switch {
	case n == nil && flag&os.O_CREATE == 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
	case n == nil:
		n = &node{mode: perm}
		parent.entries[base] = n
		parent.changed()
	case flag&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EEXIST}
	case n.dir:
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EISDIR}
	}
	file := &file{disk: d, node: n, name: name}
	if flag&os.O_TRUNC != 0 && len(n.content) > 0 {
		n.change(change{})
	}
	return file, nil
}

func (n *node) change(c change) {
	n.pending = append(n.pending, c)
	n.content = c.apply(n.content)
}

// Mkdir implements disk.FS.
func (d *Disk) Mkdir(name string, _ fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	parent, n, base, err := d.find("mkdir", name)
	if err != nil {
		return err
	}
	if n != nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.EEXIST}
	}
	parent.entries[base] = newDir()
	parent.changed()
	return nil
}

// Rename implements disk.FS. A rename between two directories is not atomic across a crash, as on real disks.
func (d *Disk) Rename(oldName, newName string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	oldParent, n, oldBase, err := d.find("rename", oldName)
	if err == nil && n == nil {
		err = &fs.PathError{Op: "rename", Path: oldName, Err: syscall.ENOENT}
	}
	if err != nil {
		return err
	}
	newParent, target, newBase, err := d.find("rename", newName)
	if err != nil {
		return err
	}
	if target != nil && target.dir && len(target.entries) > 0 {
		return &fs.PathError{Op: "rename", Path: newName, Err: syscall.ENOTEMPTY}
	}
	delete(oldParent.entries, oldBase)
	newParent.entries[newBase] = n
	newParent.changed()
	if newParent != oldParent {
		oldParent.changed()
	}
	return nil
}

// Remove implements disk.FS.
func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	parent, n, base, err := d.find("remove", name)
	if err != nil {
		return err
	}
	if n == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOENT}
	}
	if n.dir && len(n.entries) > 0 {
		return &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOTEMPTY}
	}
	delete(parent.entries, base)
	parent.changed()
	return nil
}

// ReadDir implements disk.FS.
func (d *Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.dir("readdir", name)
	if err != nil {
		return nil, err
	}
	var entries []fs.DirEntry
	for _, name := range sortedNames(n.entries) {
		entries = append(entries, fs.FileInfoToDirEntry(n.entries[name].info(name)))
	}
	return entries, nil
}

// SyncDir implements disk.FS.
func (d *Disk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.dir("syncdir", name)
	if err != nil {
		return err
	}
	n.durableNames, n.pendingLayout = copyNames(n.entries), nil
	return nil
}

func (d *Disk) dir(op, name string) (*node, error) {
	_, n, _, err := d.find(op, name)
	if err == nil && (n == nil || !n.dir) {
		err = &fs.PathError{Op: op, Path: name, Err: syscall.ENOENT}
	}
	return n, err
}

// Lstat implements disk.FS.
func (d *Disk) Lstat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, n, _, err := d.find("lstat", name)
	if err == nil && n == nil {
		err = &fs.PathError{Op: "lstat", Path: name, Err: syscall.ENOENT}
	}
	if err != nil {
		return nil, err
	}
	return n.info(filepath.Base(name)), nil
}

func (n *node) info(name string) fs.FileInfo {
	return info{name: name, size: int64(len(n.content)), mode: n.mode}
}

type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

func copyNames(names map[string]*node) map[string]*node {
	out := make(map[string]*node, len(names))
	for name, n := range names {
		out[name] = n
	}
	return out
}

func sortedNames(names map[string]*node) []string {
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	return sorted
}

var _ disk.FS = (*Disk)(nil)
