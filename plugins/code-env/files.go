package codeenv

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/sandbox"
)

// filesFor returns the initial files of an episode.
func (c *config) filesFor(task sdk.Task) (map[string]string, error) {
	out := maps.Clone(c.Files)
	if out == nil {
		out = map[string]string{}
	}
	if c.FilesColumn == "" {
		return out, nil
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal(task.Public, &columns); err != nil {
		return nil, fmt.Errorf("task %s: %w", task.ID, err)
	}
	column, ok := columns[c.FilesColumn]
	if !ok || string(column) == "null" {
		return out, nil
	}
	var own map[string]string
	if err := json.Unmarshal(column, &own); err != nil {
		return nil, fmt.Errorf(
			"task %s: column %s is no object of texts by the names of files: %w",
			task.ID,
			c.FilesColumn,
			err,
		)
	}
	for name, text := range own {
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("task %s: column %s: %q leads out of the working directory", task.ID, c.FilesColumn, name)
		}
		out[name] = text
	}
	return out, nil
}

// collect reads files that the code left behind. Links that lead out of the directory are not followed. For files that
// are not text or are too large, only the names are listed.
func (c *config) collect(folder string) (files map[string]string, left []string, _ error) {
	files = map[string]string{}
	if len(c.Collect) == 0 {
		return files, nil, nil
	}
	_ = os.Chmod(folder, ownerfile.Folder) // the code may have changed its mode
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	room, depth := c.CollectBytes, 0
	for _, pattern := range c.Collect {
		depth = max(depth, strings.Count(pattern, "/"))
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && name != "." && strings.Count(name, "/") >= depth {
			return fs.SkipDir // no pattern matches below it, and the tree may be very deep
		}
		if err != nil || !d.Type().IsRegular() ||
			!slices.ContainsFunc(c.Collect, func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
			return nil //nolint:nilerr // the code may do with its folder what it likes
		}
		if len(files)+len(left) == sandbox.MaxNames {
			left = append(left, "more files")
			return fs.SkipAll
		}
		text, err := sandbox.ReadFile(root, name, int64(room)+1)
		encoded, encoding := json.Marshal(string(text))
		size := len(encoded) - len(`""`) // the size in the message with the state, which has a limit
		if err != nil || encoding != nil || size > room || !isText(name) || !isText(string(text)) {
			left = append(left, name)
			return nil //nolint:nilerr // it is named
		}
		files[name], room = string(text), room-size
		return nil
	})
	return files, left, err
}

func isText(text string) bool {
	return strings.ToValidUTF8(text, "") == text && !strings.Contains(text, "\x00")
}
