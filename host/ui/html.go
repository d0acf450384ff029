package ui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"

	"github.com/awhost/awhost/host/ui/page"
)

// Excerpt is the part of a run that is written to one file: an episode or a step.
type Excerpt struct {
	Run     string // name of the run: "quickstart-3"
	Episode string // id of the episode; empty: a step
	Step    int
}

// maxHTML is the maximum size of a file, in bytes. Browsers can open larger files, but only slowly.
const maxHTML = 256 << 20

// HTML returns an excerpt's page as one self-contained file that works without a server or network. It contains the
// responses that the page would request, as JSON in which text from a model cannot end the surrounding element. It does
// not contain the tasks' private parts. Its content policy blocks all loading and all other scripts.
func (s *Server) HTML(ctx context.Context, e Excerpt) ([]byte, error) {
	data, err := s.excerpt(ctx, e)
	if err != nil {
		return nil, err
	}
	return inlined(page.Files(), data)
}

// answers holds the responses for the page, keyed by "GET" and the path, and the view with which it opens.
type answers map[string]any

func (s *Server) excerpt(ctx context.Context, e Excerpt) (answers, error) {
	of := "/api/runs/" + e.Run
	a := answers{}
	get := func(path string, answer func(*http.Request) (any, error), id string, query url.Values) (any, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/?"+query.Encode(), nil)
		if err != nil {
			return nil, err
		}
		r.SetPathValue("run", e.Run)
		r.SetPathValue("id", id)
		value, err := answer(r)
		a["GET "+path] = value
		return value, err
	}
	if _, err := get(of, s.run, "", nil); err != nil {
		return nil, err
	}
	if e.Episode != "" {
		a["route"] = "#/run/" + url.PathEscape(e.Run) + "/episode/" + url.PathEscape(e.Episode)
		detail, err := get(of+"/episodes/"+e.Episode, s.episode, e.Episode, nil)
		if err != nil {
			return nil, err
		}
		siblings := detail.(episodePage).Siblings
		a["GET "+of+"/episodes"] = episodeList{Episodes: siblings, Total: len(siblings)}
		return a, nil
	}
	step := strconv.Itoa(e.Step)
	a["route"] = "#/run/" + url.PathEscape(e.Run) + "/step/" + step
	if _, err := get(of+"/steps", s.steps, "", url.Values{"from": {step}, "to": {step}}); err != nil {
		return nil, err
	}
	list := episodeList{Episodes: []episodeLine{}}
	for query := (url.Values{"step": {step}, "limit": {strconv.Itoa(maxPage)}}); ; query.Set("cursor", list.Next) {
		found, err := get(of+"/episodes", s.episodes, "", query)
		if err != nil {
			return nil, err
		}
		next := found.(episodeList)
		list.Episodes, list.Total, list.Next = append(list.Episodes, next.Episodes...), next.Total, next.Next
		if list.Next == "" {
			break
		}
	}
	if list.Total == 0 {
		return nil, notFound("run %s has no episodes of step %d", e.Run, e.Step)
	}
	a["GET "+of+"/episodes"] = list
	for _, episode := range list.Episodes {
		if _, err := get(of+"/episodes/"+episode.ID, s.episode, episode.ID, nil); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// The places in index.html that refer to files.
var (
	stylePlace  = []byte(`<link rel="stylesheet" href="app.css" />`)
	scriptPlace = []byte(`<script src="app.js"></script>`)
	headPlace   = []byte(`<meta charset="utf-8" />`)
)

// inlined returns index.html with the page's files, and data, included.
func inlined(files fs.FS, data answers) ([]byte, error) {
	var parts [3][]byte
	for i, name := range []string{"index.html", "app.css", "app.js"} {
		var err error
		if parts[i], err = fs.ReadFile(files, name); err != nil {
			return nil, err
		}
	}
	out, style, script := parts[0], parts[1], parts[2]
	text, err := json.Marshal(data) // escapes <, > and &
	if err != nil {
		return nil, err
	}
	if len(text) > maxHTML {
		return nil, fmt.Errorf("%d MiB of episodes are too much for a file: write single episodes", len(text)>>20)
	}
	if ends(style, "style") || ends(script, "script") {
		return nil, fmt.Errorf("this build's page cannot be bundled into one file: its script or style contains an " +
			"end tag")
	}
	policy := fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '%s'; `+
		`style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'" />`, hashOf(script), hashOf(style))
	for _, put := range []struct{ place, text []byte }{
		{headPlace, joined(headPlace, []byte("\n    "+policy))},
		{stylePlace, joined([]byte("<style>"), style, []byte("</style>"))},
		{scriptPlace, joined([]byte(`<script type="application/json" id="awhost-data">`), text,
			[]byte("</script>\n    <script>"), script, []byte("</script>"))},
	} {
		if bytes.Count(out, put.place) != 1 {
			return nil, fmt.Errorf("the page of this build cannot be put into one file: it has no %s", put.place)
		}
		out = bytes.Replace(out, put.place, put.text, 1)
	}
	return out, nil
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// ends reports whether a string would end its element, or start a comment in it.
func ends(text []byte, element string) bool {
	lower := bytes.ToLower(text)
	return bytes.Contains(lower, []byte("</"+element)) || bytes.Contains(lower, []byte("<!--"))
}

// hashOf returns the hash of a string in the form used in a content policy.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
