package api

import "github.com/awhost/awhost/plugins/bfcl-env/internal/py"

func (f *fileSystem) mv(a []py.Value) (py.Value, error) {
	return f.transfer("mv", "move", "moved", a[0], a[1])
}

func (f *fileSystem) cp(a []py.Value) (py.Value, error) {
	return f.transfer("cp", "copy", "copied", a[0], a[1])
}

// transfer moves or copies an entry. A moved directory becomes a new one with the old contents, whose entries keep their old
// parent; a copied one shares its files and directories with the original.
func (f *fileSystem) transfer(command, verb, done string, source, destination py.Value) (py.Value, error) {
	if refusal, err := f.refuseTransfer(command, verb, source, destination); err != nil || refusal != nil {
		return refusal, err
	}
	item := f.item(source)
	there, err := f.here(destination)
	if err != nil {
		return nil, err
	}
	c := change{into: f.current.contents, name: destination, item: item}
	if command == "mv" {
		c.from, c.gone = f.current.contents, source
	}
	if !there {
		if refusal, err := f.outgrown(command, c); err != nil || refusal != nil {
			return refusal, err
		}
		if command == "mv" {
			f.current.contents.Delete(source)
		}
		if err := place(item, f.current, destination, command == "cp"); err != nil {
			return nil, err
		}
		return result(text(quotedName(source), " ", done, " to ", quotedName(destination))), nil
	}
	into, ok := f.item(destination).(*directory)
	if !ok {
		if f.world.Profile == EnvTuning && command == "mv" {
			return failure(text("mv: ", quotedName(destination), ": Destination exists but is not a directory. Cannot overwrite existing file."))
		}
		return failure(text(command, ": cannot ", verb, " ", quotedName(source), " to ", quotedName(destination), ": Not a directory"))
	}
	path := text(destination, "/", source)
	taken := source
	if command == "cp" {
		taken = path // the reference looks for a name that no entry has
	}
	if into.contents.Has(taken) {
		why := "File exists"
		if f.world.Profile == EnvTuning && command == "mv" {
			why = "File already exists in destination directory."
		}
		return failure(text(command, ": cannot ", verb, " ", quotedName(source), " to ", quotedName(path), ": ", why))
	}
	c.into, c.name = into.contents, source
	if refusal, err := f.outgrown(command, c); err != nil || refusal != nil {
		return refusal, err
	}
	if command == "mv" {
		f.current.contents.Delete(source)
	}
	if err := place(item, into, source, command == "cp"); err != nil {
		return nil, err
	}
	return result(text(quotedName(source), " ", done, " to ", quotedName(path))), nil
}

// place puts an entry into a directory under a name.
func place(item py.Value, into *directory, name py.Value, copied bool) error {
	if f, ok := item.(*file); ok {
		return into.addFile(name, f.content)
	}
	made, err := into.addDirectory(name)
	if err != nil {
		return err
	}
	made.contents = item.(*directory).contents
	if copied {
		made.contents = made.contents.Copy()
	}
	return nil
}

func (f *fileSystem) refuseTransfer(command, verb string, source, destination py.Value) (py.Value, error) {
	tuned := f.world.Profile == EnvTuning
	if tuned {
		path, err := py.In("/", source)
		if err != nil {
			return nil, err
		}
		if path {
			return failure(text(command, ": ", quotedName(source), ": Paths are not allowed in source. Specify only file/directory name in current directory."))
		}
	}
	there, err := f.here(source)
	switch {
	case err != nil:
		return nil, err
	case !there && tuned:
		return failure(text(command, ": ", quotedName(source), ": No such file or directory in current directory."))
	case !there:
		return failure(text(command, ": cannot ", verb, " ", quotedName(source), ": No such file or directory"))
	}
	path, err := py.In("/", destination)
	switch {
	case err != nil || !path:
		return nil, err
	case tuned:
		return failure(text(command, ": ", quotedName(destination), ": Paths are not allowed in destination. Specify only file/directory name in current directory."))
	case f.world.Profile == V4:
		return failure(command + ": path not allowed in destination. Provide only a file or directory name.")
	case command == "mv":
		return failure("mv: no path allowed in destination. Only file name and folder name is supported for this operation.")
	}
	return failure("cp: don't allow path in destination. Only file name and folder name is supported for this operation.")
}

func (f *fileSystem) rm(a []py.Value) (py.Value, error) {
	if refusal, err := f.refusePath("rm", "file/directory name", a[0]); err != nil || refusal != nil {
		return refusal, err
	}
	there, err := f.here(a[0])
	switch {
	case err != nil:
		return nil, err
	case !there && f.world.Profile == EnvTuning:
		return failure(text("rm: ", quotedName(a[0]), ": No such file or directory in current directory."))
	case !there:
		return failure(text("rm: cannot remove ", quotedName(a[0]), ": No such file or directory"))
	}
	f.current.contents.Delete(a[0])
	return result(text(quotedName(a[0]), " removed")), nil
}

func (f *fileSystem) rmdir(a []py.Value) (py.Value, error) {
	if refusal, err := f.refusePath("rmdir", "directory name", a[0]); err != nil || refusal != nil {
		return refusal, err
	}
	there, err := f.here(a[0])
	switch {
	case err != nil:
		return nil, err
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
	return result(text(quotedName(a[0]), " removed")), nil
}

var _ Instance = (*fileSystem)(nil)
