package ui

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
)

// mostLog limits the end of a log that a page shows.
const mostLog = 64 << 10

// logPage is the end of a plugin's log.
type logPage struct {
	Text string `json:"text"` // whole lines
	Cut  bool   `json:"cut"`  // earlier lines are missing
}

// log returns the end of a plugin's log.
func (s *Server) log(r *http.Request) (any, error) {
	p := paramsOf(r, "plugin")
	if p.err != nil {
		return nil, p.err
	}
	run, err := s.indexes.find(r.PathValue("run"))
	if err != nil {
		return nil, err
	}
	f, err := os.Open(run.LogPath(p.text("plugin")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound("the run has no log of %s", shortened(p.text("plugin")))
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	start := max(0, info.Size()-mostLog)
	text, err := io.ReadAll(io.NewSectionReader(f, start, mostLog))
	if err != nil {
		return nil, err
	}
	if start > 0 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return logPage{Text: strings.ToValidUTF8(string(text), "\ufffd"), Cut: start > 0}, nil
}
