package prepared

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/dataset/internal/hfdir"
	"github.com/awhost/awhost/host/dataset/internal/hub"
	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/host/lockfile"
)

// listing is the list of files in a repository at a commit.
type listing struct {
	Files []hub.File `json:"files"`
}

// fetch downloads a split's missing files and pins them.
func (s Store) fetch(ctx context.Context, address string, config dataset.Config, options Options) (Done, error) {
	if located, err := s.locateFetched(config); err == nil && !options.Upgrade {
		return Done{What: s.what(config), Here: true, Files: len(located.Files)}, nil
	}
	client, err := s.client(config, address)
	if err != nil {
		return Done{}, err
	}
	lock, err := s.lock()
	if err != nil {
		return Done{}, err
	}
	key := lockfile.DatasetKey{Repo: config.Repo, Revision: config.Revision}
	pinned, known := lock.Datasets[key]
	if !known || options.Upgrade {
		s.say(address, fmt.Sprintf("resolving %[2]s on %[1]s", client.Endpoint, config.Repo))
		commit, err := client.Resolve(ctx, config.Repo, config.Revision)
		if err != nil {
			return Done{}, s.explain(config, err)
		}
		if commit != pinned.Commit {
			pinned = lockfile.Dataset{
				Repo:     config.Repo,
				Revision: config.Revision,
				Commit:   commit,
				Files:    map[string]string{},
			}
		}
	}
	f := &fetching{store: s, client: client, address: address, config: config, pinned: pinned}
	if err := f.run(ctx); err != nil {
		return Done{}, s.explain(config, err)
	}
	lock.Datasets[key] = f.pinned
	if err := lock.Write(s.SpecDir); err != nil {
		return Done{}, fmt.Errorf("record dataset %s in %s: %w", config.Repo, lockfile.Name, err)
	}
	return Done{What: s.what(config), Files: f.files, Bytes: f.bytes}, nil
}

// client returns a client for the endpoint and token specified in the environment.
func (s Store) client(config dataset.Config, address string) (hub.Client, error) {
	client := s.Hub
	client.Endpoint = strings.TrimRight(s.getenv("HF_ENDPOINT"), "/")
	if client.Endpoint == "" {
		client.Endpoint = hub.DefaultEndpoint
	}
	if u, err := url.Parse(client.Endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return hub.Client{}, fmt.Errorf(
			"HF_ENDPOINT is %q, which is not the URL of a hub: set it to a URL such as %s",
			client.Endpoint,
			hub.DefaultEndpoint,
		)
	}
	if offline := s.getenv("HF_HUB_OFFLINE"); offline != "" && offline != "0" {
		return hub.Client{}, fmt.Errorf(
			"dataset %s is not cached, and HF_HUB_OFFLINE is set: unset it, or set path to a directory",
			config.Repo,
		)
	}
	client.Token, client.TokenEnv = s.getenv(config.TokenEnv), config.TokenEnv
	client.Retrying = func(reason string) { s.say(address, reason) }
	return client, nil
}

// explain adds the relevant block attribute to an error.
func (s Store) explain(config dataset.Config, err error) error {
	var missing *hub.NotFoundError
	var choice *hfdir.ChoiceError
	switch {
	case errors.As(err, &choice):
		return wrong(choice.Attribute, choice.Problem, choice.Remedy)
	case errors.As(err, &missing) && missing.What == "revision":
		return wrong("revision", missing.Reason, "name a branch, a tag or a full commit hash")
	case errors.As(err, &missing) && missing.What == "repo":
		return wrong(
			"repo",
			missing.Reason,
			"a local directory has priority, but does not exist: "+filepath.Join(s.SpecDir, config.Repo),
		)
	}
	return fmt.Errorf("fetch dataset %s: %w", config.Repo, err)
}

// what returns a repository's name with its commit.
func (s Store) what(config dataset.Config) string {
	lock, err := s.lock()
	if err != nil {
		return config.Repo
	}
	pinned := lock.Datasets[lockfile.DatasetKey{Repo: config.Repo, Revision: config.Revision}]
	return fmt.Sprintf("%s at %.8s (%s)", config.Repo, pinned.Commit, config.Revision)
}

// fetching is the state of one dataset's download.
type fetching struct {
	store   Store
	client  hub.Client
	address string
	config  dataset.Config
	pinned  lockfile.Dataset // extended during the download

	files int // number of downloaded files
	bytes int64
}

func (f *fetching) run(ctx context.Context) error {
	all, err := f.client.Files(ctx, f.config.Repo, f.pinned.Commit)
	if err != nil {
		return err
	}
	if err := checkNames(all); err != nil {
		return err
	}
	if i := slices.IndexFunc(all, func(file hub.File) bool { return file.Path == hfdir.CardName }); i >= 0 {
		if err := f.file(ctx, all[i]); err != nil {
			return err
		}
	}
	if err := writeJSON(f.store.listingPath(f.pinned), listing{all}); err != nil {
		return err
	}
	wanted, err := f.store.choose(f.config, f.pinned)
	if err != nil {
		return err
	}
	for _, file := range all {
		if slices.Contains(wanted, file.Path) {
			if err := f.file(ctx, file); err != nil {
				return err
			}
		}
	}
	return nil
}

var hexadecimal = regexp.MustCompile("^[0-9a-f]*$")

// checkNames rejects names that lead outside the directory, and invalid hashes.
func checkNames(files []hub.File) error {
	for _, file := range files {
		if !filepath.IsLocal(filepath.FromSlash(file.Path)) || file.Size < 0 ||
			!hexadecimal.MatchString(file.OID+file.SHA256) {
			return fmt.Errorf(
				"the hub lists an invalid file %q (%d bytes, %q, %q)",
				file.Path,
				file.Size,
				file.OID,
				file.SHA256,
			)
		}
	}
	return nil
}

// file makes one file available under its name and pins it. It downloads the file if necessary.
func (f *fetching) file(ctx context.Context, file hub.File) error {
	sum := f.pinned.Files[file.Path]
	if sum == "" && file.SHA256 != "" {
		sum = "sha256:" + file.SHA256
	}
	if sum == "" || f.store.checkBlob(sum) != nil {
		got, err := f.download(ctx, file)
		if err != nil {
			return err
		}
		if locked := f.pinned.Files[file.Path]; locked != "" && locked != got {
			return fmt.Errorf(
				"%s does not match %s: its checksum is %s, and was %s, at the same commit: ask the operator of %s, "+
					"or run "+
					"`awhost init --upgrade` to accept the new contents",
				file.Path,
				lockfile.Name,
				got,
				locked,
				f.client.Endpoint,
			)
		}
		sum = got
	}
	f.pinned.Files[file.Path] = sum
	return f.store.link(f.pinned, file.Path, sum)
}

// download stores a file among the blobs and returns its checksum. A partial download is kept until it is complete.
func (f *fetching) download(ctx context.Context, file hub.File) (string, error) {
	f.store.say(f.address, fmt.Sprintf("downloading %s of %s, %s", file.Path, f.config.Repo, size(file.Size)))
	path := f.store.dir("partial", file.OID+cutHash(file.SHA256))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	part, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	defer part.Close()
	sum, err := f.client.Download(ctx, f.config.Repo, f.pinned.Commit, file, part)
	if err != nil {
		return "", err
	}
	blob := f.store.dir("blobs", sum)
	err = errors.Join(part.Chmod(0o444), part.Sync(), os.MkdirAll(filepath.Dir(blob), 0o755))
	if err == nil {
		err = os.Rename(path, blob)
	}
	if err != nil {
		return "", err
	}
	f.files++
	f.bytes += file.Size
	return "sha256:" + sum, nil
}

func cutHash(sum string) string {
	if sum == "" {
		return ""
	}
	return "-" + sum[:min(len(sum), 16)]
}

// locateFetched returns the files of a split if all of them exist and match the lock file.
func (s Store) locateFetched(config dataset.Config) (dataset.Config, error) {
	lock, err := s.lock()
	if err != nil {
		return config, err
	}
	pinned, ok := lock.Datasets[lockfile.DatasetKey{Repo: config.Repo, Revision: config.Revision}]
	if !ok {
		return config, &NotPreparedError{fmt.Sprintf("dataset %s is not downloaded, and its revision %q is not "+
			"pinned in %s",
			config.Repo, config.Revision, lockfile.Name)}
	}
	paths, err := s.choose(config, pinned)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return config, &NotPreparedError{fmt.Sprintf("dataset %s is not downloaded on this machine", config.Repo)}
	case err != nil:
		return config, s.explain(config, err)
	}
	config.Files = nil
	for _, path := range paths {
		sum := pinned.Files[path]
		if sum == "" {
			return config, &NotPreparedError{fmt.Sprintf("%s of dataset %s is not downloaded", path, config.Repo)}
		}
		if err := s.checkBlob(sum); err != nil {
			return config, &NotPreparedError{fmt.Sprintf("%s of dataset %s: %v", path, config.Repo, err)}
		}
		link := s.linkPath(pinned, path)
		if at, err := os.Readlink(link); err != nil || filepath.Base(at) != strings.TrimPrefix(sum, "sha256:") {
			return config, &NotPreparedError{fmt.Sprintf("%s differs from the downloaded file", link)}
		}
		config.Files = append(config.Files, link)
	}
	return config, nil
}

// choose selects the files that belong to the split from the commit's files.
func (s Store) choose(config dataset.Config, pinned lockfile.Dataset) ([]string, error) {
	var all listing
	if err := readJSON(s.listingPath(pinned), &all); err != nil {
		return nil, err
	}
	var names []string
	for _, file := range all.Files {
		names = append(names, file.Path)
	}
	var card []byte
	if sum := pinned.Files[hfdir.CardName]; sum != "" {
		var err error
		if card, err = os.ReadFile(s.dir("blobs", strings.TrimPrefix(sum, "sha256:"))); err != nil {
			return nil, err
		}
	}
	return hfdir.Select(names, card, config.Configuration, config.Split)
}

func (s Store) repoDir(pinned lockfile.Dataset) string {
	return s.dir("hub", strings.ReplaceAll(pinned.Repo, "/", "--"))
}

func (s Store) listingPath(pinned lockfile.Dataset) string {
	return filepath.Join(s.repoDir(pinned), pinned.Commit+".json")
}

func (s Store) linkPath(pinned lockfile.Dataset, path string) string {
	return filepath.Join(s.repoDir(pinned), pinned.Commit, filepath.FromSlash(path))
}

// link creates a link to a blob under the name that the file has in the repository.
func (s Store) link(pinned lockfile.Dataset, path, sum string) error {
	link := s.linkPath(pinned, path)
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	to, err := filepath.Rel(filepath.Dir(link), s.dir("blobs", strings.TrimPrefix(sum, "sha256:")))
	if err != nil {
		return err
	}
	if at, err := os.Readlink(link); err == nil && at == to {
		return nil
	}
	if err := os.Remove(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Symlink(to, link)
}

// checkBlob checks that a blob's hash matches its name.
func (s Store) checkBlob(sum string) error {
	got, err := wholefile.Digest(s.dir("blobs", strings.TrimPrefix(sum, "sha256:")))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the file is missing")
	case err != nil:
		return err
	case got != sum:
		return fmt.Errorf("the file was modified: its checksum is %s, but %s records %s", got, lockfile.Name, sum)
	}
	return nil
}

// size formats a number of bytes for display.
func size(bytes int64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
}
