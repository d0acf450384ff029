package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/host/dataset"
)

// datasetTypes returns the types of dataset blocks. Package dataset defines their schemas. The checks here do not read
// any rows.
func datasetTypes() map[string]builtin {
	checks := map[string]func(*decoder, *body){
		dataset.TypeJSONL:       func(d *decoder, b *body) { d.checkRows(b, aFile) },
		dataset.TypeCSV:         func(d *decoder, b *body) { d.checkRows(b, aFile) },
		dataset.TypeParquet:     func(d *decoder, b *body) { d.checkRows(b, aFile, aDirectory) },
		dataset.TypeHuggingFace: checkHuggingFace,
		dataset.TypePython:      func(d *decoder, b *body) { d.checkRows(b) },
		dataset.TypeCommand:     checkCommand,
	}
	types := map[string]builtin{} // mix, split and environment need no checks here
	for _, typ := range dataset.Types() {
		block, _ := dataset.Schema(typ) // defined for each type
		types[typ] = builtin{schema: block, check: checks[typ]}
	}
	return types
}

// checkRows checks a block that makes tasks from rows in files.
func (d *decoder) checkRows(b *body, allowed ...placeKind) {
	d.checkData(b, allowed)
	d.checkExtract(b)
	if w, ok := b.attrs["map"]; ok && !w.value.IsNull() {
		for _, name := range slices.Sorted(maps.Keys(unmarked(w.value).AsValueMap())) {
			if name == "" {
				d.fail(w.at(name), "Invalid value", "map contains an empty field name.")
			}
		}
	}
}

// checkHuggingFace checks whether the block names a directory or a repository. A directory becomes an absolute path.
func checkHuggingFace(d *decoder, b *body) {
	repo, hasRepo := b.attrs["repo"]
	hasRepo = hasRepo && !repo.value.IsNull()
	path, hasPath := b.attrs["path"]
	switch hasPath = hasPath && !path.value.IsNull(); {
	case hasRepo && hasPath:
		d.fail(path.where, "Conflicting sources", "Set either repo (a repository on the hub) or path (a directory).")
	case hasRepo:
		d.checkRepo(b, repo)
	case !hasPath && !b.seen["repo"] && !b.seen["path"]:
		d.fail(
			b.header,
			"Missing argument",
			"repo is required: a repository on the hub, OWNER/NAME, or a directory. For example: repo = \"openai/gsm8k\". Or "+
				"set path to a directory.",
		)
	}
	d.checkRows(b, aDirectory)
}

func (d *decoder) checkRepo(b *body, repo written) {
	plain, marks := repo.value.Unmark()
	name := plain.AsString()
	place := absolute(d.dir, name)
	info, err := os.Stat(place)
	switch {
	case name != "" && err == nil && info.IsDir():
		b.attrs["path"] = written{value: cty.StringVal(place).WithMarks(marks), where: repo.where}
		delete(b.attrs, "repo")
		d.notes = append(
			d.notes,
			fmt.Sprintf("%s is a local directory, so the hub is not used", shownPath(d.dir, place)),
		)
	case name != "" && err == nil:
		d.fail(
			repo.where,
			"Not a directory",
			fmt.Sprintf(
				"%s is a file, but this dataset takes a directory or a repository. Read single files with dataset \"csv\", "+
					"\"jsonl\", or \"parquet\".",
				shownPath(d.dir, place),
			),
		)
	case !dataset.IsRepo(name):
		d.fail(
			repo.where,
			"Missing directory",
			fmt.Sprintf(
				"Directory %s does not exist, and %q is not a repository name of the form OWNER/NAME. Relative paths start at "+
					"the spec's directory, %s.",
				shownPath(d.dir, place),
				name,
				d.dir,
			),
		)
	}
}

// checkCommand reports a command without a program.
func checkCommand(d *decoder, b *body) {
	if w, ok := b.attrs["command"]; ok && !w.value.IsNull() {
		if words := unmarked(w.value).AsValueSlice(); len(words) == 0 || words[0].IsNull() ||
			words[0].AsString() == "" {
			d.fail(
				w.where,
				"Missing program",
				"command is empty. Give the program and its arguments, such as [\"python3\", \"tasks.py\"].",
			)
		}
	}
	d.checkRows(b)
}

// placeKind is a kind of file that a dataset's path may name.
type placeKind string

const (
	aFile      placeKind = "a file"
	aDirectory placeKind = "a directory"
)

// checkData checks that the data exists, so that a wrong path is reported at its location in the spec.
func (d *decoder) checkData(b *body, allowed []placeKind) {
	w, ok := b.attrs["path"]
	if !ok || w.value.IsNull() {
		return
	}
	path := unmarked(w.value).AsString()
	shown := shownPath(d.dir, path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !slices.Contains(allowed, aFile):
		d.fail(
			w.where,
			"Missing directory",
			fmt.Sprintf(
				"%s does not exist. Relative paths start at the spec's directory, %s. To use a repository on the hub, set repo "+
					"instead of path: `awhost init` downloads it.",
				shown,
				d.dir,
			),
		)
	case errors.Is(err, fs.ErrNotExist):
		d.fail(w.where, "Missing file", missingFile(d.dir, path))
	case err != nil:
		d.fail(w.where, "Unreadable file", fmt.Sprintf("%s.", err))
	case info.IsDir() && !slices.Contains(allowed, aDirectory):
		d.fail(w.where, "Not a file", fmt.Sprintf("%s is a directory, but this dataset takes a file.", shown))
	case !info.IsDir() && !slices.Contains(allowed, aFile):
		d.fail(
			w.where,
			"Not a directory",
			fmt.Sprintf(
				"%s is a file, but this dataset takes a directory. Read single files with dataset \"csv\", \"jsonl\", or "+
					"\"parquet\".",
				shown,
			),
		)
	}
}

func (d *decoder) checkExtract(b *body) {
	w, ok := b.attrs["extract"]
	if !ok || w.value.IsNull() {
		return
	}
	patterns := unmarked(w.value).AsValueMap()
	for _, name := range slices.Sorted(maps.Keys(patterns)) {
		if patterns[name].IsNull() {
			continue
		}
		pattern, err := regexp.Compile(patterns[name].AsString())
		switch {
		case err != nil:
			d.fail(w.at(name), "Malformed regular expression", fmt.Sprintf("extract.%s: %s.", name, err))
		case pattern.NumSubexp() != 1:
			d.fail(
				w.at(name),
				"Malformed regular expression",
				fmt.Sprintf(
					"extract.%s has %d groups. It must have exactly one, in parentheses: the part of the text to keep.",
					name,
					pattern.NumSubexp(),
				),
			)
		}
	}
}
