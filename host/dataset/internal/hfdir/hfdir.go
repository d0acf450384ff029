// Package hfdir finds the data files of a dataset in the layout that Hugging Face's load_dataset reads from disk.
//
// The dataset card, which is the YAML at the beginning of its README.md, assigns files to configurations and splits.
// Without a card, file and directory names do so: train-00000-of-00002.parquet, data/validation.jsonl, test/part-1.csv.
// One directory per configuration and the hub's cache with its snapshots are also supported. The package reads only
// names and the card, never rows, does not access the network, and runs no loading script.
//
//	files, err := hfdir.Find("data/gsm8k", "main", "train") // ["data/gsm8k/main/train-00000-of-00001.parquet"]
package hfdir

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ChoiceError reports a configuration or split that is missing or must be chosen.
type ChoiceError struct {
	Attribute string // "config" or "split"
	Problem   string
	Remedy    string
}

// Error implements error.
func (e *ChoiceError) Error() string { return e.Problem + ": " + e.Remedy }

// Find lists the data files of a split in order. All have one format. An empty config selects the only or the default
// configuration; an empty split selects train, or the only split. The error is a *ChoiceError or an error about the
// directory.
func Find(dir, config, split string) ([]string, error) {
	dir, err := snapshot(dir)
	if err != nil {
		return nil, err
	}
	all, err := dataFiles(dir)
	if err != nil {
		return nil, err
	}
	card, err := readCard(filepath.Join(dir, CardName))
	if err != nil {
		return nil, err
	}
	files, err := choose(all, card, config, split)
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		files[i] = filepath.Join(dir, filepath.FromSlash(file))
	}
	return files, nil
}

// Select finds files like Find, but in a listing: the paths of all files in a dataset, relative and with slashes, and
// the text of its card, which may be empty. It returns paths from the listing.
func Select(listing []string, card []byte, config, split string) ([]string, error) {
	all, err := dataAmong(listing)
	if err != nil {
		return nil, err
	}
	configs, err := parseCardFile(bytes.NewReader(card))
	if err != nil {
		return nil, err
	}
	return choose(all, configs, config, split)
}

// choose selects the files of a split from all data files. configs are the card's configurations.
func choose(all []string, configs []config, config, split string) ([]string, error) {
	if len(configs) == 0 {
		configs = configsByDirectory(all)
	}
	chosen, err := chooseConfig(configs, config)
	if err != nil {
		return nil, err
	}
	files, err := chosen.files(all, split)
	if err != nil {
		return nil, err
	}
	return files, check(files)
}

// snapshot returns the directory itself or, in the hub's cache, the snapshot of its main branch.
func snapshot(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", errors.New("the path is a file: name the directory of the dataset")
	}
	revision, err := os.ReadFile(filepath.Join(dir, "refs", "main"))
	if err != nil {
		return dir, nil
	}
	inCache := filepath.Join(dir, "snapshots", filepath.Base(strings.TrimSpace(string(revision))))
	if info, err := os.Stat(inCache); err == nil && info.IsDir() {
		return inCache, nil
	}
	return dir, nil
}

// formats are the extensions of data files. Text formats may be followed by .gz or .zst.
var formats = []string{".parquet", ".jsonl", ".ndjson", ".json", ".csv", ".tsv"}

// otherFiles have data-file extensions but contain no rows.
var otherFiles = []string{
	"dataset_info.json",
	"dataset_infos.json",
	"dataset_dict.json",
	"state.json",
	"config.json",
	"package.json",
}

// Format returns the extension of a data file's format, in lowercase and without the compression extension, or "" for
// other files.
func Format(name string) string {
	base := strings.ToLower(path.Base(filepath.ToSlash(name)))
	plain := strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), ".zst")
	ending := path.Ext(plain)
	if !slices.Contains(formats, ending) || slices.Contains(otherFiles, plain) ||
		plain != base && ending == ".parquet" {
		return ""
	}
	return ending
}

// dataFiles returns a sorted list of the data files under a directory, as relative paths with slashes.
func dataFiles(dir string) ([]string, error) {
	var listing []string
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != dir && isHidden(entry.Name()):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		relative, err := filepath.Rel(dir, name)
		listing = append(listing, filepath.ToSlash(relative))
		return err
	})
	if err != nil {
		return nil, err
	}
	return dataAmong(listing)
}

// isHidden reports whether a file or directory with this name is ignored.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "__") }

// dataAmong returns a sorted list of the data files in a listing.
func dataAmong(listing []string) ([]string, error) {
	var found []string
	arrow := false
	for _, name := range listing {
		if slices.ContainsFunc(strings.Split(name, "/"), isHidden) {
			continue
		}
		arrow = arrow || strings.HasSuffix(name, ".arrow")
		if Format(name) != "" {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	switch {
	case len(found) == 0 && arrow:
		return nil, errors.New(
			".arrow files, written by save_to_disk, are not supported: convert them in Python with " +
				"load_from_disk(…).to_parquet(…)",
		)
	case len(found) == 0:
		return nil, fmt.Errorf(
			"the directory contains no data files (loading scripts are not run): download them first as .parquet, " +
				".jsonl, .json, or .csv",
		)
	}
	return found, nil
}

func chooseConfig(configs []config, name string) (config, error) {
	names := make([]string, len(configs))
	for i, c := range configs {
		if c.name == name {
			return c, nil
		}
		names[i] = c.name
	}
	if name != "" {
		return config{}, &ChoiceError{
			"config",
			fmt.Sprintf("unknown configuration %q", name),
			"use " + strings.Join(names, ", "),
		}
	}
	for _, c := range configs {
		if len(configs) == 1 || c.isDefault ||
			c.name == defaultConfig && !slices.ContainsFunc(configs, func(c config) bool { return c.isDefault }) {
			return c, nil
		}
	}
	return config{}, &ChoiceError{
		"config",
		"config is required: the dataset has the configurations " + strings.Join(names, ", "),
		fmt.Sprintf("choose one, config = %q", names[0]),
	}
}

// check returns an error if the files differ in format or a shard is missing.
func check(files []string) error {
	format := Format(files[0])
	for _, file := range files {
		if other := Format(file); other != format {
			return fmt.Errorf(
				"the split has files of two formats, %s and %s: remove one of them, or name the file in a dataset "+
					"block of its type",
				files[0],
				file,
			)
		}
	}
	return checkShards(files)
}

// checkShards returns an error if a shard is missing.
func checkShards(files []string) error {
	there := map[shard]int{}
	for _, file := range files {
		if s, ok := parseShard(file); ok {
			there[s]++
		}
	}
	for _, file := range files {
		if s, ok := parseShard(file); ok && there[s] != s.of {
			return fmt.Errorf(
				"%s is one of %d files, and only %s present: download the others",
				file,
				s.of,
				isOrAre(there[s]),
			)
		}
	}
	return nil
}

func isOrAre(n int) string {
	if n == 1 {
		return "this one is"
	}
	return fmt.Sprintf("%d are", n)
}
