package hfdir

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const defaultConfig = "default"

// config is one configuration of a dataset.
type config struct {
	name      string
	isDefault bool
	dir       string // its directory, with slashes; empty: the whole dataset
	splits    []splitPatterns
}

// splitPatterns are the file patterns for a split as listed in the card, relative to the configuration's directory.
type splitPatterns struct {
	name     string
	patterns []string
}

// split is a split and its files.
type split struct {
	name  string
	files []string
}

// configsByDirectory returns a configuration for each directory if all files are in directories that are not named
// after splits: main/train.parquet, socratic/train.parquet.
func configsByDirectory(files []string) []config {
	var dirs []string
	for _, file := range files {
		dir, _, nested := strings.Cut(file, "/")
		if _, isSplit := keyword(dir); !nested || dir == "data" || isSplit {
			return []config{{name: defaultConfig}}
		}
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	configs := make([]config, len(dirs))
	for i, dir := range dirs {
		configs[i] = config{name: dir, dir: dir}
	}
	return configs
}

// files lists the files in a split of the configuration.
func (c config) files(all []string, name string) ([]string, error) {
	splits, err := c.find(all)
	if err != nil {
		return nil, err
	}
	if name == "" && len(splits) == 1 {
		name = splits[0].name
	}
	if name == "" {
		name = "train"
	}
	var names []string
	for _, s := range splits {
		if s.name == name {
			return s.files, nil
		}
		names = append(names, s.name)
	}
	remedy := "use " + strings.Join(names, ", ")
	if strings.ContainsAny(name, "[]+%") {
		remedy += "; limit takes only the first rows"
	}
	return nil, &ChoiceError{"split", fmt.Sprintf("unknown split %q", name), remedy}
}

func (c config) find(all []string) ([]split, error) {
	inside := inDir(all, c.dir)
	if len(inside) == 0 {
		return nil, fmt.Errorf("the configuration %q has no data files in %s: download them, or correct %s", c.name, c.dir,
			CardName)
	}
	if len(c.splits) == 0 {
		return splitsByName(inside, c.dir), nil
	}
	var splits []split
	for _, s := range c.splits {
		files, err := matching(inside, c.dir, s)
		if err != nil {
			return nil, err
		}
		splits = append(splits, split{s.name, files})
	}
	return splits, nil
}

func inDir(files []string, dir string) []string {
	if dir == "" {
		return files
	}
	var inside []string
	for _, file := range files {
		if strings.HasPrefix(file, dir+"/") {
			inside = append(inside, file)
		}
	}
	return inside
}

// splitsByName groups files into splits by the first of these rules that applies to any file: the split's name precedes
// a shard number, a directory is named after a split, or a file is named after one. Otherwise, all files belong to
// train.
func splitsByName(files []string, dir string) []split {
	for _, nameOf := range []func(string) (string, bool){shardSplit, directorySplit, fileSplit} {
		var splits []split
		for _, file := range files {
			name, ok := nameOf(strings.TrimPrefix(strings.TrimPrefix(file, dir), "/"))
			if !ok {
				continue
			}
			i := slices.IndexFunc(splits, func(s split) bool { return s.name == name })
			if i < 0 {
				i, splits = len(splits), append(splits, split{name: name})
			}
			splits[i].files = append(splits[i].files, file)
		}
		if len(splits) > 0 {
			return splits
		}
	}
	return []split{{"train", files}}
}

// shard is a file that is one of several, such as train-00000-of-00002.parquet, possibly followed by a hash.
type shard struct {
	dir, split string
	of         int
}

var shardName = regexp.MustCompile(`^(.+)-\d{5}-of-(\d{5})(?:-[0-9a-f]+)?\.`)

func parseShard(file string) (shard, bool) {
	match := shardName.FindStringSubmatch(path.Base(file))
	if match == nil {
		return shard{}, false
	}
	of, err := strconv.Atoi(match[2])
	return shard{path.Dir(file), match[1], of}, err == nil
}

func shardSplit(file string) (string, bool) {
	s, ok := parseShard(file)
	return s.split, ok
}

func directorySplit(file string) (string, bool) {
	for _, part := range strings.Split(path.Dir(file), "/") {
		if name, ok := keyword(part); ok {
			return name, true
		}
	}
	return "", false
}

func fileSplit(file string) (string, bool) {
	base, _, _ := strings.Cut(path.Base(file), ".")
	return keyword(base)
}

// keywords maps words in file names to splits.
var keywords = map[string]string{
	"train": "train", "training": "train",
	"validation": "validation", "valid": "validation", "val": "validation", "dev": "validation",
	"test": "test", "testing": "test", "eval": "test", "evaluation": "test",
}

var betweenWords = regexp.MustCompile(`[-._ 0-9]+`)

func keyword(name string) (string, bool) {
	for _, word := range betweenWords.Split(strings.ToLower(name), -1) {
		if s, ok := keywords[word]; ok {
			return s, true
		}
	}
	return "", false
}
