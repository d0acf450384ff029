package main

import (
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/internal/hubtest"
)

const hubKey = "hub"

// hub starts a hub with one dataset of the files below a directory, and stores its address in HF_ENDPOINT: hub DIR
// OWNER/NAME [TOKEN]. With a token, reading requires it. Another call replaces the dataset's files by the
// directory's.
func hub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: hub directory owner/name [token]")
	}
	repo := hubtest.Repo{Name: args[1], Files: map[string][]byte{}}
	if len(args) > 2 {
		repo.Gated, repo.Token = true, args[2]
	}
	dir := os.DirFS(ts.MkAbs(args[0]))
	ts.Check(fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		repo.Files[name], err = fs.ReadFile(dir, name)
		return err
	}))
	if running, ok := ts.Value(hubKey).(**hubtest.Hub); ok && *running != nil {
		(*running).Change(repo.Name, repo.Files)
		return
	}
	server := hubtest.Start(repo)
	ts.Defer(server.Close)
	*ts.Value(hubKey).(**hubtest.Hub) = server
	ts.Setenv("HF_ENDPOINT", server.URL)
}
