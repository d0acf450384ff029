// Package page is the page of `awhost ui`, as the bundler has written it: files that the server of host/ui hands out as
// they are, or one file that holds what it shows.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
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

// Alone is the page as one file without a server. It opens the view of the route, such as "#/run/quickstart-1/step/3",
// and holds the answers that its views ask for, by method and path as they read: "GET /api/runs/quickstart-1/steps". Of
// lists of episodes, steps and metrics the page chooses what a view shows. The file asks nothing of anybody: its policy
// allows the script and the style that are in it, and no request.
func Alone(route string, answers map[string]json.RawMessage) ([]byte, error) {
	data := map[string]any{"route": route}
	for path, answer := range answers {
		data[path] = answer
	}
	text, err := json.Marshal(data) // escapes <, > and &, so that nothing in it ends its element
	if err != nil {
		return nil, fmt.Errorf("the answers of the page: %w", err)
	}
	index, script, style := read("index.html"), read("app.js"), read("app.css")
	policy := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; "+
		"base-uri 'none'; form-action 'none'", digest(script), digest(style))
	for _, part := range []struct{ mark, text string }{
		{charset, charset + `<meta http-equiv="Content-Security-Policy" content="` + policy + `" />`},
		{styleLink, "<style>" + string(style) + "</style>"},
		{scriptLink, `<script type="application/json" id="awhost-data">` + string(text) + "</script>" +
			"<script>" + string(script) + "</script>"},
	} {
		before, after, _ := bytes.Cut(index, []byte(part.mark)) // a test holds that each is there
		index = bytes.Join([][]byte{before, after}, []byte(part.text))
	}
	return index, nil
}

// What of index.html a file of its own has in another form.
const (
	charset    = `<meta charset="utf-8" />`
	styleLink  = `<link rel="stylesheet" href="app.css" />`
	scriptLink = `<script src="app.js"></script>`
)

func read(name string) []byte {
	text, err := files.ReadFile("dist/" + name)
	if err != nil {
		panic("the page is not embedded: " + err.Error())
	}
	return text
}

// digest names a script or style as a policy does.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
