// Package dataset turns a user's data files into tasks.
//
// It owns the reading of rows, the mapping of their columns to a public and a private part, stable ids, mixes and splits of
// datasets, and the seeded order in which a run draws them. It must not know trainers, episodes or the spec language: a
// dataset block reaches it as the JSON of its configuration.
//
//	config, err := dataset.Decode("jsonl", json.RawMessage(`{"path": "data/train.jsonl", "map": {"prompt": "question"}}`))
//	data, err := dataset.Open(config)
//	defer data.Close()
//	order := dataset.NewOrder(data.Len(), seed)
//	epoch, index := order.At(position)
//	task, err := data.Task(index) // {"prompt": …} for everybody, {"ground_truth": …} for rewards
//
// # Rows
//
// A row is a JSON object, whatever it is read from: a line of JSON, a record of CSV, whose values are text, a row of
// Parquet. It becomes a task by these rules:
//
//   - `prompt`, else `question`, else `messages` is the question: a text, or a list of messages in the chat format.
//   - `ground_truth`, else `answer` is the private answer. A row may have none.
//   - `id` names the row; without it, the row is named by a hash of its public part.
//   - `map` takes a field from another column, with dots into nested objects and lists:
//     {ground_truth = "reward_model.ground_truth", prompt = "messages.0.content"}. The column that a field was taken from is
//     not kept, and neither is the rest of a list that it was taken from.
//   - `template` makes a field of texts and columns: {prompt = "{{Question}}\n\nFile: {{file_path}}"}. It sees the row
//     as it was read, but for what is private, which no template may name. The columns stay.
//   - `extract` replaces a field by the group of a regular expression: {ground_truth = "#### (.*)"}.
//   - All other columns stay, under their names, in the public part, except those that `drop` leaves out and `private`
//     hides. ground_truth and answer are private in any case, and so are extra_info and reward_model, in which verl's
//     layout repeats the answer, except for fields that map and template take from them.
//
// Everything wrong with a file is found when it is opened: up to 20 bad rows, each with file, line or row, reason and
// remedy.
//
// # Memory
//
// Rows of plain JSON Lines stay in their file until they are asked for. The file is kept open, so that replacing it does
// not disturb a run; a row that changes in place is an error. All other files are read once, and their rows kept packed:
// in memory up to 16 MiB, beyond that in a temporary file. Besides, an open dataset holds where its rows are and their
// ids, about 150 bytes each.
package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// Dataset is an open sequence of tasks. It may be used concurrently.
type Dataset struct {
	name        string // for errors
	tasks       tasks
	ids         []string
	byID        map[string]int // of the first task with the id
	fingerprint string
}

// tasks is where the tasks of a dataset come from.
type tasks interface {
	// task reads the i-th task; its id may be empty. It may be called concurrently.
	task(i int) (sdk.Task, error)
	close() error
}

// source reads the rows of one file format.
type source interface {
	// scan calls yield for every row in the order of the file until it returns false. Its error is about the file, not
	// about a row.
	scan(yield func(scanned) bool) error
	// row reads the i-th readable row again. It may be called concurrently.
	row(i int) (map[string]any, error)
	// place says where the i-th readable row stands.
	place(i int) Place
	close() error
}

// scanned is a row or what is wrong with it.
type scanned struct {
	place   Place
	columns map[string]any
	problem *problem
}

// Open reads a dataset of files once, from its first to its last row. The error is a *ConfigError, a *RowsError or about a
// file. A dataset that is made of others is opened by Derive, one that an environment brings by Collect.
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

// rows makes tasks of the rows of files.
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
		return nil, fmt.Errorf("read dataset %s: it was not prepared: run `awhost init`", config.title())
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
		err = &ConfigError{Problem: fmt.Sprintf("no dataset type is called %q", config.Type), Remedy: "use " + quoted(Types())}
	}
	if err != nil {
		return nil, err
	}
	return newSpooled(files...), nil
}

// Len is the number of tasks, at least 1.
func (d *Dataset) Len() int { return len(d.ids) }

// Task reads the i-th task of the file, from 0, with its private part. Public and Private are canonical JSON: sorted
// names, no white space, numbers as they were written.
func (d *Dataset) Task(i int) (sdk.Task, error) {
	if i < 0 || i >= len(d.ids) {
		return sdk.Task{}, fmt.Errorf("read dataset %s: there is no row %d of %d", d.name, i, len(d.ids))
	}
	task, err := d.tasks.task(i)
	if err != nil {
		return sdk.Task{}, err
	}
	task.ID = d.ids[i]
	return task, nil
}

// Index finds a task by its id. Where a mix repeats a task, it finds the first.
func (d *Dataset) Index(id string) (int, bool) {
	i, ok := d.byID[id]
	return i, ok
}

// ID is the id of the i-th task.
func (d *Dataset) ID(i int) string { return d.ids[i] }

// Place says where the i-th task stands in its file, as people look for it; empty where it stands in none.
func (d *Dataset) Place(i int) string {
	if at, ok := d.tasks.(placed); ok {
		return at.placeOf(i)
	}
	return ""
}

// placed is where tasks come from that knows their files.
type placed interface{ placeOf(i int) string }

// Fingerprint is a SHA-256, in hexadecimal, of all tasks in order: ids, public and private parts. It changes when a run
// would see other data, and not with white space or the order of columns.
func (d *Dataset) Fingerprint() string { return d.fingerprint }

// Close closes the files. Tasks cannot be read afterwards. A dataset that is made of others leaves those open.
func (d *Dataset) Close() error {
	if err := d.tasks.close(); err != nil {
		return fmt.Errorf("close dataset %s: %w", d.name, err)
	}
	return nil
}

// stableID names a row without an id. Only the public part enters: from a hash of the answer, an agent that sees the
// id could find the answer by trying.
func stableID(public []byte) string {
	sum := sha256.Sum256(public)
	return "row-" + hex.EncodeToString(sum[:8])
}

var (
	_ tasks  = rows{}
	_ placed = rows{}
)
