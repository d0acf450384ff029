package hub_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/dataset/internal/hub"
	"github.com/awhost/awhost/internal/hubtest"
)

var rows = bytes.Repeat([]byte("0123456789abcdef"), 1<<14)

// rig is a hub with a client that records its waits.
type rig struct {
	*hubtest.Hub
	client hub.Client
	waited []time.Duration
}

func newRig(t *testing.T, change func(*hubtest.Repo)) *rig {
	t.Helper()
	repo := hubtest.Repo{Name: "openai/gsm8k", Old: "gsm8k", Files: map[string][]byte{
		"README.md": []byte(
			"# GSM8K\n",
		), "main/train-00000-of-00001.parquet": rows, "data/a b#c.jsonl": []byte("{}\n"),
	}}
	if change != nil {
		change(&repo)
	}
	r := &rig{Hub: hubtest.New(t, repo)}
	r.client = hub.Client{Endpoint: r.URL, Wait: func(_ context.Context, pause time.Duration) error {
		r.waited = append(r.waited, pause)
		return nil
	}}
	return r
}

// download fetches a file as listed, with an existing beginning.
func (r *rig) download(t *testing.T, name string, there []byte) ([]byte, error) {
	t.Helper()
	commit, err := r.client.Resolve(t.Context(), "openai/gsm8k", "main")
	if err != nil {
		return nil, err
	}
	files, err := r.client.Files(t.Context(), "openai/gsm8k", commit)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(t.TempDir(), "part")
	if err := os.WriteFile(path, there, 0o600); err != nil {
		t.Fatal(err)
	}
	part, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer part.Close()
	for _, file := range files {
		if file.Path == name {
			if _, err := r.client.Download(t.Context(), "openai/gsm8k", commit, file, part); err != nil {
				return nil, err
			}
			return os.ReadFile(path)
		}
	}
	t.Fatalf("%s is not among %v", name, files)
	return nil, nil
}

func TestDownload(t *testing.T) {
	for name, test := range map[string]struct {
		file    string
		there   []byte
		prepare func(*rig)
		want    []byte
		wantErr string
		waits   []time.Duration
		ranges  int // requests for a part of the file
	}{
		"a file of LFS":           {file: "main/train-00000-of-00001.parquet", want: rows},
		"a file of git":           {file: "README.md", want: []byte("# GSM8K\n")},
		"a name to be escaped":    {file: "data/a b#c.jsonl", want: []byte("{}\n")},
		"the rest of a beginning": {file: "main/train-00000-of-00001.parquet", there: rows[:1000], want: rows, ranges: 2},
		"all of it is there":      {file: "main/train-00000-of-00001.parquet", there: rows, want: rows},
		"a beginning of another file": {
			file: "main/train-00000-of-00001.parquet", there: []byte("another"), want: rows, ranges: 2,
		},
		"more than there is": {file: "README.md", there: rows, want: []byte("# GSM8K\n")},
		"a cut in the middle": {
			file: "main/train-00000-of-00001.parquet", prepare: func(r *rig) { r.Cut(".parquet", 5000) }, want: rows,
			waits: []time.Duration{time.Second}, ranges: 2,
		},
		"a limit of requests": {
			file: "README.md", prepare: func(r *rig) { r.Refuse("README.md", 429, "7") },
			want: []byte("# GSM8K\n"), waits: []time.Duration{7 * time.Second},
		},
		"a server in trouble": {
			file: "README.md", prepare: func(r *rig) { r.Refuse("/main", 503, ""); r.Refuse("/main", 502, "") },
			want: []byte("# GSM8K\n"), waits: []time.Duration{time.Second, 2 * time.Second},
		},
		"a limit for hours": {
			file: "README.md", prepare: func(r *rig) { r.Refuse("README.md", 429, "7200") },
			wantErr: "429 Too Many Requests: the hub allows the next request in 2h0m0s: run `awhost init` again then",
		},
		"a server that stays in trouble": {
			file: "README.md", prepare: func(r *rig) {
				for range 6 {
					r.Refuse("README.md", 500, "")
				}
			},
			wantErr: "gave up after 6 attempts: run `awhost init` again later",
			waits:   []time.Duration{1e9, 2e9, 4e9, 8e9, 16e9},
		},
		"bytes changed once on top of a beginning": {
			file: "main/train-00000-of-00001.parquet", there: rows[:10],
			prepare: func(r *rig) { r.Flip(".parquet") }, want: rows, ranges: 2,
		},
		"bytes changed": {
			file: "main/train-00000-of-00001.parquet", prepare: func(r *rig) { r.Flip(".parquet") },
			wantErr: "main/train-00000-of-00001.parquet of dataset openai/gsm8k: SHA-256 mismatch: got ",
		},
		"bytes of a small file changed": {
			file: "README.md", prepare: func(r *rig) { r.Flip("README.md") }, wantErr: "git object id mismatch",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			if test.prepare != nil {
				test.prepare(r)
			}
			got, err := r.download(t, test.file, test.there)
			switch {
			case test.wantErr != "":
				if err == nil || !strings.Contains(err.Error(), test.wantErr) {
					t.Errorf("%v, want %q", err, test.wantErr)
				}
			case err != nil:
				t.Error(err)
			case !bytes.Equal(got, test.want):
				t.Errorf("%d bytes, want %d", len(got), len(test.want))
			}
			if diff := cmp.Diff(test.waits, r.waited); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
			ranges := 0
			for _, request := range r.Requests() {
				if strings.Contains(request, "bytes=") {
					ranges++
				}
			}
			if ranges != test.ranges {
				t.Errorf("%d requests for a part, want %d: %q", ranges, test.ranges, r.Requests())
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	gated := func(r *hubtest.Repo) { r.Gated, r.Token = true, "good" }
	private := func(r *hubtest.Repo) { r.Token = "good" }
	for name, test := range map[string]struct {
		change         func(*hubtest.Repo)
		token          string
		repo, revision string
		want           string
	}{
		"no such repository": {want: "dataset openai/gsm9k does not exist", repo: "openai/gsm9k"},
		"no such revision":   {want: `dataset openai/gsm8k has no revision "v9"`, revision: "v9"},
		"gated, no token": {
			change: gated,
			want: "accept its conditions at HUB/datasets/openai/gsm8k, create a token with read access at " +
				"HUB/settings/tokens, and set it as HF_TOKEN",
		},
		"gated, another's": {
			change: gated, token: "other",
			want: "the owner of the token in HF_TOKEN has no access (\"Access to dataset openai/gsm8k is restricted",
		},
		"private, no token": {
			change: private,
			want: "dataset openai/gsm8k does not exist on HUB, or is private: correct its name, OWNER/NAME, " +
				"or set HF_TOKEN",
		},
		"private, another's":    {change: private, token: "other", want: "the token in HF_TOKEN was not accepted"},
		"private, the right":    {change: private, token: "good"},
		"gated, the right":      {change: gated, token: "good"},
		"an old name":           {repo: "gsm8k"},
		"an old one, and token": {repo: "gsm8k", token: "any"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, test.change)
			r.client.Token = test.token
			repo, revision := "openai/gsm8k", "main"
			if test.repo != "" {
				repo = test.repo
			}
			if test.revision != "" {
				revision = test.revision
			}
			commit, err := r.client.Resolve(t.Context(), repo, revision)
			if err == nil {
				_, err = r.client.Files(t.Context(), repo, commit)
			}
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if want := strings.ReplaceAll(test.want, "HUB", r.URL); err == nil ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
}

// The server with the bytes is not the hub, and gets no token.
func TestTokenStaysWithTheHub(t *testing.T) {
	r := newRig(t, func(repo *hubtest.Repo) { repo.Token = "good" })
	r.client.Token = "good"
	if _, err := r.download(t, "main/train-00000-of-00001.parquet", nil); err != nil {
		t.Fatal(err)
	}
	for _, request := range r.Requests() {
		toHub := strings.Contains(request, "/datasets/")
		if strings.HasSuffix(request, " with good") != toHub {
			t.Errorf("%s", request)
		}
	}
}

func TestListingInPages(t *testing.T) {
	r := newRig(t, nil)
	r.Pages(1)
	files, err := r.client.Files(t.Context(), "openai/gsm8k", r.Commit("openai/gsm8k"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	if files[2].Path != "main/train-00000-of-00001.parquet" || files[2].Size != int64(len(rows)) ||
		files[2].SHA256 == "" {
		t.Errorf("%+v", files[2])
	}
}

func TestAnotherServer(t *testing.T) {
	r := newRig(t, nil)
	r.Refuse("/main", 200, "")
	_, err := r.client.Resolve(t.Context(), "openai/gsm8k", "main")
	if err == nil || !strings.Contains(err.Error(), "invalid response from") {
		t.Error(err)
	}
	var missing *hub.NotFoundError
	if errors.As(err, &missing) {
		t.Error("the error is a NotFoundError")
	}
	r.client.Endpoint = "http://127.0.0.1:1"
	if _, err := r.client.Resolve(t.Context(), "openai/gsm8k", "main"); err == nil ||
		!strings.Contains(err.Error(), "send request to http://127.0.0.1:1") {
		t.Error(err)
	}
}

func TestIsRepo(t *testing.T) {
	for name, want := range map[string]bool{
		"openai/gsm8k": true, "gsm8k": true, "a-b.c/d_e": true, "a/b/c": false, "../x": false,
		"a/..": false, "/x": false, "": false, "a b/c": false,
	} {
		if hub.IsRepo(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
