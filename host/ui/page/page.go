// Package page is the page of `awhost ui`, as the bundler has written it: files that the server of host/ui hands out as
// they are.
package page

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Files are those of the page, index.html on top.
func Files() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic("the page is not embedded: " + err.Error()) // the name is valid
	}
	return dist
}
