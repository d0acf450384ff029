package dataset

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/awhost/awhost/host/dataset/internal/hfdir"
	"github.com/awhost/awhost/host/dataset/internal/hub"
)

// IsRepo reports whether a string can be the name of a hub repository.
func IsRepo(name string) bool { return hub.IsRepo(name) }

// huggingFaceFiles returns the files for a dataset's split in a directory with load_dataset's layout.
func huggingFaceFiles(config Config) ([]dataFile, error) {
	paths, err := hfdir.Find(config.Path, config.Configuration, config.Split)
	var choice *hfdir.ChoiceError
	switch {
	case errors.As(err, &choice):
		return nil, &ConfigError{
			Attribute: []string{choice.Attribute},
			Problem:   choice.Problem,
			Remedy:    choice.Remedy,
		}
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf(
			"read dataset %s: the directory does not exist: correct path, or set repo to the name of the repository",
			config.Path,
		)
	case err != nil:
		return nil, inFile(config.Path, err)
	}
	files := make([]dataFile, len(paths))
	for i, path := range paths {
		files[i] = fileOfFormat(path, config)
	}
	return files, nil
}

func fileOfFormat(path string, config Config) dataFile {
	switch hfdir.Format(path) {
	case ".parquet":
		return parquetFile{path, config.Drop}
	case ".csv", ".tsv":
		return csvFile{path: path}
	case ".json":
		return listFile{path}
	}
	return linesFile{path}
}
