package hfdir_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/dataset/internal/hfdir"
)

// layout writes empty files, and a card if it is not empty.
func layout(t testing.TB, card string, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	if card != "" {
		files = append(files, "README.md")
	}
	for _, file := range files {
		name := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		content := ""
		if file == "README.md" {
			content = card
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// gsm8kCard is the card of openai/gsm8k.
const gsm8kCard = `---
annotations_creators:
- crowdsourced
dataset_info:
- config_name: main
  features:
  - name: question
    dtype: string
configs:
- config_name: main
  data_files:
  - split: train
    path: main/train-*
  - split: test
    path: main/test-*
- config_name: socratic
  data_files:
  - split: train
    path: socratic/train-*
  - split: test
    path: socratic/test-*
paperswithcode_id: gsm8k
---
# GSM8K
`

var gsm8kFiles = []string{
	"main/train-00000-of-00001.parquet", "main/test-00000-of-00001.parquet",
	"socratic/train-00000-of-00001.parquet", "socratic/test-00000-of-00001.parquet",
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name          string
		card          string
		files         []string
		config, split string
		want          string // files, or a part of the error after "!"
	}{
		{"gsm8k", gsm8kCard, gsm8kFiles, "main", "test", "main/test-00000-of-00001.parquet"},
		{"gsm8k without its card", "", gsm8kFiles, "socratic", "", "socratic/train-00000-of-00001.parquet"},
		{"no configuration chosen", gsm8kCard, gsm8kFiles, "", "",
			`!config is required: the dataset has the configurations main, socratic: choose one, config = "main"`},
		{"no configuration chosen, no card", "", gsm8kFiles, "", "",
			`!config is required: the dataset has the configurations main, socratic`},
		{"unknown configuration", gsm8kCard, gsm8kFiles, "maths", "",
			`!unknown configuration "maths": use main, socratic`},
		{"unknown split", gsm8kCard, gsm8kFiles, "main", "validation", `!unknown split "validation": use train, test`},
		{"slice of a split", gsm8kCard, gsm8kFiles, "main", "train[:100]", `!limit takes only the first rows`},

		{"shards", "", []string{"data/train-00001-of-00002.parquet", "data/train-00000-of-00002.parquet",
			"data/test-00000-of-00001.parquet"}, "", "", "data/train-00000-of-00002.parquet data/train-00001-of-00002.parquet"},
		{"shards with hashes", "", []string{"data/train-00000-of-00001-9c3b2a1f.parquet",
			"data/extra_hard-00000-of-00001-0a.parquet"}, "default", "extra_hard", "data/extra_hard-00000-of-00001-0a.parquet"},
		{"missing shards", "", []string{"train-00000-of-00003.parquet", "train-00002-of-00003.parquet"}, "", "",
			"!train-00000-of-00003.parquet is one of 3 files, and only 2 are present"},
		{"files by name", "", []string{"train.jsonl", "dev.jsonl", "my_test_set.jsonl", "notes.txt"}, "", "validation",
			"dev.jsonl"},
		{"words with underscores", "", []string{"train.jsonl", "my_test_set.jsonl"}, "", "test", "my_test_set.jsonl"},
		{"words with dashes and digits", "", []string{"gaia-train2.csv", "gaia-test2.csv"}, "", "test", "gaia-test2.csv"},
		{"directories by name", "", []string{"train/b.csv", "train/a.csv", "test/a.csv"}, "", "", "train/a.csv train/b.csv"},
		{"no names", "", []string{"b.json", "a.json"}, "", "", "a.json b.json"},
		{"only a test split", "", []string{"test.parquet"}, "", "", "test.parquet"},
		{"compressed text", "", []string{"train.jsonl.gz", "test.jsonl.zst"}, "", "test", "test.jsonl.zst"},
		{"files without data", "", []string{"train.jsonl", "dataset_info.json", ".cache/train.jsonl",
			"__pycache__/x.json", ".git/a.csv", "LICENSE"}, "", "", "train.jsonl"},
		{"two formats", "", []string{"train.jsonl", "train.parquet"}, "", "",
			"!files of two formats, train.jsonl and train.parquet"},
		{"nothing", "", []string{"notes.txt"}, "", "", "!the directory contains no data files"},
		{"save_to_disk", "", []string{"train/data-00000-of-00001.arrow", "train/state.json",
			"train/dataset_info.json", "dataset_dict.json"}, "", "", "!.arrow files, written by save_to_disk"},

		{"one path in the card", "---\nconfigs:\n- data_files: all.csv\n---\n", []string{"all.csv", "other.csv"}, "", "",
			"all.csv"},
		{"paths in the card", "---\r\nconfigs:\r\n  - config_name: default\r\n    data_files: [\"b.csv\", \"a.csv\"]\r\n---\r\n", []string{"a.csv", "b.csv", "c.csv"}, "", "train", "b.csv a.csv"},
		{"paths of a split", "---\nconfigs:\n- data_files:\n  - split: dev\n    path:\n    - \"x/[ab]?.csv\"\n    - \"**/z.csv\"\n---\n", []string{"x/a1.csv", "x/b2.csv", "x/c1.csv", "y/w/z.csv", "z.csv"}, "", "", "x/a1.csv x/b2.csv y/w/z.csv z.csv"},
		{"a directory in the card", "---\nconfigs:\n- config_name: a\n  data_dir: one\n- config_name: b\n  data_dir: two/\n  default: true\n---\n", []string{"one/train.csv", "two/train.csv", "two/test.csv"}, "", "", "two/train.csv"},
		{"a configuration called default", "---\nconfigs:\n- config_name: a\n  data_dir: one\n- config_name: default\n  data_dir: two\n---\n", []string{"one/train.csv", "two/train.csv"}, "", "", "two/train.csv"},
		{"a card without configurations", "---\nlicense: mit\n---\ntext", []string{"train.csv"}, "", "", "train.csv"},
		{"a card without YAML", "# Title\n\n---\nconfigs: no\n---\n", []string{"train.csv"}, "", "", "train.csv"},
		{"a card that is cut off", "---\nconfigs:\n- data_files: a.csv\n", []string{"a.csv"}, "", "", "a.csv"},
		{"a card with invalid YAML", "---\nconfigs:\n- {\n---\n", []string{"a.csv"}, "", "",
			"!parse configs of the card README.md:"},
		{"a card of another shape", "---\nconfigs: 7\n---\n", []string{"a.csv"}, "", "",
			"!not a list of config_name and data_files"},
		{"a card with data_files of another shape", "---\nconfigs:\n- data_files: {train: a.csv}\n---\n", []string{"a.csv"},
			"", "", `!the data_files of "default" are neither`},
		{"a card that names files that are not there", "---\nconfigs:\n- data_files: " +
			"b*.csv\n---\n", []string{"a.csv"}, "", "",
			`!the card names "b*.csv" for the split "train", but this data file does not exist`},
		{"a card that names a place on the network", "---\nconfigs:\n- data_files: https://example.com/a.csv\n---\n",
			[]string{"a.csv"}, "", "", "!which is outside the directory"},
		{"a card that leaves the directory", "---\nconfigs:\n- data_files: ../../etc/a.csv\n---\n", []string{"a.csv"},
			"", "", "!which is outside the directory"},
		{"a card whose directory is empty", "---\nconfigs:\n- data_dir: x\n---\n", []string{"a.csv"}, "", "",
			`!the configuration "default" has no data files in x`},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := layout(t, test.card, test.files...)
			files, err := hfdir.Find(dir, test.config, test.split)
			if want, isError := strings.CutPrefix(test.want, "!"); isError {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Fatalf("%v, %v, want the error %q", files, err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, file := range files {
				relative, err := filepath.Rel(dir, file)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(relative))
			}
			if diff := cmp.Diff(strings.Fields(test.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestChoicesNameTheirAttribute(t *testing.T) {
	dir := layout(t, gsm8kCard, gsm8kFiles...)
	for attribute, choice := range map[string][2]string{"config": {"x", ""}, "split": {"main", "x"}} {
		_, err := hfdir.Find(dir, choice[0], choice[1])
		var wrong *hfdir.ChoiceError
		if !errors.As(err, &wrong) || wrong.Attribute != attribute {
			t.Errorf("%v, want a choice of %s", err, attribute)
		}
	}
}

// The cache of the hub has a directory of links per revision.
func TestHubCache(t *testing.T) {
	dir := layout(t, "", "blobs/0123")
	snapshot := filepath.Join(dir, "snapshots", "abc", "data")
	for _, err := range []error{
		os.MkdirAll(snapshot, 0o755), os.MkdirAll(filepath.Join(dir, "refs"), 0o755),
		os.WriteFile(filepath.Join(dir, "refs", "main"), []byte("abc\n"), 0o644),
		os.Symlink("../../../blobs/0123", filepath.Join(snapshot, "train-00000-of-00001.parquet")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	files, err := hfdir.Find(dir, "", "")
	if err != nil || len(files) != 1 || files[0] != filepath.Join(snapshot, "train-00000-of-00001.parquet") {
		t.Errorf("%v, %v", files, err)
	}
}

func TestNotADirectory(t *testing.T) {
	dir := layout(t, "", "a.csv")
	for _, name := range []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "missing")} {
		if files, err := hfdir.Find(name, "", ""); err == nil {
			t.Errorf("%s: %v", name, files)
		}
	}
}

// Every card is either parsed or rejected, and no file outside the directory is returned.
func FuzzCard(f *testing.F) {
	f.Add(gsm8kCard)
	f.Add("---\nconfigs:\n- data_files: ['**/*', {split: x, path: [a, ../b]}]\n  data_dir: ../..\n---")
	f.Add("---\nconfigs: &a\n- *a\n---\n")
	f.Fuzz(func(t *testing.T, card string) {
		dir := layout(t, card, "a.csv", "main/train-00000-of-00001.csv")
		for _, name := range []string{"", "main"} {
			files, err := hfdir.Find(dir, name, "")
			if err != nil && err.Error() == "" {
				t.Fatal("the error is empty")
			}
			for _, file := range files {
				if relative, err := filepath.Rel(dir, file); err != nil || !filepath.IsLocal(relative) {
					t.Fatalf("%q leads to %s", card, file)
				}
			}
		}
	})
}
