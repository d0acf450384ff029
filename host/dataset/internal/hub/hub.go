// Package hub reads dataset repositories on the Hugging Face Hub, or on another server that provides its API.
//
//	client := hub.Client{Endpoint: hub.DefaultEndpoint, Token: os.Getenv("HF_TOKEN")}
//	commit, err := client.Resolve(ctx, "openai/gsm8k", "main")
//	files, err := client.Files(ctx, "openai/gsm8k", commit)
//	err = client.Download(ctx, "openai/gsm8k", commit, files[0], part)
//
// It uses three calls of the API: /api/datasets/REPO/revision/REVISION, /api/datasets/REPO/tree/COMMIT and
// /datasets/REPO/resolve/COMMIT/PATH. A file is checked against its size and hash in the listing, regardless of which
// server sent its bytes. The token is sent only to the hub, never to redirect targets. The package must not depend on
// splits or lock files.
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

// Client reads repositories. It is safe for concurrent use.
type Client struct {
	Endpoint string // URL of the hub, without a trailing path
	Token    string // of a user; empty: no token is sent
	TokenEnv string // the variable that contains the token, for messages
	// Wait waits before a request is repeated; nil means to wait by the clock.
	Wait func(context.Context, time.Duration) error
	// Retrying receives the reason why a request is repeated; if it is nil, the reason is not reported.
	Retrying func(reason string)
	// Stall is the time limit for a server that sends no data; 0 means one minute.
	Stall time.Duration
}

// File is a file in a repository.
type File struct {
	Path string // with slashes
	Size int64
	// OID is the Git ID of its content: the SHA-1 of "blob SIZE\x00" followed by the content.
	OID string
	// SHA256 is the hash of its content, in hexadecimal. It is empty if the hub does not report it, which is the case
	// for files outside LFS.
	SHA256 string
}

const (
	maxAnswerBytes = 64 << 20
	maxPages       = 1000
	maxRedirects   = 10
)

var repoName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$`)

// IsRepo reports whether a string can be the name of a repository: OWNER/NAME, or only NAME for an old one.
func IsRepo(name string) bool { return repoName.MatchString(name) && !strings.Contains(name, "..") }

// Resolve returns the current commit of a revision: a branch, a tag or a commit.
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
		return "", fmt.Errorf("%s returned no commit for %s at %q: if it is not a Hugging Face hub, set HF_ENDPOINT "+
			"to one",
			c.Endpoint, repo, revision)
	}
	return about.SHA, nil
}

// Files lists the files in a commit.
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
	return nil, fmt.Errorf("%s: the file list of %s does not end", c.Endpoint, repo)
}

var nextLink = regexp.MustCompile(`<([^>]*)>\s*;\s*rel="?next"?`)

// nextPage returns the URL of the next page, which must be on the hub, or "".
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
		return "", fmt.Errorf("%s: the next page of its list is on a different host, %q", c.Endpoint, match[1])
	}
	next.Scheme = here.Scheme // behind a proxy a hub may report a wrong scheme
	return next.String(), nil
}

// read decodes the JSON at a URL.
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
			return fmt.Errorf("the response from %s exceeds %d MiB", address, maxAnswerBytes>>20)
		}
		if err := json.Unmarshal(text, into); err != nil {
			return fmt.Errorf("invalid response from %s: %w: if it is not a Hugging Face hub, set HF_ENDPOINT to one",
				address, err)
		}
		return nil
	})
	return header, err
}

// get sends a request. It follows redirects, except from https to another scheme.
func (c Client) get(ctx context.Context, address string, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("User-Agent", "awhost")
	request.Header.Set("Accept-Encoding", "identity") // so that a byte range applies to the file's own bytes
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
		return nil, &temporary{cause: fmt.Errorf("send request to %s: %w", c.Endpoint, wrapped.Err)}
	}
	return response, err
}

func (c Client) api(repo, what, revision string) string {
	return c.Endpoint + "/api/datasets/" + repo + "/" + what + "/" + url.PathEscape(revision)
}

func isCommit(text string) bool {
	return len(text) == 40 && strings.Trim(text, "0123456789abcdef") == ""
}
