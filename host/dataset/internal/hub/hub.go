// Package hub reads dataset repositories of the Hugging Face Hub, or of another server with its API.
//
//	client := hub.Client{Endpoint: hub.DefaultEndpoint, Token: os.Getenv("HF_TOKEN")}
//	commit, err := client.Resolve(ctx, "openai/gsm8k", "main")
//	files, err := client.Files(ctx, "openai/gsm8k", commit)
//	err = client.Download(ctx, "openai/gsm8k", commit, files[0], part)
//
// Three calls of the API are used: /api/datasets/REPO/revision/REVISION, /api/datasets/REPO/tree/COMMIT and
// /datasets/REPO/resolve/COMMIT/PATH. A file is checked by its size and by the hash that the listing has for it,
// whatever server its bytes came from. The token is sent to the hub alone, never to where it redirects. The package
// knows neither splits nor lock files.
package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk/retry"
)

// DefaultEndpoint is the hub itself.
const DefaultEndpoint = "https://huggingface.co"

// Client reads repositories. Its methods may be called from several goroutines.
type Client struct {
	Endpoint string // URL of the hub, without a path at its end
	Token    string // of a user; empty: none is sent
	TokenEnv string // the variable that the token comes from, for messages
	// Wait waits before a request is sent again; nil: by the clock.
	Wait func(context.Context, time.Duration) error
	// Retrying is told why a request will be sent again; nil: nobody is.
	Retrying func(reason string)
	// Stall is how long a server may send nothing; 0: a minute.
	Stall time.Duration
}

// File is a file of a repository.
type File struct {
	Path string // with slashes
	Size int64
	// OID is the id of its content in git: a SHA-1 over "blob SIZE\x00" and the content.
	OID string
	// SHA256 is the hash of its content, in hexadecimal; empty where the hub does not say it: of files that are not in
	// LFS.
	SHA256 string
}

const (
	maxAnswerBytes = 64 << 20
	maxPages       = 1000
	maxRedirects   = 10
)

var repoName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$`)

// IsRepo reports whether a text can be the name of a repository: OWNER/NAME, or the name alone of an old one.
func IsRepo(name string) bool { return repoName.MatchString(name) && !strings.Contains(name, "..") }

// Resolve returns the commit that a revision is now: a branch, a tag or a commit.
func (c Client) Resolve(ctx context.Context, repo, revision string) (string, error) {
	var about struct {
		SHA      string `json:"sha"`
		Disabled bool   `json:"disabled"`
	}
	_, err := c.read(ctx, c.api(repo, "revision", revision), asked{repo: repo, revision: revision}, &about)
	switch {
	case err != nil:
		return "", err
	case about.Disabled:
		return "", fmt.Errorf("dataset %s was disabled on %s", repo, c.Endpoint)
	case !isCommit(about.SHA):
		return "", fmt.Errorf("%s gives no commit for %s at %q: is it a hub? HF_ENDPOINT names another one",
			c.Endpoint, repo, revision)
	}
	return about.SHA, nil
}

// Files lists the files of a commit.
func (c Client) Files(ctx context.Context, repo, commit string) ([]File, error) {
	var files []File
	next := c.api(repo, "tree", commit) + "?recursive=true&expand=false"
	for range maxPages {
		var page []struct {
			Type string `json:"type"`
			Path string `json:"path"`
			OID  string `json:"oid"`
			Size int64  `json:"size"`
			LFS  *struct {
				OID  string `json:"oid"`
				Size int64  `json:"size"`
			} `json:"lfs"`
		}
		header, err := c.read(ctx, next, asked{repo: repo, revision: commit}, &page)
		if err != nil {
			return nil, err
		}
		for _, entry := range page {
			if entry.Type != "file" {
				continue
			}
			file := File{Path: entry.Path, Size: entry.Size, OID: entry.OID}
			if entry.LFS != nil {
				file.Size, file.SHA256 = entry.LFS.Size, strings.TrimPrefix(entry.LFS.OID, "sha256:")
			}
			files = append(files, file)
		}
		if next, err = c.nextPage(next, header); next == "" || err != nil {
			return files, err
		}
	}
	return nil, fmt.Errorf("%s lists the files of %s without end", c.Endpoint, repo)
}

var nextLink = regexp.MustCompile(`<([^>]*)>\s*;\s*rel="?next"?`)

// nextPage is the address of the page behind one; empty where there is none. It is one of the hub's.
func (c Client) nextPage(current string, header http.Header) (string, error) {
	match := nextLink.FindStringSubmatch(strings.Join(header.Values("Link"), ", "))
	if match == nil {
		return "", nil
	}
	here, err := url.Parse(current)
	if err != nil {
		return "", err
	}
	next, err := here.Parse(match[1])
	if err != nil || next.Host != here.Host {
		return "", fmt.Errorf("%s continues its list at %q, which is not on it", c.Endpoint, match[1])
	}
	next.Scheme = here.Scheme // behind a proxy a hub may not know its own
	return next.String(), nil
}

// read decodes the JSON at an address.
func (c Client) read(ctx context.Context, address string, what asked, into any) (http.Header, error) {
	var header http.Header
	err := c.try(ctx, func(ctx context.Context, watch retry.Watch) error {
		response, err := c.get(ctx, address, nil)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return c.refused(response, what)
		}
		text, err := io.ReadAll(io.LimitReader(watch(response.Body), maxAnswerBytes+1))
		if err != nil {
			return &temporary{cause: err}
		}
		header = response.Header
		if len(text) > maxAnswerBytes {
			return fmt.Errorf("%s answers with more than %d MiB", address, maxAnswerBytes>>20)
		}
		if err := json.Unmarshal(text, into); err != nil {
			return fmt.Errorf("%s does not answer as a hub does: %w: is it one? HF_ENDPOINT names another", address, err)
		}
		return nil
	})
	return header, err
}

// get sends a request. It follows redirects, but none that leaves https.
func (c Client) get(ctx context.Context, address string, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("User-Agent", "awhost")
	request.Header.Set("Accept-Encoding", "identity") // a range of a file is a range of its own bytes
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	client := http.Client{CheckRedirect: func(next *http.Request, before []*http.Request) error {
		first := before[0].URL
		switch {
		case len(before) >= maxRedirects:
			return fmt.Errorf("more than %d redirects", maxRedirects)
		case first.Scheme == "https" && next.URL.Scheme != "https":
			return fmt.Errorf("the hub redirects to %s, which is not https", next.URL.Redacted())
		case next.URL.Host != first.Host:
			next.Header.Del("Authorization")
		}
		return nil
	}}
	response, err := client.Do(request)
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return nil, &temporary{cause: fmt.Errorf("ask %s: %w", c.Endpoint, wrapped.Err)}
	}
	return response, err
}

func (c Client) api(repo, what, revision string) string {
	return c.Endpoint + "/api/datasets/" + repo + "/" + what + "/" + url.PathEscape(revision)
}

func isCommit(text string) bool {
	return len(text) == 40 && strings.Trim(text, "0123456789abcdef") == ""
}
