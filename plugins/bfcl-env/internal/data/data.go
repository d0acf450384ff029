// Package data finds and reads BFCL's multi-turn data, which nobody may commit: in an installed bfcl-eval package, its wheel, a
// checkout of the gorilla repository, or a folder with the same files.
//
//	set, err := data.Open("bfcl_eval-2026.3.23-py3-none-any.whl", data.Options{})
//	for _, e := range set.Entries { … }           // of all categories, in the order of the files
//	docs := set.Functions["GorillaFileSystem"]    // what a model is told of the methods
//
// Nothing of it is executed: the constants of long contexts, which are Python source, are read as literals. Set.Digest says
// which data it was: releases with the same prefix differ.
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
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Categories are those of multi-turn tasks, in the order of the leaderboard.
var Categories = []string{"base", "miss_func", "miss_param", "long_context"}

// Options say what of the data is wanted.
type Options struct {
	Version    string   // "v3" or "v4"; empty: the one that is there
	Categories []string // empty: all
}

// Set is the data.
type Set struct {
	Version   string
	Entries   []*entry.Entry
	Functions map[string][]Function // by class
	Tables    *api.Tables           // nil without the category long_context
	Digest    string                // "sha256:…" over what was read
}

// Function describes a method to a model.
type Function struct {
	Name        string
	Description string
	Parameters  *py.Dict // as they are written: their types are not those of JSON Schema
}

// Find is the entry of an id.
func (s *Set) Find(id string) (*entry.Entry, bool) {
	i := slices.IndexFunc(s.Entries, func(e *entry.Entry) bool { return e.ID == id })
	if i < 0 {
		return nil, false
	}
	return s.Entries[i], true
}

// Open reads the data of a directory or a wheel.
func Open(source string, o Options) (*Set, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, fmt.Errorf("there is no BFCL data: %w: %s", err, howToGet)
	}
	if info.IsDir() {
		return read(os.DirFS(source), source, o)
	}
	wheel, err := zip.OpenReader(source)
	if err != nil {
		return nil, fmt.Errorf("%s is neither a directory nor a wheel: %w", source, err)
	}
	defer wheel.Close()
	return read(wheel, source, o)
}

const howToGet = "`pip download --no-deps bfcl-eval` gets a wheel with version 4; bfcl-eval==2025.6.16 has version 3"

// roots are where the data lies below a source.
var roots = []string{
	"bfcl_eval/data", "data", ".", "berkeley-function-call-leaderboard/bfcl_eval/data", "berkeley-function-call-leaderboard/data",
	"lib/python3.10/site-packages/bfcl_eval/data", "lib/python3.11/site-packages/bfcl_eval/data", "lib/python3.12/site-packages/bfcl_eval/data",
}

type reader struct {
	fs      fs.FS
	source  string
	root    string
	version string
	sum     hash.Hash
}

func read(files fs.FS, source string, o Options) (*Set, error) {
	if len(o.Categories) == 0 {
		o.Categories = Categories
	}
	r := &reader{fs: files, source: source, sum: sha256.New()}
	if err := r.find(o); err != nil {
		return nil, err
	}
	set := &Set{Version: r.version, Functions: map[string][]Function{}}
	for _, category := range o.Categories {
		entries, err := r.category(category)
		if err != nil {
			return nil, err
		}
		set.Entries = append(set.Entries, entries...)
	}
	var err error
	for _, class := range slices.Sorted(maps.Keys(documents)) {
		if set.Functions[class], err = r.functions(documents[class]); err != nil {
			return nil, err
		}
	}
	if slices.Contains(o.Categories, "long_context") {
		if set.Tables, err = r.tables(); err != nil {
			return nil, err
		}
	}
	set.Digest = "sha256:" + hex.EncodeToString(r.sum.Sum(nil))
	return set, nil
}

// find looks for the first file of a version.
func (r *reader) find(o Options) error {
	versions := []string{"v4", "v3"}
	if o.Version != "" {
		versions = []string{o.Version}
	}
	for _, version := range versions {
		for _, root := range roots {
			if _, err := fs.Stat(r.fs, path.Join(root, fileName(version, o.Categories[0]))); err == nil {
				r.root, r.version = root, version
				return nil
			}
		}
	}
	var looked []string
	for _, version := range versions {
		looked = append(looked, fileName(version, o.Categories[0]))
	}
	return fmt.Errorf("%s has no BFCL data: looked for %s in %s; there is %s. %s",
		r.source, strings.Join(looked, " and "), strings.Join(roots[:5], ", "), r.listing(), howToGet)
}

// listing says what a source holds, shortly.
func (r *reader) listing() string {
	entries, err := fs.ReadDir(r.fs, ".")
	if err != nil || len(entries) == 0 {
		return "nothing there"
	}
	var names []string
	for _, e := range entries[:min(len(entries), 8)] {
		names = append(names, e.Name())
	}
	if len(entries) > len(names) {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

func fileName(version, category string) string {
	return "BFCL_" + version + "_multi_turn_" + category + ".json"
}

func (r *reader) file(parts ...string) ([]byte, error) {
	name := path.Join(append([]string{r.root}, parts...)...)
	content, err := r.read(name)
	if err != nil {
		return nil, fmt.Errorf("the BFCL data of %s is not complete: %w", r.source, err)
	}
	fmt.Fprintf(r.sum, "%s %d\n", path.Join(parts...), len(content))
	r.sum.Write(content)
	return content, nil
}

// maxFile is far more than any file of BFCL's holds. A damaged wheel may unpack to anything.
const maxFile = 64 << 20

func (r *reader) read(name string) ([]byte, error) {
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
		return nil, fmt.Errorf("%s: %s has %d records and its answers %d", r.source, name, len(asked), len(answered))
	}
	out := make([]*entry.Entry, len(asked))
	if len(asked) == 0 {
		return nil, fmt.Errorf("%s: %s has no record", r.source, name)
	}
	for i := range asked {
		if out[i], err = entry.Parse(asked[i], answered[i]); err != nil {
			return nil, fmt.Errorf("%s: %s:%d: %w", r.source, name, i+1, err)
		}
	}
	return out, nil
}

func lines(content []byte) [][]byte {
	var out [][]byte
	for line := range bytes.Lines(content) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			out = append(out, line)
		}
	}
	return out
}

// documents are the files that describe the methods of a class.
var documents = map[string]string{
	"GorillaFileSystem": "gorilla_file_system.json", "MathAPI": "math_api.json", "MessageAPI": "message_api.json", "TwitterAPI": "posting_api.json",
	"TicketAPI": "ticket_api.json", "TradingBot": "trading_bot.json", "TravelAPI": "travel_booking.json", "VehicleControlAPI": "vehicle_control.json",
}

func (r *reader) functions(file string) ([]Function, error) {
	content, err := r.file("multi_turn_func_doc", file)
	if err != nil {
		return nil, err
	}
	var out []Function
	for i, line := range lines(content) {
		v, err := py.ParseJSON(line)
		d, ok := v.(*py.Dict)
		if err == nil && !ok {
			err = errors.New("it is no object")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s:%d: %w", r.source, file, i+1, err)
		}
		parameters, ok := d.Or("parameters", nil).(*py.Dict)
		if !ok {
			return nil, fmt.Errorf("%s: %s:%d: parameters are missing", r.source, file, i+1)
		}
		out = append(out, Function{Name: py.Str(d.Or("name", "")), Description: py.Str(d.Or("description", "")), Parameters: parameters})
	}
	return out, nil
}

// constants are where the source with the constants of long contexts lies, from the data.
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
		assignments, err := py.ParseAssignments(string(content))
		if err != nil {
			return nil, fmt.Errorf("%s: long_context.py: %w", r.source, err)
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
