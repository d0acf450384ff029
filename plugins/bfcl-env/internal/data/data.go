// Package data finds and reads BFCL's multi-turn data, which must not be committed: in an installed bfcl-eval package,
// its wheel, a checkout of the gorilla repository, or a directory with the same files.
//
//	set, err := data.Open("bfcl_eval-2026.3.23-py3-none-any.whl", data.Options{})
//	for _, e := range set.Entries { … }           // of all categories, in the order of the files
//	docs := set.Functions["GorillaFileSystem"]    // the methods' documents for a model
//
// The data is never executed: the constants of long contexts, which are Python source, are read as literals.
// Set.Digest identifies the data, because releases with the same prefix differ.
package data

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Categories lists the categories of multi-turn tasks in leaderboard order.
var Categories = []string{"base", "miss_func", "miss_param", "long_context"}

// CheckCategories returns an error for an invalid list of categories.
func CheckCategories(categories []string) error {
	for i, category := range categories {
		switch {
		case category == "":
			return errors.New("categories holds null or an empty text: leave it out")
		case !slices.Contains(Categories, category):
			return fmt.Errorf("%q is not a category of BFCL's multi-turn tasks: choose from %s", category,
				strings.Join(Categories, ", "))
		case slices.Contains(categories[:i], category):
			return fmt.Errorf("categories holds %q twice: list each once", category)
		}
	}
	return nil
}

// Options selects part of the data.
type Options struct {
	Version    string   // "v3" or "v4"; empty: the version that is found
	Categories []string // empty: all
}

// Set is the data.
type Set struct {
	Version   string
	Entries   []*entry.Entry
	Functions map[string][]Function // by class
	Tables    *api.Tables           // nil without the category long_context
	Digest    string                // "sha256:…" of the files read

	parts map[string]string // by category and documentsPart: the sha256 of its files
}

// Function describes a method to a model.
type Function struct {
	Name        string
	Description string
	Parameters  *py.Dict // unchanged: their types are not JSON Schema's
}

// Find returns the entry with an id.
func (s *Set) Find(id string) (*entry.Entry, bool) {
	i := slices.IndexFunc(s.Entries, func(e *entry.Entry) bool { return e.ID == id })
	if i < 0 {
		return nil, false
	}
	return s.Entries[i], true
}

// Remove removes the entries whose IDs are selected by chosen.
func (s *Set) Remove(chosen func(id string) bool) {
	s.Entries = slices.DeleteFunc(s.Entries, func(e *entry.Entry) bool { return chosen(e.ID) })
}

// HeapHeadroom is the number of bytes that a process that runs the entries may allocate between two garbage
// collections. Such a process holds about ten megabytes of data and produces the same amount of garbage in ten
// milliseconds. Garbage collection took a third of its time.
const HeapHeadroom = 64 << 20

// Open reads the data from a directory or a wheel.
func Open(source string, o Options) (*Set, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, fmt.Errorf("there is no BFCL data: %w: %s", err, downloadHint)
	}
	if info.IsDir() {
		return read(os.DirFS(source), source, o)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is neither a directory nor a wheel: %s", source, downloadHint)
	}
	wheel, err := zip.OpenReader(source)
	if err != nil {
		return nil, fmt.Errorf("%s is neither a directory nor a whole wheel: %w. If its download was cut short, download it again: %s",
			source, err, downloadHint)
	}
	defer wheel.Close()
	return read(wheel, source, o)
}

// VersionError reports that a source contains a different version of the data from the one requested.
type VersionError struct {
	Source     string
	Has, Wants string // "v3" or "v4"
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s is BFCL's data of version %s, and version %s is wanted: %s gets it", e.Source, e.Has[1:],
		e.Wants[1:], Download(e.Wants))
}

var (
	downloadHint = Download("v4") + " gets a wheel with version 4, " + Download("v3") + " one with version 3"
	versions     = []string{"v4", "v3"}
)

// roots lists the possible locations of the data below a source.
var roots = []string{
	"bfcl_eval/data", "data", ".", "berkeley-function-call-leaderboard/bfcl_eval/data",
	"berkeley-function-call-leaderboard/data",
	"lib/python3.10/site-packages/bfcl_eval/data", "lib/python3.11/site-packages/bfcl_eval/data",
	"lib/python3.12/site-packages/bfcl_eval/data",
}

type reader struct {
	fs      fs.FS
	source  string
	root    string
	version string
	sum     hash.Hash // of all files
	part    hash.Hash // of the files of the current part
}

func read(files fs.FS, source string, o Options) (*Set, error) {
	if len(o.Categories) == 0 {
		o.Categories = Categories
	}
	if err := CheckCategories(o.Categories); err != nil {
		return nil, err
	}
	r := &reader{fs: files, source: source, sum: sha256.New(), part: sha256.New()}
	if err := r.find(o); err != nil {
		return nil, err
	}
	set := &Set{Version: r.version, Functions: map[string][]Function{}, parts: map[string]string{}}
	for _, category := range o.Categories {
		entries, err := r.category(category)
		if err != nil {
			return nil, err
		}
		set.Entries = append(set.Entries, entries...)
		set.parts[category] = r.partDigest()
	}
	var err error
	for _, class := range slices.Sorted(maps.Keys(documents)) {
		if set.Functions[class], err = r.functions(documents[class]); err != nil {
			return nil, err
		}
	}
	set.parts[documentsPart] = r.partDigest()
	if slices.Contains(o.Categories, "long_context") {
		if set.Tables, err = r.tables(); err != nil {
			return nil, err
		}
	}
	set.Digest = "sha256:" + hex.EncodeToString(r.sum.Sum(nil))
	return set, nil
}

// find locates the files for a version, trying the requested categories first.
func (r *reader) find(o Options) error {
	wanted := versions
	if o.Version != "" {
		wanted = []string{o.Version}
	}
	for _, categories := range [][]string{o.Categories, Categories} {
		for _, version := range wanted {
			if root, ok := r.rootOf(version, categories); ok {
				r.root, r.version = root, version
				return nil
			}
		}
	}
	for _, version := range versions {
		if _, ok := r.rootOf(version, Categories); ok {
			return &VersionError{Source: r.source, Has: version, Wants: o.Version}
		}
	}
	var looked []string
	for _, version := range wanted {
		looked = append(looked, fileName(version, o.Categories[0]))
	}
	return fmt.Errorf("%s has no BFCL data: looked for %s in %s; %s. %s",
		r.source, strings.Join(looked, " and "), strings.Join(roots[:5], ", "), r.listing(), downloadHint)
}

// rootOf returns the location of a file for the version and one of the categories.
func (r *reader) rootOf(version string, categories []string) (string, bool) {
	for _, category := range categories {
		for _, root := range roots {
			if _, err := fs.Stat(r.fs, path.Join(root, fileName(version, category))); err == nil {
				return root, true
			}
		}
	}
	return "", false
}

// listing briefly describes the contents of the directory where the data should be: the first root that exists, or
// otherwise the source itself.
func (r *reader) listing() string {
	folder := "."
	for _, root := range roots {
		if info, err := fs.Stat(r.fs, root); root != "." && err == nil && info.IsDir() {
			folder = root
			break
		}
	}
	entries, err := fs.ReadDir(r.fs, folder)
	if err != nil {
		return fmt.Sprintf("%s cannot be listed: %v", folder, err)
	}
	if len(entries) == 0 {
		return "it is empty"
	}
	var names []string
	for _, e := range entries[:min(len(entries), 8)] {
		names = append(names, e.Name())
	}
	if len(entries) > len(names) {
		names = append(names, "…")
	}
	where := "in it"
	if folder != "." {
		where = "in its " + folder
	}
	return fmt.Sprintf("%s there is %s", where, strings.Join(names, ", "))
}

func fileName(version, category string) string {
	return "BFCL_" + version + "_multi_turn_" + category + ".json"
}

// downloadAgain returns the remedy for damaged data.
func (r *reader) downloadAgain() string { return "Download it again: " + Download(r.version) }

func (r *reader) file(parts ...string) ([]byte, error) {
	name := path.Join(append([]string{r.root}, parts...)...)
	content, err := r.read(name)
	if err != nil {
		return nil, fmt.Errorf("the BFCL data of %s is damaged or not complete: %w. %s", r.source, err, r.downloadAgain())
	}
	fmt.Fprintf(r.sum, "%s %d\n", path.Join(parts...), len(content))
	r.sum.Write(content)
	r.part.Write(content)
	return content, nil
}

// partDigest returns the digest of the files read since the last call.
func (r *reader) partDigest() string {
	digest := hex.EncodeToString(r.part.Sum(nil))
	r.part.Reset()
	return digest
}

// maxFile is far above the size of any BFCL file. A damaged wheel could unpack to any size.
const maxFile = 64 << 20

func (r *reader) read(name string) ([]byte, error) {
	if info, err := fs.Stat(r.fs, name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name) // opening a pipe could block forever
	}
	file, err := r.fs.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("%s is larger than %d MiB", name, maxFile>>20)
	}
	return content, err
}

func (r *reader) category(category string) ([]*entry.Entry, error) {
	name := fileName(r.version, category)
	questions, err := r.file(name)
	if err != nil {
		return nil, err
	}
	answers, err := r.file("possible_answer", name)
	if err != nil {
		return nil, err
	}
	asked, answered := lines(questions), lines(answers)
	if len(asked) != len(answered) {
		return nil, fmt.Errorf("%[1]s: %[2]s has %[3]d records and possible_answer/%[2]s %[4]d. %[5]s", r.source, name,
			len(asked), len(answered), r.downloadAgain())
	}
	out := make([]*entry.Entry, len(asked))
	if len(asked) == 0 {
		return nil, fmt.Errorf("%s: %s has no record. %s", r.source, name, r.downloadAgain())
	}
	for i := range asked {
		if out[i], err = entry.Parse(asked[i].text, answered[i].text); err != nil {
			return nil, fmt.Errorf("%s: %s: %w. %s", r.source, place(name, asked[i], answered[i]), err, r.downloadAgain())
		}
	}
	return out, nil
}

// place returns the location of an unreadable record: its question or its answer if that is invalid JSON, or otherwise
// both.
func place(name string, asked, answered line) string {
	question, answer := fmt.Sprintf("%s:%d", name, asked.number),
		fmt.Sprintf("possible_answer/%s:%d", name, answered.number)
	if _, err := py.ParseJSON(asked.text); err != nil {
		return question
	}
	if _, err := py.ParseJSON(answered.text); err != nil {
		return answer
	}
	return question + " with " + answer
}

// line is a non-empty line of a file.
type line struct {
	number int // from 1
	text   []byte
}

func lines(content []byte) []line {
	var out []line
	number := 0
	for text := range bytes.Lines(content) {
		number++
		if text = bytes.TrimSpace(text); len(text) > 0 {
			out = append(out, line{number, text})
		}
	}
	return out
}

// documents returns the names of the files that describe a class's methods.
var documents = map[string]string{
	"GorillaFileSystem": "gorilla_file_system.json", "MathAPI": "math_api.json", "MessageAPI": "message_api.json",
	"TwitterAPI": "posting_api.json",
	"TicketAPI":  "ticket_api.json", "TradingBot": "trading_bot.json", "TravelAPI": "travel_booking.json",
	"VehicleControlAPI": "vehicle_control.json",
}

func (r *reader) functions(file string) ([]Function, error) {
	content, err := r.file("multi_turn_func_doc", file)
	if err != nil {
		return nil, err
	}
	var out []Function
	for _, line := range lines(content) {
		v, err := py.ParseJSON(line.text)
		d, ok := v.(*py.Dict)
		if err == nil && !ok {
			err = errors.New("it is no object")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: multi_turn_func_doc/%s:%d: %w. %s",
				r.source, file, line.number, err, r.downloadAgain())
		}
		parameters, ok := d.Or("parameters", nil).(*py.Dict)
		if !ok {
			return nil, fmt.Errorf("%s: multi_turn_func_doc/%s:%d: parameters are missing. %s", r.source, file, line.number,
				r.downloadAgain())
		}
		out = append(out, Function{Name: py.Str(d.Or("name", "")), Description: py.Str(d.Or("description", "")),
			Parameters: parameters})
	}
	return out, nil
}

// constants lists the locations of the source file with the long-context constants, relative to the data.
var constants = []string{
	"../eval_checker/multi_turn_eval/func_source_code/long_context.py", "long_context.py",
	"../eval_checker/multi_turn_eval/func_source_code/long_context/long_context.py",
}

func (r *reader) tables() (*api.Tables, error) {
	for _, place := range constants {
		content, err := r.read(path.Join(r.root, place))
		if err != nil {
			continue
		}
		r.sum.Write(content)
		assignments, err := expr.Assignments(string(content))
		if err != nil {
			return nil, fmt.Errorf("%s: long_context.py: %w. %s", r.source, err, r.downloadAgain())
		}
		constants := map[string]py.Value{}
		for _, a := range assignments {
			constants[a.Name] = a.Value
		}
		out := api.NewTables(constants)
		return out, out.Check()
	}
	return nil, fmt.Errorf("%s has no long_context.py, which the category long_context needs: looked in %s; choose other categories, or another source",
		r.source, strings.Join(constants[:2], ", "))
}
