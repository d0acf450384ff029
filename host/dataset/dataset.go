// Package dataset converts a user's data files to tasks.
//
// It owns the reading of rows, the mapping of their columns to a public and a private part, stable IDs, mixes and
// splits of datasets, and the seeded order in which a run draws them. It must not depend on trainers, episodes or the
// spec language: a dataset block is passed as its configuration in JSON.
//
//	config, err := dataset.Decode("jsonl", json.RawMessage(`{"path": "data/train.jsonl", "map": {"prompt": "question"}}`))
//	data, err := dataset.Open(config)
//	defer data.Close()
//	order := dataset.NewOrder(data.Len(), seed)
//	epoch, index := order.At(position)
//	task, err := data.Task(index) // {"prompt": …} is public, {"ground_truth": …} for rewards
//
// # Rows
//
// A row is a JSON object in every format: a line of JSON, a record of CSV, whose values are text, a row of Parquet. It
// is converted to a task by these rules:
//
//   - The question is `prompt`, else `question`, else `messages`: a text, or a list of messages in the chat format.
//   - The private answer is `ground_truth`, else `answer`. A row may have no answer.
//   - `id` is the ID of the row. It defaults to a hash of the public part.
//   - `map` takes a field from another column, with dots into nested objects and lists:
//     {ground_truth = "reward_model.ground_truth", prompt = "messages.0.content"}. The source column is removed. If it
//     is in a list, the whole list is removed.
//   - `template` creates a field from texts and columns: {prompt = "{{Question}}\n\nFile: {{file_path}}"}. It reads the
//     unmodified row and must not contain private columns. The columns are kept.
//   - `extract` replaces a field by the group of a regular expression: {ground_truth = "#### (.*)"}.
//   - All other columns are kept under their names in the public part, except for the columns in `drop` and `private`.
//     ground_truth and answer are always private. So are extra_info and reward_model, in which verl's layout repeats the
//     answer, except for fields that map and template take from them.
//
// All mistakes in a file are detected when it is opened: up to 20 bad rows are reported, each with its file, line or
// row, the reason and a remedy.
//
// # Memory
//
// Rows of plain JSON Lines stay in their file until they are read. The file is kept open, so that replacing it does not
// affect a run; a row that changes in place causes an error. All other files are read once. Their rows are stored
// compressed: in memory up to 16 MiB, beyond that in a temporary file. An open dataset also holds the positions and IDs
// of its rows, about 150 bytes each.
package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// Dataset is an open sequence of tasks. It is safe for concurrent use.
type Dataset struct {
	name        string // for errors
	tasks       tasks
	ids         []string
	byID        map[string]int // of the first task with the ID
	fingerprint string
}

// tasks provides the tasks of a dataset.
type tasks interface {
	// task reads the i-th task; its ID may be empty. It is safe for concurrent use.
	task(i int) (sdk.Task, error)
	close() error
}

// source reads the rows of one file format.
type source interface {
	// scan calls yield for every row, in file order, until it returns false. Its error concerns the file, not a row.
	scan(yield func(scanned) bool) error
	// row reads the i-th valid row again. It is safe for concurrent use.
	row(i int) (map[string]any, error)
	// place returns the location of the i-th valid row.
	place(i int) Place
	close() error
}

// scanned is a row or the mistake found in it.
type scanned struct {
	place   Place
	columns map[string]any
	problem *problem
}

// Open reads a dataset's files once, completely. The error is a *ConfigError, a *RowsError or an error about a file.
// Derive opens a dataset derived from others, and Collect opens an environment's dataset.
func Open(config Config) (*Dataset, error) {
	mapping, err := newMapping(config)
	if err != nil {
		return nil, err
	}
	source, err := openSource(config)
	if err != nil {
		return nil, err
	}
	reader := newReader(config, source, mapping)
	if err := reader.read(); err != nil {
		_ = source.close()
		return nil, err
	}
	return &Dataset{
		name: config.title(), tasks: rows{source, mapping},
		ids: reader.ids, byID: reader.byID, fingerprint: reader.sum.text(),
	}, nil
}

// rows converts the rows in files to tasks.
type rows struct {
	source  source
	mapping *mapping
}

func (r rows) task(i int) (sdk.Task, error) {
	columns, err := r.source.row(i)
	if err != nil {
		return sdk.Task{}, err
	}
	task, problem := r.mapping.task(columns)
	if problem != nil {
		return sdk.Task{}, problem.at(r.source.place(i))
	}
	return task, nil
}

func (r rows) placeOf(i int) string { return r.source.place(i).String() }

func (r rows) close() error { return r.source.close() }

func openSource(config Config) (source, error) {
	var files []dataFile
	var err error
	switch {
	case config.Prepared() && len(config.Files) == 0:
		return nil, fmt.Errorf("read dataset %s: it is not prepared: run `awhost init`", config.title())
	case config.Prepared():
		for _, path := range config.Files {
			files = append(files, fileOfFormat(path, config))
		}
		return newSpooled(files...), nil
	}
	switch config.Type {
	case TypeJSONL:
		if !isCompressed(config.Path) {
			return openJSONL(config.Path)
		}
		files = []dataFile{linesFile{config.Path}}
	case TypeCSV:
		files, err = []dataFile{csvFile{config.Path, config.Delimiter}}, checkDelimiter(config.Delimiter)
	case TypeParquet:
		files, err = parquetFiles(config)
	case TypeHuggingFace:
		files, err = huggingFaceFiles(config)
	default:
		err = &ConfigError{Problem: fmt.Sprintf("unknown dataset type %q", config.Type),
			Remedy: "use " + quoted(Types())}
	}
	if err != nil {
		return nil, err
	}
	return newSpooled(files...), nil
}

// Len returns the number of tasks, at least 1.
func (d *Dataset) Len() int { return len(d.ids) }

// Task reads the i-th task, from 0, with its private part. Public and Private are canonical JSON: sorted names, no
// whitespace, numbers as they were written.
func (d *Dataset) Task(i int) (sdk.Task, error) {
	if i < 0 || i >= len(d.ids) {
		return sdk.Task{}, fmt.Errorf("read dataset %s: row %d does not exist; the dataset has %d rows", d.name, i,
			len(d.ids))
	}
	task, err := d.tasks.task(i)
	if err != nil {
		return sdk.Task{}, err
	}
	task.ID = d.ids[i]
	return task, nil
}

// Index returns the index of the task with the given ID. If a mix repeats a task, it returns the index of the first
// one.
func (d *Dataset) Index(id string) (int, bool) {
	i, ok := d.byID[id]
	return i, ok
}

// ID returns the ID of the i-th task.
func (d *Dataset) ID(i int) string { return d.ids[i] }

// Place returns the location of the i-th task in its file, or "" if it is not in a file.
func (d *Dataset) Place(i int) string {
	if at, ok := d.tasks.(placed); ok {
		return at.placeOf(i)
	}
	return ""
}

// placed is implemented by tasks that have a location in a file.
type placed interface{ placeOf(i int) string }

// Fingerprint returns a SHA-256 checksum, in hexadecimal, of all tasks in order: IDs, public and private parts. It
// changes whenever a run's data would change, but not if only whitespace or the column order changes.
func (d *Dataset) Fingerprint() string { return d.fingerprint }

// Close closes the files. Tasks cannot be read afterwards. Closing a dataset derived from others leaves those datasets
// open.
func (d *Dataset) Close() error {
	if err := d.tasks.close(); err != nil {
		return fmt.Errorf("close dataset %s: %w", d.name, err)
	}
	return nil
}

// stableID returns an ID for a row that does not have one. It hashes only the public part: if the hash covered the
// answer, an agent that sees the ID could find the answer by trial and error.
func stableID(public []byte) string {
	sum := sha256.Sum256(public)
	return "row-" + hex.EncodeToString(sum[:8])
}

var (
	_ tasks  = rows{}
	_ placed = rows{}
)
