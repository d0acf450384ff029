package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/awhost/awhost"
	"github.com/awhost/awhost/host/build"
)

// A released program resumes the runs of other builds of its commit. .ci/release compares the identities of programs.
func TestOverlay_LeavesTheIdentityOfABuild(t *testing.T) {
	t.Chdir("../..")
	work := t.TempDir()
	if _, err := overlay(work); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(work, "deciding.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`DecidingDigest = "([0-9a-f]{64})"`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no digest in\n%s", text)
	}
	whole, err := build.This(awhost.Deciding, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if released, err := build.This(nil, string(found[1]), ""); err != nil || released.Identity != whole.Identity {
		t.Errorf("a released program has the identity %s (%v), others %s", released.Identity, err, whole.Identity)
	}
}

// serve publishes a release with a program for this machine, and returns its address.
func serve(t *testing.T, program string) string {
	t.Helper()
	files := map[string][]byte{}
	sums, changed := "", ""
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_arm64"} {
		stem := "awhost_0.0.0_" + platform
		data, err := tarball(stem, []entry{
			{"awhost", []byte(program), 0o755}, {"completions/awhost.bash", []byte("bash"), 0o644},
			{"completions/_awhost", []byte("zsh"), 0o644}, {"completions/awhost.fish", []byte("fish"), 0o644},
		})
		if err != nil {
			t.Fatal(err)
		}
		files["/"+stem+".tar.gz"] = data
		sums += fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(data), stem)
		changed += fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(data[1:]), stem)
	}
	files["/SHA256SUMS"] = []byte(sums)
	files["/changed/SHA256SUMS"] = []byte(changed)
	files["/empty/SHA256SUMS"] = nil
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := files[r.URL.Path]
		if name := filepath.Base(r.URL.Path); !ok && strings.HasSuffix(name, ".gz") {
			data, ok = files["/"+name]
		}
		if !ok || strings.HasPrefix(r.URL.Path, "/nowhere/") {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestInstallScript(t *testing.T) {
	for _, name := range []string{"curl", "tar", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("SKIPPED: there is no " + name)
		}
	}
	const works, broken = "#!/bin/sh\necho awhost 0.0.0\n", "#!/bin/sh\nexit 1\n"
	for name, c := range map[string]struct{ program, path, uname, refused string }{
		"installs":          {program: works},
		"another checksum":  {works, "/changed", "", "nothing was installed"},
		"no checksum":       {works, "/empty", "", "SHA256SUMS does not list awhost_0.0.0_"},
		"no archive":        {works, "/nowhere", "", "cannot download "},
		"another machine":   {works, "", "Linux riscv64", "no program for Linux riscv64: build it"},
		"it does not start": {broken, "", "", "the program does not run here"},
	} {
		t.Run(name, func(t *testing.T) {
			home, bin := t.TempDir(), t.TempDir()
			if c.uname != "" {
				script := fmt.Sprintf("#!/bin/sh\nset -- $1 %s\ncase $1 in -s) echo $2;; *) echo $3;; esac\n", c.uname)
				if err := os.WriteFile(filepath.Join(bin, "uname"), []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("sh", "install.sh")
			cmd.Env = []string{"HOME=" + home, "AWHOST_RELEASE=" + serve(t, c.program) + c.path,
				"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
			output, err := cmd.CombinedOutput()
			installed, _ := filepath.Glob(filepath.Join(home, ".local", "*", "*"))
			if c.refused != "" {
				if err == nil || !strings.Contains(string(output), c.refused) || len(installed) != 0 {
					t.Errorf("%v, %v is installed: want %q in\n%s", err, installed, c.refused, output)
				}
				return
			}
			program, missing := exec.Command(filepath.Join(home, ".local/bin/awhost")).Output()
			zsh, failed := os.ReadFile(filepath.Join(home, ".local/share/zsh/site-functions/_awhost"))
			if err != nil || missing != nil || string(program) != "awhost 0.0.0\n" || failed != nil || string(zsh) != "zsh" {
				t.Errorf("%v, %v, %v: the program says %q after\n%s", err, missing, failed, program, output)
			}
			if !strings.Contains(string(output), "add it to the PATH") {
				t.Errorf("the script does not report that PATH lacks the directory:\n%s", output)
			}
		})
	}
}
