package python

import (
	"os"
	"path/filepath"
	"strings"
)

// Linked lists the folders that a site-packages folder adds to Python's path by .pth files, as editable installations do.
// Lines of code in them are not run.
func Linked(site string) []string {
	var out []string
	paths, _ := filepath.Glob(filepath.Join(site, "*.pth")) // the pattern is ours
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // Python passes over it, too
		}
		for line := range strings.Lines(string(text)) {
			dir := strings.TrimSpace(line)
			if dir == "" || strings.HasPrefix(dir, "import") || strings.HasPrefix(dir, "#") {
				continue
			}
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(site, dir)
			}
			out = append(out, dir)
		}
	}
	return out
}
