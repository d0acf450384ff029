package pyenv

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// kept is the number of earlier builds that are kept: an active run restarts its plugins from the build that it started
// with.
const kept = 4

// touch marks a build as the newest.
func touch(root string) error {
	now := time.Now()
	return os.Chtimes(root, now, now)
}

// sweep removes old builds, environments that no remaining build needs, and temporary files left by killed processes.
// The caller holds the lock.
func sweep(home string, current *Plugin, tools string) {
	roots := builds(home)
	needed := []string{current.Deps}
	for i, root := range roots {
		if i > kept && root != current.Root {
			_ = os.RemoveAll(root)
			continue
		}
		needed = append(needed, depsOf(root))
	}
	entries, err := os.ReadDir(home)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(home, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), strings.TrimSuffix(temporary, "*")):
			_ = os.RemoveAll(path)
		case strings.HasPrefix(e.Name(), kindBuild+"-") && path != tools && !complete(path):
			_ = os.RemoveAll(path)
		case strings.HasPrefix(e.Name(), kindDeps+"-") && !slices.Contains(needed, path):
			_ = os.RemoveAll(path)
		}
	}
}

func complete(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, markName))
	return err == nil
}

// builds returns the environments of a package, newest first.
func builds(home string) []string {
	entries, err := os.ReadDir(home)
	if err != nil {
		return nil
	}
	ages := map[string]time.Time{}
	var found []string
	for _, e := range entries {
		path := filepath.Join(home, e.Name())
		info, err := e.Info()
		if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), kindPackage+"-") {
			if _, err := os.Stat(filepath.Join(path, launcherDir)); err == nil {
				found, ages[path] = append(found, path), info.ModTime()
			}
		}
	}
	slices.SortFunc(found, func(a, b string) int { return ages[b].Compare(ages[a]) })
	return found
}

// depsOf returns the dependency environment beneath a build, or an empty string if it is unknown.
func depsOf(root string) string {
	links, _ := filepath.Glob(filepath.Join(globEscape(root), "lib", "python*", "site-packages", pathFile))
	for _, link := range links {
		text, err := os.ReadFile(link)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), `("`)
		site, _, _ := strings.Cut(rest, `"`)
		return filepath.Dir(filepath.Dir(filepath.Dir(site))) // DEPS/lib/pythonX.Y/site-packages
	}
	return ""
}
