package pyenv

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/textproto"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/catalog/internal/archive"
)

//go:embed hooks.py
var hooks []byte

// buildTimeout limits the backend, which may run a compiler.
const buildTimeout = 30 * time.Minute

// specifiers uses pip's parser to check whether requires-python includes this Python version.
const specifiers = `import sys
from pip._vendor.packaging.specifiers import SpecifierSet
sys.exit(not SpecifierSet(sys.argv[1]).contains(".".join(map(str, sys.version_info[:3])), prereleases=True) and 3)`

// checkPython rejects a Python version that the package does not support.
func (b *builder) checkPython(ctx context.Context, tools *environment) error {
	wanted := b.project.Project.RequiresPython
	if wanted == "" || slices.Contains(tools.Serves, wanted) {
		return nil
	}
	err := run(ctx, command(ctx, "", tools.program(), "-I", "-c", specifiers, wanted),
		fmt.Sprintf("read requires-python = %q", wanted), buildTimeout)
	var status *exec.ExitError
	switch {
	case errors.As(err, &status) && status.ExitCode() == 3:
		return fmt.Errorf("it requires Python %s, but python3 (%s) is %s: put another python3 first in "+
			"PATH", wanted, b.python.Executable, b.python.Version)
	case err != nil:
		return err
	}
	tools.Serves = append(tools.Serves, wanted)
	return tools.save()
}

// wheel uses the backend to build a wheel from a copy of the package, and returns the wheel's path.
func (b *builder) wheel(ctx context.Context, h *house, tools *environment) (string, error) {
	if err := b.checkPython(ctx, tools); err != nil {
		return "", err
	}
	work, wheels, script := filepath.Join(b.scratch, "source"), filepath.Join(b.scratch, "wheels"),
		filepath.Join(b.scratch, "hooks", "hooks.py")
	err := errors.Join(os.Mkdir(work, 0o755), os.Mkdir(wheels, 0o755), os.Mkdir(filepath.Dir(script), 0o755),
		os.WriteFile(script, hooks, 0o644), copySources(b.dir, work))
	if err != nil {
		return "", err
	}
	for {
		answer, err := b.ask(ctx, tools, work, wheels, script)
		switch {
		case err != nil:
			return "", err
		case answer.Wheel != "" && filepath.IsLocal(answer.Wheel):
			return filepath.Join(wheels, answer.Wheel), nil
		case len(answer.Missing) == 0:
			return "", fmt.Errorf("the build backend %s produced no wheel", b.project.Build.Backend)
		}
		if err := checkRequirements("the build backend", answer.Missing); err != nil {
			return "", err
		}
		if err := tools.install(ctx, h, tools, answer.Missing); err != nil {
			return "", err
		}
		tools.Installed = append(tools.Installed, answer.Missing...)
		if err := tools.save(); err != nil {
			return "", err
		}
	}
}

type answer struct {
	Missing []string `json:"missing"`
	Wheel   string   `json:"wheel"`
}

// ask runs the backend once. The backend builds the wheel or returns further requirements.
func (b *builder) ask(ctx context.Context, tools *environment, work, wheels, script string) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, buildTimeout)
	defer cancel()
	request, result := filepath.Join(b.scratch, "request.json"), filepath.Join(b.scratch, "answer.json")
	text, err := json.Marshal(map[string]any{
		"backend": b.project.Build.Backend, "path": append([]string{}, b.project.Build.Path...),
		"installed": append([]string{}, tools.Installed...), "wheels": wheels, "answer": result,
	})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(request, text, 0o644); err != nil {
		return nil, err
	}
	cmd := command(ctx, work, tools.program(), script, request)
	cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(tools.program())+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := run(ctx, cmd, "the build backend "+b.project.Build.Backend, buildTimeout); err != nil {
		return nil, err
	}
	said, err := os.ReadFile(result)
	if err != nil {
		return nil, fmt.Errorf("the build backend %s exited without a response: %w", b.project.Build.Backend, err)
	}
	var a answer
	return &a, json.Unmarshal(said, &a)
}

// wheel is an opened wheel.
type wheel struct {
	file     *zip.ReadCloser
	path     string
	requires []string          // Requires-Dist, without requirements of extras
	scripts  map[string]string // console_scripts: name to module:attribute
}

func (w *wheel) close() { _ = w.file.Close() }

// maxMetadataBytes limits the size of a file in *.dist-info.
const maxMetadataBytes = 4 << 20

var ofExtra = regexp.MustCompile(`;.*\bextra\s*==`)

func openWheel(path string) (*wheel, error) {
	file, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("read the wheel %s: %w", filepath.Base(path), err)
	}
	w := &wheel{file: file, path: path}
	if err := w.readMetadata(); err != nil {
		w.close()
		return nil, fmt.Errorf("read the wheel %s: %w", filepath.Base(path), err)
	}
	return w, nil
}

func (w *wheel) readMetadata() error {
	text, err := w.info("METADATA")
	if err != nil {
		return err
	}
	header, err := textproto.NewReader(bufio.NewReader(io.MultiReader(bytes.NewReader(text),
		strings.NewReader("\n\n")))).ReadMIMEHeader()
	if err != nil {
		return fmt.Errorf("METADATA: %w", err)
	}
	for _, r := range header["Requires-Dist"] {
		if !ofExtra.MatchString(r) {
			w.requires = append(w.requires, strings.TrimSpace(r))
		}
	}
	if err := checkRequirements("METADATA", w.requires); err != nil {
		return err
	}
	scripts, err := w.info("entry_points.txt")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	w.scripts = consoleScripts(scripts)
	return nil
}

// info reads a file in *.dist-info.
func (w *wheel) info(name string) ([]byte, error) {
	for _, f := range w.file.File {
		dir, base := path.Split(f.Name)
		if base != name || !strings.HasSuffix(dir, ".dist-info/") || strings.Count(dir, "/") != 1 {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer in.Close()
		text, err := io.ReadAll(io.LimitReader(in, maxMetadataBytes+1))
		if err == nil && len(text) > maxMetadataBytes {
			err = fmt.Errorf("%s has more than %d bytes", f.Name, maxMetadataBytes)
		}
		return text, err
	}
	return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
}

// consoleScripts reads the section of entry_points.txt that is generated from [project.scripts].
func consoleScripts(text []byte) map[string]string {
	scripts, section := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch name, object, ok := strings.Cut(line, "="); {
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case ok && section == "console_scripts" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";"):
			object, _, _ = strings.Cut(object, "[") // extras
			scripts[strings.TrimSpace(name)] = strings.TrimSpace(object)
		}
	}
	return scripts
}

// entryPoint is a function that runs as a program.
type entryPoint struct{ name, module, attribute string }

// entryPoint returns a plugin's program: the script with the plugin's name, or the only script.
func (w *wheel) entryPoint(plugin string) (entryPoint, error) {
	names := slices.Sorted(maps.Keys(w.scripts))
	chosen := ""
	for _, name := range []string{plugin, strings.ReplaceAll(plugin, "_", "-"), strings.ReplaceAll(plugin, "-", "_")} {
		if _, ok := w.scripts[name]; ok && chosen == "" {
			chosen = name
		}
	}
	switch {
	case chosen == "" && len(names) == 1:
		chosen = names[0]
	case len(names) == 0:
		return entryPoint{}, fmt.Errorf("%s declares no program: add [project.scripts] with %s = \"MODULE:FUNCTION\", the "+
			"function that serves the plugin", projectFile, plugin)
	case chosen == "":
		return entryPoint{}, fmt.Errorf("%s declares the programs %s: rename the one that serves the plugin to "+
			"%s", projectFile, strings.Join(names, ", "), plugin)
	}
	module, attribute, ok := strings.Cut(w.scripts[chosen], ":")
	if !ok || !dotted.MatchString(module) || !dotted.MatchString(attribute) {
		return entryPoint{}, fmt.Errorf("%s: the script %s is %q: want MODULE:FUNCTION", projectFile, chosen,
			w.scripts[chosen])
	}
	return entryPoint{chosen, module, attribute}, nil
}

// launcherDir is the directory that the environment's Python interpreter runs. It is a separate directory, so that
// nothing else is importable from it.
const launcherDir = "program"

func (e entryPoint) writeLauncher(root string) error {
	text := fmt.Sprintf(`import importlib
import sys

sys.path.pop(0)
sys.argv[0] = %q
if sys.argv[1:] != ["debug"]:  # which prints for the user
    try:
        from awhost.output import reserve
    except ImportError:
        pass  # the package implements the protocol without awhost's SDK
    else:
        reserve()
entry = importlib.import_module(%q)
for attribute in %q.split("."):
    entry = getattr(entry, attribute)
if __name__ == "__main__":
    sys.exit(entry())
`, e.name, e.module, e.attribute)
	dir := filepath.Join(root, launcherDir)
	return errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "__main__.py"), []byte(text), 0o644))
}

// maxUnpackedBytes limits the unpacked size of a wheel.
const maxUnpackedBytes = 8 << 30

// unpack installs the wheel into an environment according to the rules of the wheel format. Its files are packages, and
// so are the purelib and platlib subdirectories of its .data directory. data goes into the environment itself; scripts
// and headers are not needed here. Python's caches are skipped: the digest ignores them, so only caches compiled by
// this Python interpreter from digested files may exist.
func (w *wheel) unpack(root, site string) error {
	left := int64(maxUnpackedBytes)
	for _, f := range w.file.File {
		if strings.HasSuffix(f.Name, "/") || slices.Contains(strings.Split(f.Name, "/"), "__pycache__") {
			continue
		}
		base, name := site, f.Name
		if dir, rest, ok := strings.Cut(f.Name, ".data/"); ok && !strings.Contains(dir, "/") {
			kind, inside, _ := strings.Cut(rest, "/")
			switch name = inside; kind {
			case "purelib", "platlib":
			case "data":
				base = root
			default:
				continue
			}
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) || !f.Mode().IsRegular() {
			return fmt.Errorf("the wheel %s contains %q, which is not a file in the environment", filepath.Base(w.path), f.Name)
		}
		if left -= int64(f.UncompressedSize64); left < 0 {
			return fmt.Errorf("the wheel %s contains more than %d GiB of "+
				"data", filepath.Base(w.path), maxUnpackedBytes>>30)
		}
		if err := w.extract(f, filepath.Join(base, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

func (w *wheel) extract(f *zip.File, to string) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if f.Mode()&0o100 != 0 {
		mode = 0o755
	}
	return archive.Write(to, in, mode)
}
