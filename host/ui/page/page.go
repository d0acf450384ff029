// Package page contains the `awhost ui` page as written by the bundler. The server in host/ui serves its files
// unchanged.
package page

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Files returns the page's files, with index.html at the root.
func Files() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic("the page is not embedded: " + err.Error()) // the name is valid
	}
	return dist
}
