package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/dataset/internal/parquetrows"
)

// parquetFile reads one Parquet file.
type parquetFile struct {
	path string
	drop []string
}

func (f parquetFile) name() string { return f.path }

func (f parquetFile) scan(yield func(scanned) bool) error {
	file, err := openFile(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	err = parquetrows.Scan(file, info.Size(), f.drop, func(row parquetrows.Row) bool {
		out := scanned{place: Place{Path: f.path, Row: row.Number, RowGroup: row.Group}, columns: row.Columns}
		if row.Problem != "" {
			out.problem = &problem{reason: row.Problem, remedy: "correct the value, or omit the column with drop"}
		}
		return yield(out)
	})
	var wrong *parquetrows.ColumnsError
	if errors.As(err, &wrong) {
		isMedia := func(name string) bool { return slices.Contains(mediaNames, column(name).parts()[0]) }
		if slices.ContainsFunc(wrong.Columns, isMedia) { // without its pictures a model would be trained on incomplete input
			return fmt.Errorf("%w: %s", err, mediaRemedy)
		}
		return fmt.Errorf("%w: omit it with drop = [%s]", err, quoted(wrong.Columns))
	}
	return err
}

func quoted(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(out, ", ")
}

// parquetFiles returns the file itself, or a directory's files sorted by name.
func parquetFiles(config Config) ([]dataFile, error) {
	info, err := os.Stat(config.Path)
	if err != nil {
		return nil, inFile(config.Path, fileError(config.Path, err))
	}
	if !info.IsDir() {
		return []dataFile{parquetFile{config.Path, config.Drop}}, nil
	}
	paths, err := filepath.Glob(filepath.Join(escapeGlob(config.Path), "*.parquet"))
	if err != nil {
		return nil, inFile(config.Path, err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("read dataset %s: the directory contains no .parquet files: name a file, or the "+
			"directory that contains them; "+
			"a directory with configurations and splits is read by dataset %q", config.Path, TypeHuggingFace)
	}
	if err := checkSplits(config.Path, paths); err != nil {
		return nil, err
	}
	var files []dataFile
	for _, path := range paths {
		files = append(files, parquetFile{path, config.Drop})
	}
	return files, nil
}

// checkSplits returns an error if the files belong to different splits: train-00000-of-00001.parquet and
// test-00000-of-00001.parquet.
func checkSplits(dir string, paths []string) error {
	first := splitName(paths[0])
	for _, path := range paths {
		if other := splitName(path); other != first {
			return fmt.Errorf("read dataset %s: the directory contains the splits %q and %q: name one file, or use "+
				"dataset %q with split = %q",
				dir, first, other, TypeHuggingFace, first)
		}
	}
	return nil
}

// splitName returns the part of a file name before the shard number. It is empty without a number.
func splitName(path string) string {
	name, _, numbered := strings.Cut(filepath.Base(path), "-0")
	if !numbered {
		return ""
	}
	return name
}

var _ dataFile = parquetFile{}
