package api

import (
	"fmt"
	"math/big"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// A copied directory shares its subdirectories with the original, so n calls can build a tree of 2^n entries. Calls
// that would make a file system larger than these bounds are refused. Python has no such limit. The largest file system
// in BFCL's ground truth, in a long-context task, has 127 entries and 33 KB.
const (
	maxEntries = 10_000
	maxBytes   = 8 << 20 // of paths, names of parents, and contents
)

// maxSteps bounds the traversals of find and du. They follow a directory that contains itself up to the recursion limit
// of 300, which is reached first.
const maxSteps = 300 * maxEntries

// change is an entry that is about to be added, and one that is removed beforehand.
type change struct {
	into *py.Dict
	name py.Value
	item py.Value
	from *py.Dict // nil: nothing is removed
	gone py.Value
}

// checkSize returns an error reply if a call would make the file system too large, or nil.
func (f *fileSystem) checkSize(command string, c change) py.Value {
	if d, ok := c.item.(*directory); ok {
		c.item = &directory{name: c.name, parent: f.current, contents: d.contents} // the moved or copied one
	}
	e := extent{change: c}
	e.directory(f.root, 0)
	for d := f.current; d.parent != nil; d = d.parent {
		if d.parent.contents.Or(d.name, nil) != py.Value(d) { // removed, but can still be walked
			e.directory(d, 0)
		}
	}
	switch {
	case e.entries > maxEntries:
		return failure(fmt.Sprintf("%s: the file system would have more than %d entries", command, maxEntries))
	case e.bytes > maxBytes:
		return failure(fmt.Sprintf("%s: the file system would have more than %d bytes", command, maxBytes))
	}
	return nil
}

// extent counts every occurrence of an entry that encoding or find shows, and stops when it exceeds the bounds.
type extent struct {
	change
	entries, bytes int
	inside         []*directory
}

func (e *extent) tooLarge() bool { return e.entries > maxEntries || e.bytes > maxBytes }

// directory counts the entries below a directory. path is the length of its path in bytes.
func (e *extent) directory(d *directory, path int) {
	for _, outer := range e.inside {
		if outer == d {
			return // encoding stops here, too
		}
	}
	e.inside = append(e.inside, d)
	for i := range d.contents.Len() {
		if e.tooLarge() {
			break
		}
		name, item := d.contents.At(i)
		if d.contents != e.from || !py.Equal(name, e.gone) {
			e.entry(name, item, path)
		}
	}
	if d.contents == e.into && !e.tooLarge() {
		e.entry(e.name, e.item, path)
	}
	e.inside = e.inside[:len(e.inside)-1]
}

func (e *extent) entry(name, item py.Value, path int) {
	path += 1 + size(name)
	e.entries, e.bytes = e.entries+1, e.bytes+path
	switch item := item.(type) {
	case *file:
		e.bytes += size(item.content)
	case *directory:
		if item.parent != nil {
			e.bytes += size(item.parent.name) // may no longer be part of any path
		}
		e.directory(item, path)
	}
}

// size estimates the number of bytes in a written value. For a value that contains itself, the estimate exceeds
// maxBytes.
func size(v py.Value) int { return sizeAt(v, 0) }

func sizeAt(v py.Value, depth py.Depth) int {
	depth, err := depth.Next()
	if err != nil {
		return maxBytes + 1
	}
	n := 0
	switch v := v.(type) {
	case string:
		return len(v)
	case *big.Int:
		return v.BitLen() / 3
	case *py.List:
		return sizeOfItems(v.Items, depth)
	case py.Tuple:
		return sizeOfItems(v, depth)
	case py.Bytes:
		return len(v)
	case *py.Set:
		return sizeOfItems(v.Items(), depth)
	case *py.Dict:
		for i := range v.Len() {
			if n > maxBytes {
				break
			}
			key, value := v.At(i)
			n += 2 + sizeAt(key, depth) + sizeAt(value, depth)
		}
		return n
	case py.Decimal:
		return len(v)
	case py.MPF:
		return len(v)
	}
	return 8
}

func sizeOfItems(items []py.Value, depth py.Depth) int {
	n := 2
	for _, item := range items {
		if n > maxBytes {
			break
		}
		n += 2 + sizeAt(item, depth)
	}
	return n
}

// tooManySteps returns the error for a traversal that exceeds maxSteps.
func tooManySteps(command string) error {
	return py.Raise("RuntimeError", "%s: more than %d entries", command, maxSteps)
}
