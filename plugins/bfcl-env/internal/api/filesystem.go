package api

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// fileSystem is an in-memory file tree with a current directory.
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

func (f *fileSystem) Load(config *py.Dict) (err error) {
	defer py.Catch(&err)
	f.root = newDirectory("/", nil)
	if v, ok := config.Get("root"); ok {
		roots := dict(v, "keys")
		if roots.Len() == 0 {
			return py.Raise("IndexError", "list index out of range")
		}
		name, tree := roots.At(0) // further roots are never read
		contents := py.Must(py.Index(tree, "contents"))
		f.root = newDirectory(name, nil)
		f.load(contents, f.root)
	}
	f.current = f.root
	return nil
}

// load fills a directory from its configuration. In long contexts, files become longer, and files are added to
// directories that contain no other directories.
func (f *fileSystem) load(contents py.Value, into *directory) {
	entries := dict(contents, "items")
	bottommost := true
	into.contents = py.MakeDict(entries.Len())
	for i := range entries.Len() {
		name, entry := entries.At(i)
		switch py.Must(py.Index(entry, "type")) {
		case "directory":
			bottommost = false
			made := newDirectory(name, into)
			f.load(py.Must(py.Index(entry, "contents")), made)
			into.contents.Set(name, made)
		case "file":
			content := py.Must(py.Index(entry, "content"))
			if f.world.LongContext && !slices.Contains(f.world.Tables.list("FILES_TAIL_USED"), name) {
				content = py.Must(py.Add(content, f.world.Tables.Constants["FILE_CONTENT_EXTENSION"]))
			}
			into.contents.Set(name, &file{name, content})
		}
	}
	if !bottommost || !f.world.LongContext {
		return
	}
	for _, name := range f.world.Tables.list("POPULATE_FILE_EXTENSION") {
		into.addFile(name, "")
	}
}

func (f *fileSystem) Public() *py.Dict {
	return py.NewDict("long_context", f.world.LongContext, "root", f.root)
}

func (f *fileSystem) Private() *py.Dict {
	return py.NewDict("cwd", py.NewList(f.path()...))
}

// path returns the names from the root to the current directory.
func (f *fileSystem) path() []py.Value {
	var names []py.Value
	for d := f.current; d != nil; d = d.parent {
		names = append(names, d.name)
	}
	slices.Reverse(names)
	return names
}

func (f *fileSystem) pwd([]py.Value) py.Value {
	var names []string
	for i, name := range f.path() {
		s, ok := name.(string)
		if !ok {
			panic(py.TypeError("sequence item %d: expected str instance, %s found", i, py.TypeName(name)))
		}
		names = append(names, s)
	}
	return py.NewDict("current_working_directory", "/"+strings.Join(names, "/"))
}

func (f *fileSystem) ls(a []py.Value) py.Value {
	if py.Truth(a[0]) {
		return py.NewDict("current_directory_content", py.NewList(slices.Clone(f.current.contents.Keys())...))
	}
	shown := py.NewList()
	for _, name := range f.current.contents.Keys() {
		if !strings.HasPrefix(py.Must(py.Text(name, "startswith")), ".") {
			shown.Append(name)
		}
	}
	return py.NewDict("current_directory_content", shown)
}

func (f *fileSystem) cd(a []py.Value) py.Value {
	folder := a[0]
	if f.world.Profile == V4 {
		name := py.Must(py.Text(folder, "rstrip"))
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
	target := f.navigate(folder)
	if target == nil {
		return f.folderNotFound(folder)
	}
	f.current = target
	return py.NewDict("current_working_directory", target.name)
}

func (f *fileSystem) up() py.Value {
	if f.current.parent != nil {
		f.current = f.current.parent
		return py.NewDict()
	}
	switch {
	case !py.Must(py.Compare(f.root, f.current, 0)):
		return failure("cd: ..: No such directory")
	case f.world.Profile == V3:
		return failure("Cuurent directory is already the root. Cannot go back.")
	}
	return failure("Current directory is already the root. Cannot go back.")
}

func (f *fileSystem) folderNotFound(folder py.Value) py.Value {
	switch f.world.Profile {
	case V4:
		return failure(text("cd: ", quotedName(folder), ": No such file or directory"))
	case V3:
		return failure(text("cd: ", folder, ": No such directory. You cannot use path to change directory."))
	}
	if py.Must(py.In("/", folder)) {
		return failure(text("cd: ", quotedName(folder),
			": Paths are not allowed. Use 'cd' to navigate one directory at a time."))
	}
	return failure(text("cd: ", quotedName(folder), ": No such directory in current location."))
}

// navigate finds a directory by its path, and returns nil if it does not exist.
func (f *fileSystem) navigate(path py.Value) *directory {
	switch path {
	case nil, ".":
		return f.current
	case "/":
		return f.root
	}
	name := py.Must(py.Text(path, "strip"))
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
			return nil
		}
		at = next
	}
	return at
}

// invalidCharacters must not occur in names.
var invalidCharacters = []py.Value{"|", "/", "\\", "?", "%", "*", ":", "\"", ">", "<"}

// validName reports whether a name contains none of the invalid characters.
func validName(name py.Value) bool {
	for _, c := range invalidCharacters {
		if py.Must(py.In(c, name)) {
			return false
		}
	}
	return true
}

// here reports whether the current directory contains an entry.
func (f *fileSystem) here(name py.Value) bool { return py.Must(py.In(name, f.current.contents)) }

// item returns an entry in the current directory.
func (f *fileSystem) item(name py.Value) py.Value {
	if name == "." && f.world.Profile == V4 {
		return f.current
	}
	return f.current.contents.Or(name, nil)
}

func (f *fileSystem) mkdir(a []py.Value) py.Value {
	if refusal := f.checkNewEntry("mkdir", "directory", "Directory", a[0]); refusal != nil {
		return refusal
	}
	made := change{into: f.current.contents, name: a[0], item: newDirectory(a[0], nil)}
	if refusal := f.checkSize("mkdir", made); refusal != nil {
		return refusal
	}
	f.current.addDirectory(a[0])
	return nil
}

func (f *fileSystem) touch(a []py.Value) py.Value {
	refusal := f.checkNewEntry("touch", "file", "File", a[0])
	if refusal != nil {
		return refusal
	}
	return f.create("touch", a[0], "")
}

// create adds a file to the current directory.
func (f *fileSystem) create(command string, name, content py.Value) py.Value {
	refusal := f.checkSize(command, change{into: f.current.contents, name: name, item: &file{name, content}})
	if refusal != nil {
		return refusal
	}
	f.current.addFile(name, content)
	return nil
}

// checkNewEntry returns the reason why an entry of this name cannot be created, or nil.
func (f *fileSystem) checkNewEntry(command, kind, title string, name py.Value) py.Value {
	if refusal := f.refusePath(command, kind+" name", name); refusal != nil {
		return refusal
	}
	valid := validName(name)
	cannot := text(command, ": cannot touch ", quotedName(name))
	if command == "mkdir" {
		cannot = text(command, ": cannot create directory ", quotedName(name))
	}
	tuned := f.world.Profile == EnvTuning
	switch {
	case !valid && tuned:
		return failure(text(command, ": ", quotedName(name), ": Invalid character. ", title,
			` names cannot contain: | / \ ? % * : > < "`))
	case !valid:
		return failure(cannot + ": Invalid character")
	}
	there := f.here(name)
	switch {
	case !there:
		return nil
	case tuned && command == "mkdir":
		return failure(cannot + ": File or directory already exists")
	case tuned:
		return failure(text(command, ": ", quotedName(name), ": File or directory already exists"))
	}
	return failure(cannot + ": File exists")
}

// refusePath returns EnvTuning's error for a path where a name is expected, or nil for a valid name.
func (f *fileSystem) refusePath(command, what string, name py.Value) py.Value {
	if f.world.Profile != EnvTuning || !py.Must(py.In("/", name)) {
		return nil
	}
	return failure(text(command, ": ", quotedName(name), ": Paths are not allowed. Specify only ", what,
		" in current directory."))
}

func (f *fileSystem) echo(a []py.Value) py.Value {
	content, name := a[0], a[1]
	if name == nil {
		return py.NewDict("terminal_output", content)
	}
	if refusal := f.refusePath("echo", "file name", name); refusal != nil {
		return refusal
	}
	valid := validName(name)
	switch {
	case !valid && f.world.Profile == V4:
		return failure(text("echo: cannot write to ", quotedName(name), ": Invalid character"))
	case !valid && f.world.Profile == V3:
		return failure(text("echo: cannot touch ", quotedName(name), ": Invalid character"))
	case !valid:
		return failure(text("echo: ", quotedName(name),
			`: Invalid character. File names cannot contain: | / \ ? % * : > < "`))
	case !py.Truth(name):
		return py.NewDict("terminal_output", content)
	}
	return f.write(name, content)
}

func (f *fileSystem) write(name, content py.Value) py.Value {
	there := f.here(name)
	switch {
	case !there && f.world.Profile == V4:
		return failure(text("echo: cannot write to ", quotedName(name), ": No such file"))
	case !there:
		return f.create("echo", name, content)
	}
	switch item := f.item(name).(type) {
	case *file:
		old := item.content
		item.content = content
		refusal := f.checkSize("echo", change{})
		if refusal != nil {
			item.content = old
		}
		return refusal
	default:
		if f.world.Profile == EnvTuning {
			return failure(text("echo: ", quotedName(name), ": Is a directory. Cannot write to directory."))
		}
		panic(py.NoAttribute(item, "_write"))
	}
}

func (f *fileSystem) cat(a []py.Value) py.Value {
	name := a[0]
	if !validName(name) {
		return failure(text("cat: ", quotedName(name), ": Invalid character"))
	}
	there := f.here(name)
	shown := py.Value(quotedName(name))
	if f.world.Profile != V4 {
		shown = name
	}
	if !there {
		return failure(text("cat: ", shown, ": No such file or directory"))
	}
	if item, ok := f.item(name).(*file); ok {
		return py.NewDict("file_content", item.content)
	}
	return failure(text("cat: ", shown, ": Is a directory"))
}

func (f *fileSystem) find(a []py.Value) py.Value {
	path, name := a[0], a[1]
	target := f.current
	if f.world.Profile == V4 {
		if target = f.navigate(path); target == nil {
			return failure(text("find: ", quotedName(path), ": No such file or directory"))
		}
	}
	base := py.Must(py.Text(path, "rstrip"))
	s := search{name: name, matches: py.NewList()}
	s.below(target, strings.TrimRight(base, "/"), 0)
	if s.tooMany() {
		return failure(text("find: more than ", maxEntries, " matches, or ", maxBytes, " bytes of them"))
	}
	return py.NewDict("matches", s.matches)
}

// search collects the entries whose names contain a string. It continues beyond the bounds, because a directory that
// contains itself must raise an error.
type search struct {
	name    py.Value
	matches *py.List
	bytes   int
	steps   int
}

func (s *search) tooMany() bool { return len(s.matches.Items) > maxEntries || s.bytes > maxBytes }

// below searches a directory.
func (s *search) below(d *directory, base string, depth py.Depth) {
	depth = py.Must(depth.Next())
	for i := range d.contents.Len() {
		if s.steps++; s.steps > maxSteps {
			panic(tooManySteps("find"))
		}
		entry, item := d.contents.At(i)
		path := ""
		if !s.tooMany() {
			path = base + "/" + py.Str(entry)
		}
		matched := s.name == nil || py.Must(py.In(s.name, entry))
		if matched && !s.tooMany() {
			s.matches.Append(path)
			s.bytes += len(path)
		}
		if inner, ok := item.(*directory); ok {
			s.below(inner, path, depth)
		}
	}
}

// linesOf is content.splitlines().
func linesOf(content py.Value) []string {
	return py.SplitLines(py.Must(py.Text(content, "splitlines")))
}

// read finds a file to read. If the file does not exist, refusal reports it in the profile's wording.
func (f *fileSystem) read(command, verb string, name py.Value) (found *file, refusal py.Value) {
	tuned := f.world.Profile == EnvTuning
	early := command == "wc" || command == "grep" // these check the path before the name
	if early {
		if refusal = f.refusePath(command, "file name", name); refusal != nil {
			return nil, refusal
		}
	}
	there := f.here(name)
	if there {
		if item, ok := f.item(name).(*file); ok {
			return item, nil
		}
	}
	switch {
	case there && tuned:
		refusal = failure(text(command, ": ", quotedName(name), ": Is a directory. Cannot ", verb, "."))
	case tuned && !early:
		if refusal = f.refusePath(command, "the file name", name); refusal == nil {
			refusal = failure(text(command, ": ", quotedName(name), ": No such file in current directory."))
		}
	case tuned:
		refusal = failure(text(command, ": ", quotedName(name), ": No such file in current directory."))
	default:
		refusal = failure(text(command, ": ", name, ": No such file or directory"))
	}
	return nil, refusal
}

func (f *fileSystem) wc(a []py.Value) py.Value {
	name, mode := a[0], a[1]
	if !py.Equal(mode, "l") && !py.Equal(mode, "w") && !py.Equal(mode, "c") {
		return failure(text("wc: invalid mode ", quotedName(mode)))
	}
	found, refusal := f.read("wc", "count directory contents", name)
	if refusal != nil {
		return refusal
	}
	switch mode {
	case "l":
		lines := linesOf(found.content)
		return py.NewDict("count", len(lines), "type", "lines")
	case "w":
		words := py.Must(py.Text(found.content, "split"))
		return py.NewDict("count", len(py.Split(words)), "type", "words")
	}
	characters := py.Must(py.Length(found.content))
	return py.NewDict("count", characters, "type", "characters")
}

func (f *fileSystem) sort(a []py.Value) py.Value {
	found, refusal := f.read("sort", "sort directory contents", a[0])
	if refusal != nil {
		return refusal
	}
	lines := linesOf(found.content)
	slices.Sort(lines)
	return py.NewDict("sorted_content", strings.Join(lines, "\n"))
}

func (f *fileSystem) grep(a []py.Value) py.Value {
	found, refusal := f.read("grep", "search in directory", a[0])
	if refusal != nil {
		return refusal
	}
	lines := linesOf(found.content)
	matching := py.NewList()
	for _, line := range lines {
		if py.Must(py.In(a[1], line)) {
			matching.Append(line)
		}
	}
	return py.NewDict("matching_lines", matching)
}

func (f *fileSystem) du(a []py.Value) py.Value {
	steps := 0
	size := sizeOf(f.current, &steps, 0)
	if !py.Truth(a[0]) {
		return py.NewDict("disk_usage", text(size, " bytes"))
	}
	rest := float64(size)
	for _, unit := range []string{"B", "KB", "MB", "GB", "TB"} {
		if rest < 1024 {
			return py.NewDict("disk_usage", py.Fixed(rest, 2)+" "+unit)
		}
		rest /= 1024
	}
	return py.NewDict("disk_usage", py.Fixed(rest, 2)+" PB")
}

// sizeOf counts the bytes in the files below an entry, and the steps that this takes.
func sizeOf(item py.Value, steps *int, depth py.Depth) int {
	depth = py.Must(depth.Next())
	if *steps++; *steps > maxSteps {
		panic(tooManySteps("du"))
	}
	switch item := item.(type) {
	case *file:
		return len(py.Must(py.Text(item.content, "encode")))
	case *directory:
		total := 0
		for _, child := range item.contents.Values() {
			total += sizeOf(child, steps, depth)
		}
		return total
	}
	return 0
}

func (f *fileSystem) tail(a []py.Value) py.Value {
	found, refusal := f.read("tail", "display directory contents", a[0])
	if refusal != nil {
		return refusal
	}
	lines := linesOf(found.content)
	more := py.Must(py.Greater(a[1], len(lines)))
	n := len(lines)
	if !more {
		whole, ok := py.BigInt(a[1])
		if !ok {
			panic(py.TypeError("slice indices must be integers or None or have an __index__ method"))
		}
		n = -len(lines) // nothing is left from here on
		if whole.IsInt64() {
			n = max(n, int(whole.Int64()))
		}
	}
	from := len(lines) - n // lines[-n:]
	if n <= 0 {
		from = min(-n, len(lines))
	}
	return py.NewDict("last_lines", strings.Join(lines[from:], "\n"))
}

func (f *fileSystem) diff(a []py.Value) py.Value {
	one, other, refusal := f.filesToCompare(a[0], a[1])
	if refusal != nil {
		return refusal
	}
	left := linesOf(one.content)
	right := linesOf(other.content)
	var out []string
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			out = append(out, "- "+left[i]+"\n+ "+right[i])
		}
	}
	return py.NewDict("diff_lines", strings.Join(out, "\n"))
}

// filesToCompare finds the two files to compare.
func (f *fileSystem) filesToCompare(one, other py.Value) (left, right *file, refusal py.Value) {
	if f.world.Profile == EnvTuning {
		return f.twoFilesTuned(one, other)
	}
	if f.here(one) && f.here(other) {
		left, _ = f.item(one).(*file)
		right, _ = f.item(other).(*file)
		if left != nil && right != nil {
			return left, right, nil
		}
	}
	return nil, nil, failure(text("diff: ", one, " or ", other, ": No such file or directory"))
}

func (f *fileSystem) twoFilesTuned(one, other py.Value) (left, right *file, refusal py.Value) {
	for _, name := range []py.Value{one, other} {
		if py.Must(py.In("/", name)) {
			return nil, nil, failure("diff: Paths are not allowed. Specify only file names in current directory.")
		}
	}
	hasOne := f.here(one)
	hasOther := f.here(other)
	left, _ = f.item(one).(*file)
	right, _ = f.item(other).(*file)
	both := text("diff: ", quotedName(one), " and ", quotedName(other))
	switch {
	case !hasOne && !hasOther:
		refusal = failure(both + ": Both files not found in current directory.")
	case !hasOne:
		refusal = failure(text("diff: ", quotedName(one), ": No such file in current directory."))
	case !hasOther:
		refusal = failure(text("diff: ", quotedName(other), ": No such file in current directory."))
	case left == nil && right == nil:
		refusal = failure(both + ": Both are directories. Cannot compare directories.")
	case left == nil:
		refusal = failure(text("diff: ", quotedName(one), ": Is a directory. Cannot compare directory with file."))
	case right == nil:
		refusal = failure(text("diff: ", quotedName(other), ": Is a directory. Cannot compare directory with file."))
	}
	return left, right, refusal
}
