package api

import (
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// file is a file in the file system.
type file struct{ name, content py.Value }

func (*file) PyType() string { return "File" }

func (f *file) PyEqual(other py.Value, depth py.Depth) (bool, error) {
	o, ok := other.(*file)
	if !ok {
		return false, nil
	}
	if equal, err := py.Compare(f.name, o.name, depth); err != nil || !equal {
		return false, err
	}
	return py.Compare(f.content, o.content, depth)
}

func (f *file) PyRepr() string { return text("<<File: ", f.name, ", Content: ", f.content, ">>") }

func (f *file) encode(inside []py.Value) py.Value {
	return py.NewDict("__file__", encode(f.name, inside), "content", encode(f.content, inside))
}

// directory is a directory. Two may share their contents after mv moved a directory.
type directory struct {
	name     py.Value
	parent   *directory
	contents *py.Dict
}

func newDirectory(name py.Value, parent *directory) *directory {
	return &directory{name: name, parent: parent, contents: py.NewDict()}
}

func (*directory) PyType() string { return "Directory" }

func (d *directory) PyEqual(other py.Value, depth py.Depth) (bool, error) {
	o, ok := other.(*directory)
	if !ok {
		return false, nil
	}
	depth, err := depth.Next()
	if err != nil {
		return false, err
	}
	if equal, err := py.Compare(d.name, o.name, depth); err != nil || !equal {
		return false, err
	}
	return py.Compare(d.contents, o.contents, depth)
}

func (d *directory) PyRepr() string {
	var parent py.Value
	if d.parent != nil {
		parent = d.parent.name
	}
	return text("<Directory: ", d.name, ", Parent: ", parent, ", Contents: ", d.contents, ">")
}

func (d *directory) encode(inside []py.Value) py.Value {
	for _, outer := range inside {
		if outer == py.Value(d) {
			return py.NewDict("__cycle__", "Directory")
		}
	}
	inside = append(inside, d)
	contents := py.NewList()
	for i := range d.contents.Len() {
		name, item := d.contents.At(i)
		contents.Append(py.NewList(encode(name, inside), encode(item, inside)))
	}
	var parent py.Value
	if d.parent != nil {
		parent = encode(d.parent.name, inside)
	}
	return py.NewDict("__dir__", encode(d.name, inside), "parent", parent, "contents", contents)
}

// addFile adds a file that does not exist yet.
func (d *directory) addFile(name, content py.Value) {
	d.absent("File", name)
	d.contents.Set(name, &file{name, content})
}

// addDirectory adds a directory that does not exist yet.
func (d *directory) addDirectory(name py.Value) *directory {
	d.absent("Directory", name)
	made := newDirectory(name, d)
	d.contents.Set(name, made)
	return made
}

func (d *directory) absent(kind string, name py.Value) {
	if py.Must(py.In(name, d.contents)) {
		panic(py.ValueError("%s '%s' already exists in directory '%s'.", kind, py.Str(name), py.Str(d.name)))
	}
}

var (
	_ py.Object = (*file)(nil)
	_ py.Object = (*directory)(nil)
	_ encodable = (*file)(nil)
	_ encodable = (*directory)(nil)
)
