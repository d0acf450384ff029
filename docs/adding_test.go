package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAdding_ListsTheFilesOfItsExamples checks that each checklist of adding.md names exactly the files in which git
// grep finds its example.
func TestAdding_ListsTheFilesOfItsExamples(t *testing.T) {
	if _, err := os.Stat("../.git"); err != nil {
		t.Skip("SKIPPED: not a git checkout, so examples cannot be found")
	}
	text, err := os.ReadFile(filepath.Join("explain", "adding.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n## ")[1:]
	if len(sections) != 5 {
		t.Fatalf("adding.md has %d checklists, want 5", len(sections))
	}
	for _, section := range sections {
		title, _, _ := strings.Cut(section, "\n")
		t.Run(title, func(t *testing.T) {
			oneLine := strings.Join(strings.Fields(section), " ")
			command := regexp.MustCompile("git grep -lEw '([^']+)'").FindStringSubmatch(oneLine)
			if command == nil {
				t.Fatal("the checklist has no git grep command for its example")
			}
			missing, idle := compareFiles(listedFiles(section), grep(t, command[1]))
			for _, path := range missing {
				t.Errorf("%s has the example but is not listed: add it, with the change to make there", path)
			}
			for _, path := range idle {
				t.Errorf("%s is listed but does not have the example: remove it from the list, or add its words to "+
					"the git grep command", path)
			}
		})
	}
}

// listedFiles returns the paths at the beginning of each point, before the colon.
func listedFiles(section string) []string {
	var paths []string
	for _, point := range strings.Split(section, "\n* [ ] ")[1:] {
		head := regexp.MustCompile(`:(\s|$)`).Split(point, 2)[0]
		for _, path := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(head, -1) {
			paths = append(paths, path[1])
		}
		if _, slow, ok := strings.Cut(point, "; `.ci/slow`"); ok && slow != "" {
			paths = append(paths, ".ci/slow")
		}
		if _, _, ok := strings.Cut(point, "and `docs/internal/"); ok {
			paths = append(paths, "docs/internal/frameworks/text.go")
		}
	}
	return paths
}

// grep returns the tracked files that contain the words, except the changelog, adding.md and the style baseline.
func grep(t *testing.T, words string) []string {
	t.Helper()
	except := []string{":!CHANGELOG.md", ":!internal/style/baseline.txt", ":!docs/explain/adding.md"}
	cmd := exec.Command("git", append([]string{"grep", "-lEw", words, "--"}, except...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git grep %s: %v", words, err)
	}
	return strings.Fields(string(out))
}

// compareFiles returns the files that no path covers and the paths that cover no file. A path that ends in / covers a
// folder.
func compareFiles(paths, files []string) (missing, idle []string) {
	covers := func(path, file string) bool {
		return path == file || strings.HasSuffix(path, "/") && strings.HasPrefix(file, path)
	}
	for _, file := range files {
		if !slices.ContainsFunc(paths, func(path string) bool { return covers(path, file) }) {
			missing = append(missing, file)
		}
	}
	for _, path := range paths {
		if !slices.ContainsFunc(files, func(file string) bool { return covers(path, file) }) {
			idle = append(idle, path)
		}
	}
	return missing, idle
}

func TestCompareFiles_FindsBothFaults(t *testing.T) {
	missing, idle := compareFiles([]string{"a.go", "b/", "gone.go"}, []string{"a.go", "b/c.go", "new.go"})
	if !slices.Equal(missing, []string{"new.go"}) || !slices.Equal(idle, []string{"gone.go"}) {
		t.Errorf("missing %v and idle %v, want new.go and gone.go", missing, idle)
	}
}
