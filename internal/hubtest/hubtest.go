// Package hubtest provides a test server with the Hugging Face Hub's dataset API: revisions, paged listings, files
// redirected to another server, and the errors of the real Hub.
//
//	hub := hubtest.New(t, hubtest.Repo{Name: "openai/gsm8k", Files: map[string][]byte{"README.md": card}})
//	t.Setenv("HF_ENDPOINT", hub.URL)
package hubtest

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Repo is a dataset repository with one branch, main.
type Repo struct {
	Name  string
	Old   string            // a former name, which redirects
	Files map[string][]byte // of the branch; *.parquet and *.jsonl files are in LFS
	Gated bool              // only Token grants read access
	Token string            // the token with read access; empty: public
}

// Hub is a running server.
type Hub struct {
	URL string

	mu       sync.Mutex
	repos    []Repo
	old      map[string]map[string][]byte // files by commit, if replaced or resolved
	main     *httptest.Server
	cdn      *httptest.Server
	requests []string
	faults   []fault
	page     int
}

// fault is applied to the next request whose path ends with the suffix.
type fault struct {
	suffix string
	serve  http.HandlerFunc // nil: see cut
	cut    int              // bytes after which the connection ends
	flip   bool             // change one byte
}

// New starts a hub that is closed at the end of the test.
func New(t testing.TB, repos ...Repo) *Hub {
	t.Helper()
	h := Start(repos...)
	t.Cleanup(h.Close)
	return h
}

// Start starts a hub. The caller must close it.
func Start(repos ...Repo) *Hub {
	h := &Hub{repos: repos, old: map[string]map[string][]byte{}, page: 1000}
	h.cdn = httptest.NewServer(http.HandlerFunc(h.serveContent))
	h.main = httptest.NewServer(http.HandlerFunc(h.serve))
	h.URL = h.main.URL
	return h
}

// Close stops the hub's servers.
func (h *Hub) Close() {
	h.main.Close()
	h.cdn.Close()
}

// Change replaces a repository's files, as a push to its branch does.
func (h *Hub) Change(name string, files map[string][]byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.repos {
		if h.repos[i].Name == name {
			h.old[h.repos[i].commit()] = h.repos[i].Files
			h.repos[i].Files = files
		}
	}
}

// Pages limits listings to pages of n entries.
func (h *Hub) Pages(n int) { h.page = n }

// Cut closes the connection of the next request for a file after n bytes.
func (h *Hub) Cut(suffix string, n int) { h.fail(fault{suffix: suffix, cut: n}) }

// Flip changes a byte in the next response that contains a file.
func (h *Hub) Flip(suffix string) { h.fail(fault{suffix: suffix, flip: true}) }

// Refuse responds to the next request whose path ends with the suffix with a status and, if after is not empty, a
// Retry-After header.
func (h *Hub) Refuse(suffix string, status int, after string) {
	h.fail(fault{suffix: suffix, serve: func(w http.ResponseWriter, _ *http.Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(status)
	}})
}

func (h *Hub) fail(f fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, f)
}

// Requests lists the requests so far: "GET /datasets/… bytes=7-", followed by "with TOKEN" if a token was sent.
func (h *Hub) Requests() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.requests)
}

// Commit returns the current commit of a repository's branch.
func (h *Hub) Commit(name string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.repos {
		if r.Name == name {
			return r.commit()
		}
	}
	return ""
}

// commit returns a hash of the files, as git does.
func (r Repo) commit() string {
	sum := sha1.New()
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		fmt.Fprintf(sum, "%s %d\n", name, len(r.Files[name]))
		sum.Write(r.Files[name])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// note records a request and returns the fault, if any, that applies to it.
func (h *Hub) note(r *http.Request) (fault, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := r.Method + " " + r.URL.Path
	if bytes := r.Header.Get("Range"); bytes != "" {
		text += " " + bytes
	}
	if token := r.Header.Get("Authorization"); token != "" {
		text += " with " + strings.TrimPrefix(token, "Bearer ")
	}
	h.requests = append(h.requests, text)
	for i, f := range h.faults {
		if strings.HasSuffix(r.URL.Path, f.suffix) {
			h.faults = slices.Delete(h.faults, i, i+1)
			return f, true
		}
	}
	return fault{}, false
}

func (h *Hub) serve(w http.ResponseWriter, r *http.Request) {
	kept, broken := fault{}, false
	if kept, broken = h.note(r); broken && kept.serve != nil {
		kept.serve(w, r)
		return
	}
	path, isAPI := strings.CutPrefix(r.URL.Path, "/api/datasets/")
	if !isAPI {
		path = strings.TrimPrefix(r.URL.Path, "/datasets/")
	}
	repo, rest, ok := h.find(w, r, path)
	if !ok {
		return
	}
	what, rest, _ := strings.Cut(rest, "/")
	revision, file, _ := strings.Cut(rest, "/")
	commit, files, ok := h.at(repo, revision)
	if !ok {
		refuse(w, http.StatusNotFound, "RevisionNotFound", "Invalid rev id: "+revision)
		return
	}
	switch what {
	case "revision":
		answer(
			w,
			map[string]any{
				"id":      repo.Name,
				"sha":     commit,
				"gated":   repo.Gated,
				"private": repo.Token != "" && !repo.Gated,
			},
		)
	case "tree":
		h.list(w, r, files)
	case "resolve":
		w.Header().Set("X-Repo-Commit", commit)
		h.resolve(w, r, files, commit, file, kept)
	}
}

// find returns the repository at the beginning of a path if it may be read.
func (h *Hub) find(w http.ResponseWriter, r *http.Request, path string) (Repo, string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	for _, repo := range h.repos {
		if rest, ok := strings.CutPrefix(path, repo.Old+"/"); ok && repo.Old != "" {
			there := strings.TrimSuffix(r.URL.Path, path) + repo.Name + "/" + rest + "?" + r.URL.RawQuery
			http.Redirect(w, r, there, http.StatusTemporaryRedirect)
			return Repo{}, "", false
		}
		rest, ok := strings.CutPrefix(path, repo.Name+"/")
		switch {
		case !ok:
			continue
		case repo.Token == "" || repo.Token == token:
			return repo, rest, true
		case repo.Gated && strings.HasPrefix(rest, "revision/"):
			return repo, rest, true // anyone may see that it exists
		case repo.Gated && token == "":
			refuse(w, http.StatusUnauthorized, "GatedRepo", "Access to dataset "+repo.Name+" is restricted.")
		case repo.Gated:
			refuse(w, http.StatusForbidden, "GatedRepo",
				"Access to dataset "+repo.Name+" is restricted and you are not in the authorized list.")
		default:
			refuse(w, http.StatusUnauthorized, "RepoNotFound", "Repository not found")
		}
		return Repo{}, "", false
	}
	if token != "" {
		refuse(w, http.StatusNotFound, "RepoNotFound", "Repository not found")
	} else {
		refuse(w, http.StatusUnauthorized, "RepoNotFound", "Invalid username or password.")
	}
	return Repo{}, "", false
}

func (h *Hub) at(repo Repo, revision string) (commit string, files map[string][]byte, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := repo.commit(); revision == "main" || revision == now {
		return now, repo.Files, true
	}
	files, ok = h.old[revision]
	return revision, files, ok
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("X-Error-Code", code)
	w.Header().Set("X-Error-Message", message)
	w.WriteHeader(status)
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // fails if the client has gone
}

func isLFS(name string) bool {
	return strings.HasSuffix(name, ".parquet") || strings.HasSuffix(name, ".jsonl")
}

func (h *Hub) list(w http.ResponseWriter, r *http.Request, files map[string][]byte) {
	names := slices.Sorted(maps.Keys(files))
	from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	entries := []map[string]any{{"type": "directory", "path": "data", "oid": strings.Repeat("0", 40), "size": 0}}
	for _, name := range names[from:min(from+h.page, len(names))] {
		entry := map[string]any{"type": "file", "path": name, "size": len(files[name]), "oid": gitID(files[name])}
		if isLFS(name) {
			sum := sha256.Sum256(files[name])
			entry["oid"] = strings.Repeat("1", 40) // of the LFS pointer
			entry["lfs"] = map[string]any{
				"oid":         hex.EncodeToString(sum[:]),
				"size":        len(files[name]),
				"pointerSize": 130,
			}
		}
		entries = append(entries, entry)
	}
	if next := from + h.page; next < len(names) {
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?recursive=true&cursor=%d>; rel="next"`, h.URL, r.URL.Path, next))
	}
	answer(w, entries)
}

func gitID(content []byte) string {
	sum := sha1.New()
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

func (h *Hub) resolve(
	w http.ResponseWriter,
	r *http.Request,
	files map[string][]byte,
	commit, file string,
	kept fault,
) {
	content, ok := files[file]
	switch {
	case !ok:
		refuse(w, http.StatusNotFound, "EntryNotFound", "Entry not found")
	case isLFS(file):
		sum := sha256.Sum256(content)
		w.Header().Set("X-Linked-Size", strconv.Itoa(len(content)))
		w.Header().Set("X-Linked-Etag", `"`+hex.EncodeToString(sum[:])+`"`)
		h.mu.Lock()
		h.old[commit] = files
		if kept.suffix != "" {
			h.faults = append(h.faults, kept) // for the content server
		}
		h.mu.Unlock()
		http.Redirect(w, r, h.cdn.URL+(&url.URL{Path: "/" + commit + "/" + file}).EscapedPath(), http.StatusFound)
	default:
		w.Header().Set("ETag", `"`+gitID(content)+`"`)
		send(w, r, content, kept)
	}
}

// serveContent serves the files to which the hub redirects.
func (h *Hub) serveContent(w http.ResponseWriter, r *http.Request) {
	kept, _ := h.note(r)
	commit, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	h.mu.Lock()
	content, ok := h.old[commit][file]
	h.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	send(w, r, content, kept)
}

func send(w http.ResponseWriter, r *http.Request, content []byte, kept fault) {
	if kept.flip {
		content = bytes.Clone(content)
		content[len(content)/2] ^= 1
	}
	if kept.cut == 0 {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	_, _ = w.Write(content[:kept.cut])
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}
