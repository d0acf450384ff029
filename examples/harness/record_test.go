package harness_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
)

// recording is a request of a harness, as stored in host/gateway/testdata/harness: without credentials, and with
// constants in place of values that change between runs.
type recording struct {
	Path   string            `json:"path"`
	Header map[string]string `json:"header,omitempty"` // headers that identify the caller
	Body   json.RawMessage   `json:"body"`
}

// keptHeaders identify the caller.
var keptHeaders = []string{
	"Anthropic-Beta", "Originator", "Session-Id", "Thread-Id", "User-Agent", "X-Claude-Code-Session-Id",
	"X-Codex-Turn-Metadata", "X-Codex-Window-Id", "X-Session-Affinity", "X-Session-Id",
}

// Third-party texts are not stored in full: longer texts are stored as their beginning and a digest.
const (
	longText = 2 << 10
	textHead = 512
	// longDescription bounds the description of a tool.
	longDescription = 160
)

// scrubber replaces values that change between runs. Equal values get equal replacements in all requests.
type scrubber struct {
	episodes, dashed *regexp.Regexp // an episode's folder; the same as part of a file name
	ids              map[string]string
}

var (
	uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	hexes = regexp.MustCompile(`\b[0-9a-f]{32,}\b`)
	named = regexp.MustCompile(`\b(ses)_[A-Za-z0-9]{16,}`)

	volatile = []struct {
		pattern *regexp.Regexp
		instead string
	}{
		{regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`), "2000-01-01"},
		{regexp.MustCompile(`\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (` + months + `) \d{1,2}, 20\d\d\b`),
			"Saturday, January 1, 2000"},
		{regexp.MustCompile(`\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d{1,2} 20\d\d\b`), "Sat Jan 01 2000"},
		{regexp.MustCompile(`\b(` + months + `) 20\d\d\b`), "January 2000"},
		{regexp.MustCompile(`Chunk ID: [0-9a-f]+`), "Chunk ID: 000000"},
		{regexp.MustCompile(`Wall time: [0-9.]+ seconds`), "Wall time: 0.0000 seconds"},
		{regexp.MustCompile(`Process Group PGID: \d+`), "Process Group PGID: 1"},
		{regexp.MustCompile(`Linux [0-9][^\s"\\]*`), "Linux 0.0.0"},
		{regexp.MustCompile(`unix_ms":\d+`), `unix_ms":0`},
		{regexp.MustCompile(`\((Debian|Ubuntu|Linux|Alpine)[^;)]*;`), "(Linux;"},
	}
)

const months = `January|February|March|April|May|June|July|August|September|October|November|December`

// newScrubber returns a scrubber for episodes whose folders are in a directory.
func newScrubber(directory string) *scrubber {
	return &scrubber{
		episodes: regexp.MustCompile(regexp.QuoteMeta(directory) + `/[0-9a-f]{16}`),
		dashed:   regexp.MustCompile(regexp.QuoteMeta(notNames.ReplaceAllString(directory, "-")) + `-[0-9a-f]{16}`),
		ids:      map[string]string{},
	}
}

// notNames are characters that harnesses replace with dashes when they derive a file name from a path.
var notNames = regexp.MustCompile(`[^A-Za-z0-9]`)

func (s *scrubber) text(text string) string {
	text = s.episodes.ReplaceAllString(text, "/episode")
	text = s.dashed.ReplaceAllString(text, "-episode")
	text = uuids.ReplaceAllStringFunc(text, func(id string) string { return s.id(id, "00000000-0000-0000-0000-%012d") })
	text = named.ReplaceAllStringFunc(text, func(id string) string { return s.id(id, id[:4]+"%022d") })
	text = hexes.ReplaceAllStringFunc(text, func(id string) string { return s.id(id, "%064d") })
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.instead)
	}
	return text
}

func (s *scrubber) id(id, format string) string {
	if s.ids[id] == "" {
		s.ids[id] = fmt.Sprintf(format, len(s.ids)+1)
	}
	return s.ids[id]
}

// record returns the recording of a request.
func (s *scrubber) record(path string, header http.Header, body []byte) (recording, error) {
	out := recording{Path: path, Header: map[string]string{}}
	for _, name := range keptHeaders {
		if value := header.Get(name); value != "" {
			out.Header[name] = s.text(value)
		}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return out, err
	}
	members, ok := s.value(value).(map[string]any)
	if !ok {
		return out, fmt.Errorf("the body of a request to %s is not an object", path)
	}
	members["tools"] = brief(members["tools"])
	if members["tools"] == nil {
		delete(members, "tools")
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(members)
	out.Body = bytes.TrimSpace(text.Bytes())
	return out, err
}

func (s *scrubber) value(v any) any {
	switch v := v.(type) {
	case string:
		return shorten(s.text(v), longText, textHead)
	case []any:
		for i := range v {
			v[i] = s.value(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = s.value(v[name])
		}
	}
	return v
}

// brief shortens the descriptions of tools.
func brief(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = brief(v[i])
		}
	case map[string]any:
		for name, inner := range v {
			if text, ok := inner.(string); ok && name == "description" {
				v[name] = shorten(text, longDescription, longDescription)
				continue
			}
			v[name] = brief(inner)
		}
	}
	return v
}

func shorten(text string, most, head int) string {
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf(
		"%s… [%d bytes, sha256 %x]",
		strings.ToValidUTF8(text[:head], ""),
		len(text),
		sha256.Sum256([]byte(text)),
	)
}

// digests match shortened texts. Some long texts name the operating system and its shell, so that their digests
// differ between machines.
var digests = regexp.MustCompile(`… \[\d+ bytes, sha256 [0-9a-f]{64}\]`)

// order returns the position of a recording in its episode: requests outside the conversation come first.
func (r recording) order() int {
	var body struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(r.Body, &body) == nil && len(body.Tools) == 0 {
		return 0
	}
	return 1
}

// comparable returns the text of a recording without the digests of shortened texts.
func (r recording) comparable() string {
	var body bytes.Buffer
	_ = json.Indent(&body, r.Body, "", " ") // it was parsed as JSON before
	header, _ := json.MarshalIndent(r.Header, "", " ")
	text := r.Path + "\n" + string(header) + "\n" + body.String()
	return digests.ReplaceAllString(text, "…")
}

// write writes a recording to a file.
func write(path string, r recording) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(r); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}
