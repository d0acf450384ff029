package api

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// fileSystem is a tree of files in memory, with a current directory.
type fileSystem struct {
	world   *World
	root    *directory
	current *directory
}

func init() {
	c := newClass[fileSystem]("GorillaFileSystem", func(w *World) Instance { return &fileSystem{world: w} })
	c.method("pwd", "", (*fileSystem).pwd)
	c.method("ls", "a=False", (*fileSystem).ls)
	c.method("cd", "folder", (*fileSystem).cd)
	c.method("mkdir", "dir_name", (*fileSystem).mkdir)
	c.method("touch", "file_name", (*fileSystem).touch)
	c.method("echo", "content, file_name=None", (*fileSystem).echo)
	c.method("cat", "file_name", (*fileSystem).cat)
	c.method("find", "path='.', name=None", (*fileSystem).find)
	c.method("wc", "file_name, mode='l'", (*fileSystem).wc)
	c.method("sort", "file_name", (*fileSystem).sort)
	c.method("grep", "file_name, pattern", (*fileSystem).grep)
	c.method("du", "human_readable=False", (*fileSystem).du)
	c.method("tail", "file_name, lines=10", (*fileSystem).tail)
	c.method("diff", "file_name1, file_name2", (*fileSystem).diff)
	c.method("mv", "source, destination", (*fileSystem).mv)
	c.method("rm", "file_name", (*fileSystem).rm)
	c.method("rmdir", "dir_name", (*fileSystem).rmdir)
	c.method("cp", "source, destination", (*fileSystem).cp)
}

func (f *fileSystem) Load(config *py.Dict) error {
	f.root = newDirectory("/", nil)
	if v, ok := config.Get("root"); ok {
		roots, err := dict(v, "keys")
		if err != nil {
			return err
		}
		if roots.Len() == 0 {
			return py.Raise("IndexError", "list index out of range")
		}
		name, tree := roots.At(0) // further roots are never read
		contents, err := py.Index(tree, "contents")
		if err != nil {
			return err
		}
		f.root = newDirectory(name, nil)
		if err := f.load(contents, f.root); err != nil {
			return err
		}
	}
	f.current = f.root
	return nil
}

// load fills a directory from its configuration. In long contexts files get longer, and directories without others in
// them get files.
func (f *fileSystem) load(contents py.Value, into *directory) error {
	entries, err := dict(contents, "items")
	if err != nil {
		return err
	}
	bottommost := true
	into.contents = py.MakeDict(entries.Len())
	for i := range entries.Len() {
		name, entry := entries.At(i)
		kind, err := py.Index(entry, "type")
		if err != nil {
			return err
		}
		switch kind {
		case "directory":
			bottommost = false
			inner, err := py.Index(entry, "contents")
			if err != nil {
				return err
			}
			made := newDirectory(name, into)
			if err := f.load(inner, made); err != nil {
				return err
			}
			into.contents.Set(name, made)
		case "file":
			content, err := py.Index(entry, "content")
			if err == nil && f.world.LongContext && !slices.Contains(f.world.Tables.list("FILES_TAIL_USED"), name) {
				content, err = py.Add(content, f.world.Tables.Constants["FILE_CONTENT_EXTENSION"])
			}
			if err != nil {
				return err
			}
			into.contents.Set(name, &file{name, content})
		}
	}
	if !bottommost || !f.world.LongContext {
		return nil
	}
	for _, name := range f.world.Tables.list("POPULATE_FILE_EXTENSION") {
		if err := into.addFile(name, ""); err != nil {
			return err
		}
	}
	return nil
}

func (f *fileSystem) Public() *py.Dict {
	return py.NewDict("long_context", f.world.LongContext, "root", f.root)
}

func (f *fileSystem) Private() *py.Dict {
	return py.NewDict("cwd", py.NewList(f.path()...))
}

// path are the names from the root to the current directory.
func (f *fileSystem) path() []py.Value {
	var names []py.Value
	for d := f.current; d != nil; d = d.parent {
		names = append(names, d.name)
	}
	slices.Reverse(names)
	return names
}

func (f *fileSystem) pwd([]py.Value) (py.Value, error) {
	var names []string
	for i, name := range f.path() {
		s, ok := name.(string)
		if !ok {
			return nil, py.TypeError("sequence item %d: expected str instance, %s found", i, py.TypeName(name))
		}
		names = append(names, s)
	}
	return py.NewDict("current_working_directory", "/"+strings.Join(names, "/")), nil
}

func (f *fileSystem) ls(a []py.Value) (py.Value, error) {
	if py.Truth(a[0]) {
		return py.NewDict("current_directory_content", py.NewList(slices.Clone(f.current.contents.Keys())...)), nil
	}
	shown := py.NewList()
	for _, name := range f.current.contents.Keys() {
		s, err := py.Text(name, "startswith")
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(s, ".") {
			shown.Append(name)
		}
	}
	return py.NewDict("current_directory_content", shown), nil
}

func (f *fileSystem) cd(a []py.Value) (py.Value, error) {
	folder := a[0]
	if f.world.Profile == V4 {
		name, err := py.Text(folder, "rstrip")
		if err != nil {
			return nil, err
		}
		if name = strings.TrimRight(name, "/"); name == "" {
			name = "/"
		}
		if name != "/" && strings.Contains(name, "/") {
			return failure("cd: " + name + ": Unsupported path. Only one folder level at a time is supported.")
		}
		folder = name
	}
	if folder == ".." {
		return f.up()
	}
	target, err := f.navigate(folder)
	if err != nil {
		return nil, err
	}
	if target == nil {
		return f.noFolder(folder)
	}
	f.current = target
	return py.NewDict("current_working_directory", target.name), nil
}

func (f *fileSystem) up() (py.Value, error) {
	if f.current.parent != nil {
		f.current = f.current.parent
		return py.NewDict(), nil
	}
	root, err := py.Compare(f.root, f.current, 0)
	switch {
	case err != nil:
		return nil, err
	case !root:
		return failure("cd: ..: No such directory")
	case f.world.Profile == V3:
		return failure("Cuurent directory is already the root. Cannot go back.")
	}
	return failure("Current directory is already the root. Cannot go back.")
}

func (f *fileSystem) noFolder(folder py.Value) (py.Value, error) {
	switch f.world.Profile {
	case V4:
		return failure(text("cd: ", quotedName(folder), ": No such file or directory"))
	case V3:
		return failure(text("cd: ", folder, ": No such directory. You cannot use path to change directory."))
	}
	if has, err := py.In("/", folder); err != nil || has {
		if err != nil {
			return nil, err
		}
		return failure(text("cd: ", quotedName(folder), ": Paths are not allowed. Use 'cd' to navigate one directory at a time."))
	}
	return failure(text("cd: ", quotedName(folder), ": No such directory in current location."))
}

// navigate finds a directory by its path; nil: there is none.
func (f *fileSystem) navigate(path py.Value) (*directory, error) {
	switch path {
	case nil, ".":
		return f.current, nil
	case "/":
		return f.root, nil
	}
	name, err := py.Text(path, "strip")
	if err != nil {
		return nil, err
	}
	at := f.current
	if strings.HasPrefix(name, "/") {
		at = f.root
	}
	for part := range strings.SplitSeq(strings.Trim(name, "/"), "/") {
		if part == "." && f.world.Profile == V4 {
			continue
		}
		next, ok := at.contents.Or(part, nil).(*directory)
		if !ok {
			return nil, nil
		}
		at = next
	}
	return at, nil
}

// invalidCharacters are those that names may not hold.
var invalidCharacters = []py.Value{"|", "/", "\\", "?", "%", "*", ":", "\"", ">", "<"}

// validName says whether a name holds none of them.
func validName(name py.Value) (bool, error) {
	for _, c := range invalidCharacters {
		if has, err := py.In(c, name); err != nil || has {
			return false, err
		}
	}
	return true, nil
}

// here says whether the current directory has an entry.
func (f *fileSystem) here(name py.Value) (bool, error) { return py.In(name, f.current.contents) }

// item is an entry of the current directory.
func (f *fileSystem) item(name py.Value) py.Value {
	if name == "." && f.world.Profile == V4 {
		return f.current
	}
	return f.current.contents.Or(name, nil)
}

func (f *fileSystem) mkdir(a []py.Value) (py.Value, error) {
	refusal, err := f.refuseNew("mkdir", "directory", "Directory", a[0])
	if err != nil || refusal != nil {
		return refusal, err
	}
	refusal, err = f.outgrown("mkdir", change{into: f.current.contents, name: a[0], item: newDirectory(a[0], nil)})
	if err != nil || refusal != nil {
		return refusal, err
	}
	_, err = f.current.addDirectory(a[0])
	return nil, err
}

func (f *fileSystem) touch(a []py.Value) (py.Value, error) {
	refusal, err := f.refuseNew("touch", "file", "File", a[0])
	if err != nil || refusal != nil {
		return refusal, err
	}
	return f.create("touch", a[0], "")
}

// create adds a file to the current directory.
func (f *fileSystem) create(command string, name, content py.Value) (py.Value, error) {
	refusal, err := f.outgrown(command, change{into: f.current.contents, name: name, item: &file{name, content}})
	if err != nil || refusal != nil {
		return refusal, err
	}
	return nil, f.current.addFile(name, content)
}

// refuseNew says why an entry of this name cannot be made; nil: it can.
func (f *fileSystem) refuseNew(command, kind, title string, name py.Value) (py.Value, error) {
	if refusal, err := f.refusePath(command, kind+" name", name); err != nil || refusal != nil {
		return refusal, err
	}
	valid, err := validName(name)
	if err != nil {
		return nil, err
	}
	cannot := text(command, ": cannot touch ", quotedName(name))
	if command == "mkdir" {
		cannot = text(command, ": cannot create directory ", quotedName(name))
	}
	tuned := f.world.Profile == EnvTuning
	switch {
	case !valid && tuned:
		return failure(text(command, ": ", quotedName(name), ": Invalid character. ", title, ` names cannot contain: | / \ ? % * : > < "`))
	case !valid:
		return failure(cannot + ": Invalid character")
	}
	there, err := f.here(name)
	switch {
	case err != nil || !there:
		return nil, err
	case tuned && command == "mkdir":
		return failure(cannot + ": File or directory already exists")
	case tuned:
		return failure(text(command, ": ", quotedName(name), ": File or directory already exists"))
	}
	return failure(cannot + ": File exists")
}

// refusePath is what EnvTuning says of a path where a name is meant; nil: it says nothing.
func (f *fileSystem) refusePath(command, what string, name py.Value) (py.Value, error) {
	if f.world.Profile != EnvTuning {
		return nil, nil
	}
	has, err := py.In("/", name)
	if err != nil || !has {
		return nil, err
	}
	return failure(text(command, ": ", quotedName(name), ": Paths are not allowed. Specify only ", what, " in current directory."))
}

func (f *fileSystem) echo(a []py.Value) (py.Value, error) {
	content, name := a[0], a[1]
	if name == nil {
		return py.NewDict("terminal_output", content), nil
	}
	if refusal, err := f.refusePath("echo", "file name", name); err != nil || refusal != nil {
		return refusal, err
	}
	valid, err := validName(name)
	switch {
	case err != nil:
		return nil, err
	case !valid && f.world.Profile == V4:
		return failure(text("echo: cannot write to ", quotedName(name), ": Invalid character"))
	case !valid && f.world.Profile == V3:
		return failure(text("echo: cannot touch ", quotedName(name), ": Invalid character"))
	case !valid:
		return failure(text("echo: ", quotedName(name), `: Invalid character. File names cannot contain: | / \ ? % * : > < "`))
	case !py.Truth(name):
		return py.NewDict("terminal_output", content), nil
	}
	return f.write(name, content)
}

func (f *fileSystem) write(name, content py.Value) (py.Value, error) {
	there, err := f.here(name)
	switch {
	case err != nil:
		return nil, err
	case !there && f.world.Profile == V4:
		return failure(text("echo: cannot write to ", quotedName(name), ": No such file"))
	case !there:
		return f.create("echo", name, content)
	}
	switch item := f.item(name).(type) {
	case *file:
		old := item.content
		item.content = content
		refusal, err := f.outgrown("echo", change{})
		if err != nil || refusal != nil {
			item.content = old
		}
		return refusal, err
	default:
		if f.world.Profile == EnvTuning {
			return failure(text("echo: ", quotedName(name), ": Is a directory. Cannot write to directory."))
		}
		return nil, py.NoAttribute(item, "_write")
	}
}

func (f *fileSystem) cat(a []py.Value) (py.Value, error) {
	name := a[0]
	valid, err := validName(name)
	if err != nil {
		return nil, err
	}
	if !valid {
		return failure(text("cat: ", quotedName(name), ": Invalid character"))
	}
	there, err := f.here(name)
	if err != nil {
		return nil, err
	}
	shown := py.Value(quotedName(name))
	if f.world.Profile != V4 {
		shown = name
	}
	if !there {
		return failure(text("cat: ", shown, ": No such file or directory"))
	}
	if item, ok := f.item(name).(*file); ok {
		return py.NewDict("file_content", item.content), nil
	}
	return failure(text("cat: ", shown, ": Is a directory"))
}

func (f *fileSystem) find(a []py.Value) (py.Value, error) {
	path, name := a[0], a[1]
	target := f.current
	if f.world.Profile == V4 {
		var err error
		if target, err = f.navigate(path); err != nil {
			return nil, err
		}
		if target == nil {
			return failure(text("find: ", quotedName(path), ": No such file or directory"))
		}
	}
	base, err := py.Text(path, "rstrip")
	if err != nil {
		return nil, err
	}
	s := search{name: name, matches: py.NewList()}
	if err := s.below(target, strings.TrimRight(base, "/"), 0); err != nil {
		return nil, err
	}
	if s.tooMany() {
		return failure(text("find: more than ", maxEntries, " matches, or ", maxBytes, " bytes of them"))
	}
	return py.NewDict("matches", s.matches), nil
}

// search lists the entries whose names hold a text. It goes on when there are too many: a directory that contains itself is
// an error.
type search struct {
	name    py.Value
	matches *py.List
	bytes   int
	steps   int
}

func (s *search) tooMany() bool { return len(s.matches.Items) > maxEntries || s.bytes > maxBytes }

// below searches a directory.
func (s *search) below(d *directory, base string, depth py.Depth) error {
	depth, err := depth.Deeper()
	if err != nil {
		return err
	}
	for i := range d.contents.Len() {
		if s.steps++; s.steps > maxSteps {
			return tooManySteps("find")
		}
		entry, item := d.contents.At(i)
		path := ""
		if !s.tooMany() {
			path = base + "/" + py.Str(entry)
		}
		matched := s.name == nil
		if !matched {
			if matched, err = py.In(s.name, entry); err != nil {
				return err
			}
		}
		if matched && !s.tooMany() {
			s.matches.Append(path)
			s.bytes += len(path)
		}
		if inner, ok := item.(*directory); ok {
			if err := s.below(inner, path, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// linesOf is content.splitlines().
func linesOf(content py.Value) ([]string, error) {
	s, err := py.Text(content, "splitlines")
	if err != nil {
		return nil, err
	}
	return py.SplitLines(s), nil
}

// read finds a file to read. Where there is none, refusal says so, in the words of the profile.
func (f *fileSystem) read(command, verb string, name py.Value) (found *file, refusal py.Value, err error) {
	tuned := f.world.Profile == EnvTuning
	early := command == "wc" || command == "grep" // look at the path before the name
	if early {
		if refusal, err = f.refusePath(command, "file name", name); err != nil || refusal != nil {
			return nil, refusal, err
		}
	}
	there, err := f.here(name)
	if err != nil {
		return nil, nil, err
	}
	if there {
		if item, ok := f.item(name).(*file); ok {
			return item, nil, nil
		}
	}
	switch {
	case there && tuned:
		refusal, err = failure(text(command, ": ", quotedName(name), ": Is a directory. Cannot ", verb, "."))
	case tuned && !early:
		if refusal, err = f.refusePath(command, "the file name", name); err == nil && refusal == nil {
			refusal, err = failure(text(command, ": ", quotedName(name), ": No such file in current directory."))
		}
	case tuned:
		refusal, err = failure(text(command, ": ", quotedName(name), ": No such file in current directory."))
	default:
		refusal, err = failure(text(command, ": ", name, ": No such file or directory"))
	}
	return nil, refusal, err
}

func (f *fileSystem) wc(a []py.Value) (py.Value, error) {
	name, mode := a[0], a[1]
	if !py.Equal(mode, "l") && !py.Equal(mode, "w") && !py.Equal(mode, "c") {
		return failure(text("wc: invalid mode ", quotedName(mode)))
	}
	found, refusal, err := f.read("wc", "count directory contents", name)
	if err != nil || refusal != nil {
		return refusal, err
	}
	switch mode {
	case "l":
		lines, err := linesOf(found.content)
		return py.NewDict("count", len(lines), "type", "lines"), err
	case "w":
		words, err := py.Text(found.content, "split")
		return py.NewDict("count", len(py.Split(words)), "type", "words"), err
	}
	characters, err := py.Length(found.content)
	return py.NewDict("count", characters, "type", "characters"), err
}

func (f *fileSystem) sort(a []py.Value) (py.Value, error) {
	found, refusal, err := f.read("sort", "sort directory contents", a[0])
	if err != nil || refusal != nil {
		return refusal, err
	}
	lines, err := linesOf(found.content)
	slices.Sort(lines)
	return py.NewDict("sorted_content", strings.Join(lines, "\n")), err
}

func (f *fileSystem) grep(a []py.Value) (py.Value, error) {
	found, refusal, err := f.read("grep", "search in directory", a[0])
	if err != nil || refusal != nil {
		return refusal, err
	}
	lines, err := linesOf(found.content)
	if err != nil {
		return nil, err
	}
	matching := py.NewList()
	for _, line := range lines {
		matches, err := py.In(a[1], line)
		if err != nil {
			return nil, err
		}
		if matches {
			matching.Append(line)
		}
	}
	return py.NewDict("matching_lines", matching), nil
}

func (f *fileSystem) du(a []py.Value) (py.Value, error) {
	steps := 0
	size, err := sizeOf(f.current, &steps, 0)
	if err != nil {
		return nil, err
	}
	if !py.Truth(a[0]) {
		return py.NewDict("disk_usage", text(size, " bytes")), nil
	}
	rest := float64(size)
	for _, unit := range []string{"B", "KB", "MB", "GB", "TB"} {
		if rest < 1024 {
			return py.NewDict("disk_usage", py.Fixed(rest, 2)+" "+unit), nil
		}
		rest /= 1024
	}
	return py.NewDict("disk_usage", py.Fixed(rest, 2)+" PB"), nil
}

// sizeOf counts the bytes of the files below an entry, and the steps that it takes.
func sizeOf(item py.Value, steps *int, depth py.Depth) (int, error) {
	depth, err := depth.Deeper()
	if err != nil {
		return 0, err
	}
	if *steps++; *steps > maxSteps {
		return 0, tooManySteps("du")
	}
	switch item := item.(type) {
	case *file:
		s, err := py.Text(item.content, "encode")
		return len(s), err
	case *directory:
		total := 0
		for _, child := range item.contents.Values() {
			size, err := sizeOf(child, steps, depth)
			if err != nil {
				return 0, err
			}
			total += size
		}
		return total, nil
	}
	return 0, nil
}

func (f *fileSystem) tail(a []py.Value) (py.Value, error) {
	found, refusal, err := f.read("tail", "display directory contents", a[0])
	if err != nil || refusal != nil {
		return refusal, err
	}
	lines, err := linesOf(found.content)
	if err != nil {
		return nil, err
	}
	more, err := py.Greater(a[1], len(lines))
	if err != nil {
		return nil, err
	}
	n := len(lines)
	if !more {
		whole, ok := py.BigInt(a[1])
		if !ok {
			return nil, py.TypeError("slice indices must be integers or None or have an __index__ method")
		}
		n = -len(lines) // so far from the end that nothing is left
		if whole.IsInt64() {
			n = max(n, int(whole.Int64()))
		}
	}
	from := len(lines) - n // lines[-n:]
	if n <= 0 {
		from = min(-n, len(lines))
	}
	return py.NewDict("last_lines", strings.Join(lines[from:], "\n")), nil
}

func (f *fileSystem) diff(a []py.Value) (py.Value, error) {
	one, other, refusal, err := f.twoFiles(a[0], a[1])
	if err != nil || refusal != nil {
		return refusal, err
	}
	left, err := linesOf(one.content)
	if err != nil {
		return nil, err
	}
	right, err := linesOf(other.content)
	if err != nil {
		return nil, err
	}
	var out []string
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			out = append(out, "- "+left[i]+"\n+ "+right[i])
		}
	}
	return py.NewDict("diff_lines", strings.Join(out, "\n")), nil
}

// twoFiles finds the files to compare.
func (f *fileSystem) twoFiles(one, other py.Value) (left, right *file, refusal py.Value, err error) {
	if f.world.Profile == EnvTuning {
		return f.twoFilesTuned(one, other)
	}
	there, err := f.here(one)
	if err == nil && there {
		there, err = f.here(other)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if there {
		left, _ = f.item(one).(*file)
		right, _ = f.item(other).(*file)
		if left != nil && right != nil {
			return left, right, nil, nil
		}
	}
	refusal, err = failure(text("diff: ", one, " or ", other, ": No such file or directory"))
	return nil, nil, refusal, err
}

func (f *fileSystem) twoFilesTuned(one, other py.Value) (left, right *file, refusal py.Value, err error) {
	for _, name := range []py.Value{one, other} {
		path, err := py.In("/", name)
		if err != nil {
			return nil, nil, nil, err
		}
		if path {
			refusal, err = failure("diff: Paths are not allowed. Specify only file names in current directory.")
			return nil, nil, refusal, err
		}
	}
	hasOne, err := f.here(one)
	if err != nil {
		return nil, nil, nil, err
	}
	hasOther, err := f.here(other)
	if err != nil {
		return nil, nil, nil, err
	}
	left, _ = f.item(one).(*file)
	right, _ = f.item(other).(*file)
	both := text("diff: ", quotedName(one), " and ", quotedName(other))
	switch {
	case !hasOne && !hasOther:
		refusal, err = failure(both + ": Both files not found in current directory.")
	case !hasOne:
		refusal, err = failure(text("diff: ", quotedName(one), ": No such file in current directory."))
	case !hasOther:
		refusal, err = failure(text("diff: ", quotedName(other), ": No such file in current directory."))
	case left == nil && right == nil:
		refusal, err = failure(both + ": Both are directories. Cannot compare directories.")
	case left == nil:
		refusal, err = failure(text("diff: ", quotedName(one), ": Is a directory. Cannot compare directory with file."))
	case right == nil:
		refusal, err = failure(text("diff: ", quotedName(other), ": Is a directory. Cannot compare directory with file."))
	}
	return left, right, refusal, err
}
