//go:build linux

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// goEnv holds the output of `go env` outside of scripts, which have another home directory.
var goEnv = sync.OnceValue(func() map[string]string {
	out, err := exec.Command("go", "env", "-json").Output()
	env := map[string]string{}
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	if err != nil {
		panic("go env: " + err.Error())
	}
	return env
})

// goModule writes a go.mod that takes this module from the working tree, and all others from the module cache.
func goModule(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "gomodule DIR")
	root := filepath.Dir(goEnv()["GOMOD"])
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	ts.Check(err)
	_, requirements, _ := strings.Cut(string(mod), "\n")
	text := "module example.com/mine\n" + requirements +
		"\nrequire github.com/awhost/awhost v0.0.0\n\nreplace github.com/awhost/awhost => " + root + "\n"
	dir := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
}
