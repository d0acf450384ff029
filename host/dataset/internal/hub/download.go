package hub

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/awhost/awhost/sdk/retry"
)

// Download fetches a file from a commit into part, which may already contain the beginning of the file: an interrupted
// download is resumed. It returns the SHA-256 hash of the content, in hexadecimal. Content whose size or hash differs
// from the listing is discarded and fetched once more; a second mismatch is an error.
func (c Client) Download(ctx context.Context, repo, commit string, file File, part *os.File) (string, error) {
	what := asked{repo: repo, revision: commit, path: file.Path}
	address := c.Endpoint + "/datasets/" + repo + "/resolve/" + url.PathEscape(commit) + "/" + escapePath(file.Path)
	info, err := part.Stat()
	if err != nil {
		return "", err
	}
	resumed := info.Size() > 0
	for {
		if err := c.complete(ctx, address, what, file, part); err != nil {
			return "", err
		}
		sum, err := check(file, part)
		if err == nil {
			return sum, nil
		}
		if truncating := part.Truncate(0); truncating != nil {
			return "", truncating
		}
		if !resumed {
			return "", fmt.Errorf("%s of dataset %s: %w: the file was altered in transit; run `awhost init` again",
				file.Path, repo, err)
		}
		resumed = false
	}
}

// complete fetches the bytes missing at the end of part, in as many requests as needed.
func (c Client) complete(ctx context.Context, address string, what asked, file File, part *os.File) error {
	return c.try(ctx, func(ctx context.Context, watch retry.Watch) error {
		have, err := part.Seek(0, io.SeekEnd)
		switch {
		case err != nil:
			return err
		case have == file.Size:
			return nil
		case have > file.Size:
			if err := part.Truncate(0); err != nil {
				return err
			}
			if have, err = part.Seek(0, io.SeekStart); err != nil {
				return err
			}
		}
		header := http.Header{}
		if have > 0 {
			header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		}
		response, err := c.get(ctx, address, header)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if err := c.accepts(response, what, have, part); err != nil {
			return err
		}
		return receive(watch(response.Body), file, part)
	})
}

// accepts checks that a response continues where the existing bytes end.
func (c Client) accepts(response *http.Response, what asked, have int64, part *os.File) error {
	if at := response.Header.Get("X-Repo-Commit"); at != "" && isCommit(what.revision) && at != what.revision {
		return fmt.Errorf("%s sent %s from commit %s, but %s was requested", c.Endpoint, what.path, at, what.revision)
	}
	switch {
	case response.StatusCode == http.StatusPartialContent && have > 0:
		given := response.Header.Get("Content-Range")
		if !strings.HasPrefix(given, fmt.Sprintf("bytes %d-", have)) {
			return fmt.Errorf("%s was asked for %s from byte %d on, but answered with %q",
				c.Endpoint, what.path, have, given)
		}
		return nil
	case response.StatusCode == http.StatusOK: // the whole file, whatever range was requested
		if err := part.Truncate(0); err != nil {
			return err
		}
		_, err := part.Seek(0, io.SeekStart)
		return err
	case response.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		if err := part.Truncate(0); err != nil {
			return err
		}
		return &temporary{cause: fmt.Errorf("%s has no bytes of %s after the first %d", c.Endpoint, what.path, have)}
	}
	return c.refused(response, what)
}

// receive appends the received bytes, up to the file's size.
func receive(body io.Reader, file File, part *os.File) error {
	have, err := part.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	n, err := io.Copy(part, io.LimitReader(body, file.Size-have+1))
	var disk *fs.PathError
	switch {
	case errors.As(err, &disk): // the disk is full, for example
		return err
	case have+n > file.Size:
		return fmt.Errorf("%s has more than the %d bytes listed by the hub", file.Path, file.Size)
	case have+n < file.Size:
		cause := fmt.Errorf("the connection ended after %d of %d bytes of %s", have+n, file.Size, file.Path)
		return &temporary{cause: cause}
	}
	return err
}

// check compares the content with the listing and returns its SHA-256 hash.
func check(file File, part *os.File) (string, error) {
	if _, err := part.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	sum, oid := sha256.New(), sha1.New()
	fmt.Fprintf(oid, "blob %d\x00", file.Size)
	if _, err := io.Copy(io.MultiWriter(sum, oid), part); err != nil {
		return "", err
	}
	got := text(sum)
	switch {
	case file.SHA256 != "" && got != file.SHA256:
		return "", fmt.Errorf("SHA-256 mismatch: got %s, but the hub lists %s", got, file.SHA256)
	case file.SHA256 == "" && text(oid) != file.OID:
		return "", fmt.Errorf("git object id mismatch: got %s, but the hub lists %s", text(oid), file.OID)
	}
	return got, nil
}

func text(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }

func escapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}
