// Package docs contains the documents that the program itself prints: the documentation pages and its JSON schemas.
package docs

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// EventSchema is the JSON Schema for each line of `--json` output.
//
//go:embed events.schema.json
var EventSchema string

// CommandSchema is the JSON Schema for the --json output of the other commands.
//
//go:embed commands.schema.json
var CommandSchema string

//go:embed README.md glossary.md start guides reference explain
var files embed.FS

// shelves lists the directories of the pages, in the order in which a new user reads them.
var shelves = []string{"start", "guides", "reference", "explain"}

// Page is one documentation page.
type Page struct {
	Name  string // path without extension, such as guides/mcp
	Title string // text of the first heading
	Text  string // Markdown
}

// Pages returns all pages, sorted by shelf and name.
func Pages() []Page {
	var pages []Page
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		text, err := files.ReadFile(name)
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		pages = append(pages, Page{strings.TrimSuffix(name, ".md"), title, string(text)})
		return err
	})
	if err != nil {
		panic(err) // embedded files cannot fail
	}
	shelf := func(p Page) int { return slices.Index(shelves, strings.SplitN(p.Name, "/", 2)[0]) }
	slices.SortStableFunc(pages, func(a, b Page) int { return shelf(a) - shelf(b) })
	return pages
}

// Find returns the page with the given name, or with that name as its last part: guides/mcp, mcp, and
// docs/guides/mcp.md are the same page.
func Find(name string) (Page, error) {
	name = strings.TrimPrefix(strings.TrimSuffix(name, ".md"), "docs/")
	var found []Page
	for _, p := range Pages() {
		if p.Name == name {
			return p, nil
		}
		if path.Base(p.Name) == path.Base(name) && strings.HasSuffix("/"+p.Name, "/"+name) {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Page{}, fmt.Errorf("unknown page %q: awhost docs lists the pages", name)
	}
	var names []string
	for _, p := range found {
		names = append(names, p.Name)
	}
	return Page{}, fmt.Errorf("page %q is ambiguous: use one of %s", name, strings.Join(names, ", "))
}
