package api

import (
	"fmt"
	"math/big"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// A copied directory shares the directories in it with the original, so that n calls can make a tree of 2^n entries. What
// would make a file system larger than this is refused; Python has no such bound. In BFCL's ground truth the largest, in a
// long context, has 127 entries and 33 KB.
const (
	maxEntries = 10_000
	maxBytes   = 8 << 20 // of paths, the names of parents, and contents
)

// maxSteps bounds the walks of find and du, which follow a directory that contains itself to the greatest depth, 300. It is
// not reached before that.
const maxSteps = 300 * maxEntries

// change is an entry that is about to be added, and one that is removed before.
type change struct {
	into *py.Dict
	name py.Value
	item py.Value
	from *py.Dict // nil: none is removed
	gone py.Value
}

// outgrown says why a call cannot be carried out: the file system would become too large. nil: it can.
func (f *fileSystem) outgrown(command string, c change) py.Value {
	if d, ok := c.item.(*directory); ok {
		c.item = &directory{name: c.name, parent: f.current, contents: d.contents} // it becomes a new one
	}
	e := extent{change: c}
	e.directory(f.root, 0)
	for d := f.current; d.parent != nil; d = d.parent {
		if d.parent.contents.Or(d.name, nil) != py.Value(d) { // it was removed, and can still be walked
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

// extent counts what there is, as often as encoding it or finding it shows it, until it is too much.
type extent struct {
	change
	entries, bytes int
	inside         []*directory
}

func (e *extent) tooLarge() bool { return e.entries > maxEntries || e.bytes > maxBytes }

// directory counts what is below a directory whose path has so many bytes.
func (e *extent) directory(d *directory, path int) {
	for _, outer := range e.inside {
		if outer == d {
			return // where encoding ends, too
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
			e.bytes += size(item.parent.name) // may be in no path any more
		}
		e.directory(item, path)
	}
}

// size is about how many bytes a value is written in, or something beyond maxBytes: also of one that contains itself.
func size(v py.Value) int { return sizeAt(v, 0) }

func sizeAt(v py.Value, depth py.Depth) int {
	depth, err := depth.Deeper()
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

// tooManySteps answers a walk that goes on and on.
func tooManySteps(command string) error {
	return py.Raise("RuntimeError", "%s: more than %d entries", command, maxSteps)
}
