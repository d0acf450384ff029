package python

import (
	"os"
	"path/filepath"
	"strings"
)

// Linked lists the directories that the .pth files in a site-packages directory add to Python's path, as editable
// installations do. It does not run lines of code in these files.
func Linked(site string) []string {
	var out []string
	paths, _ := filepath.Glob(filepath.Join(site, "*.pth")) // the pattern is a constant
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // Python ignores it, too
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
