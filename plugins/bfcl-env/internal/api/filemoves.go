package api

import "github.com/awhost/awhost/plugins/bfcl-env/internal/py"

func (f *fileSystem) mv(a []py.Value) py.Value {
	return f.transfer("mv", "move", "moved", a[0], a[1])
}

func (f *fileSystem) cp(a []py.Value) py.Value {
	return f.transfer("cp", "copy", "copied", a[0], a[1])
}

// transfer moves or copies an entry. A moved directory becomes a new one with the old contents, whose entries keep
// their old parent; a copied directory shares its files and directories with the original.
func (f *fileSystem) transfer(command, verb, done string, source, destination py.Value) py.Value {
	if refusal := f.refuseTransfer(command, verb, source, destination); refusal != nil {
		return refusal
	}
	item := f.item(source)
	there := f.here(destination)
	c := change{into: f.current.contents, name: destination, item: item}
	if command == "mv" {
		c.from, c.gone = f.current.contents, source
	}
	if !there {
		if refusal := f.checkSize(command, c); refusal != nil {
			return refusal
		}
		if command == "mv" {
			f.current.contents.Delete(source)
		}
		place(item, f.current, destination, command == "cp")
		return result(text(quotedName(source), " ", done, " to ", quotedName(destination)))
	}
	into, ok := f.item(destination).(*directory)
	if !ok {
		if f.world.Profile == EnvTuning && command == "mv" {
			return failure(text("mv: ", quotedName(destination),
				": Destination exists but is not a directory. Cannot overwrite existing file."))
		}
		return failure(text(command, ": cannot ", verb, " ", quotedName(source), " to ", quotedName(destination),
			": Not a directory"))
	}
	path := text(destination, "/", source)
	taken := source
	if command == "cp" {
		taken = path // the reference checks a name that no entry has
	}
	if into.contents.Has(taken) {
		why := "File exists"
		if f.world.Profile == EnvTuning && command == "mv" {
			why = "File already exists in destination directory."
		}
		return failure(text(command, ": cannot ", verb, " ", quotedName(source), " to ", quotedName(path), ": ", why))
	}
	c.into, c.name = into.contents, source
	if refusal := f.checkSize(command, c); refusal != nil {
		return refusal
	}
	if command == "mv" {
		f.current.contents.Delete(source)
	}
	place(item, into, source, command == "cp")
	return result(text(quotedName(source), " ", done, " to ", quotedName(path)))
}

// place puts an entry in a directory under a given name.
func place(item py.Value, into *directory, name py.Value, copied bool) {
	if f, ok := item.(*file); ok {
		into.addFile(name, f.content)
		return
	}
	made := into.addDirectory(name)
	made.contents = item.(*directory).contents
	if copied {
		made.contents = made.contents.Copy()
	}
}

func (f *fileSystem) refuseTransfer(command, verb string, source, destination py.Value) py.Value {
	tuned := f.world.Profile == EnvTuning
	if tuned && py.Must(py.In("/", source)) {
		return failure(text(command, ": ", quotedName(source),
			": Paths are not allowed in source. Specify only file/directory name in current directory."))
	}
	there := f.here(source)
	switch {
	case !there && tuned:
		return failure(text(command, ": ", quotedName(source), ": No such file or directory in current directory."))
	case !there:
		return failure(text(command, ": cannot ", verb, " ", quotedName(source), ": No such file or directory"))
	}
	path := py.Must(py.In("/", destination))
	switch {
	case !path:
		return nil
	case tuned:
		return failure(text(command, ": ", quotedName(destination),
			": Paths are not allowed in destination. Specify only file/directory name in current directory."))
	case f.world.Profile == V4:
		return failure(command + ": path not allowed in destination. Provide only a file or directory name.")
	case command == "mv":
		return failure("mv: no path allowed in destination. Only file name and folder name is supported for this operation.")
	}
	return failure("cp: don't allow path in destination. Only file name and folder name is supported for this operation.")
}

func (f *fileSystem) rm(a []py.Value) py.Value {
	if refusal := f.refusePath("rm", "file/directory name", a[0]); refusal != nil {
		return refusal
	}
	there := f.here(a[0])
	switch {
	case !there && f.world.Profile == EnvTuning:
		return failure(text("rm: ", quotedName(a[0]), ": No such file or directory in current directory."))
	case !there:
		return failure(text("rm: cannot remove ", quotedName(a[0]), ": No such file or directory"))
	}
	f.current.contents.Delete(a[0])
	return result(text(quotedName(a[0]), " removed"))
}

func (f *fileSystem) rmdir(a []py.Value) py.Value {
	if refusal := f.refusePath("rmdir", "directory name", a[0]); refusal != nil {
		return refusal
	}
	there := f.here(a[0])
	switch {
	case !there && f.world.Profile == EnvTuning:
		return failure(text("rmdir: ", quotedName(a[0]), ": No such directory in current directory."))
	case !there:
		return failure(text("rmdir: cannot remove ", quotedName(a[0]), ": No such file or directory"))
	}
	d, ok := f.item(a[0]).(*directory)
	switch {
	case !ok:
		return failure(text("rmdir: cannot remove ", quotedName(a[0]), ": Not a directory"))
	case d.contents.Len() > 0 && f.world.Profile == V4:
		return failure(text("rmdir: cannot remove ", quotedName(a[0]), ": Directory not empty"))
	case d.contents.Len() > 0:
		return failure(text("rmdir: failed to remove ", quotedName(a[0]), ": Directory not empty"))
	}
	f.current.contents.Delete(a[0])
	return result(text(quotedName(a[0]), " removed"))
}

var _ Instance = (*fileSystem)(nil)
