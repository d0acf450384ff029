package python

import (
	"path/filepath"
	"regexp"
	"strings"
)

// versionOf returns an environment's Python version, determined from its installation files.
func versionOf(p Place, minor string) string {
	for _, look := range []func(Place, string) string{fromVenv, fromConda, fromHeader} {
		if version := look(p, minor); version != "" {
			return version
		}
	}
	return minor
}

// fromVenv reads pyvenv.cfg: "version = 3.11.7" from venv, "version_info = 3.11.7.final.0" from virtualenv, and
// "version_info = 3.11.7" from uv.
func fromVenv(p Place, _ string) string {
	settings := venvSettings(p.Prefix)
	for _, key := range []string{"version", "version_info"} {
		if version := release.FindString(settings[key]); version != "" {
			return version
		}
	}
	return ""
}

var release = regexp.MustCompile(`^\d+\.\d+(\.\d+)?`)

// fromConda reads the file name of conda's record for the python package: conda-meta/python-3.11.7-h955ad1f_0.json.
func fromConda(p Place, _ string) string {
	records, err := filepath.Glob(filepath.Join(escapeGlob(p.Prefix), "conda-meta", "python-[0-9]*.json"))
	if err != nil || len(records) == 0 {
		return ""
	}
	return release.FindString(strings.TrimPrefix(filepath.Base(records[0]), "python-"))
}

var patchLevel = regexp.MustCompile(`(?m)^#define PY_VERSION\s+"(\d+\.\d+\.\d+)`)

// fromHeader reads the version from the C headers of a complete installation.
func fromHeader(p Place, minor string) string {
	if minor == "" {
		return ""
	}
	text, err := readSmall(filepath.Join(p.Prefix, "include", "python"+minor, "patchlevel.h"))
	if err != nil {
		return ""
	}
	if match := patchLevel.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}

// venvSettings returns the settings in pyvenv.cfg, or an empty map outside virtual environments.
func venvSettings(prefix string) map[string]string {
	settings := map[string]string{}
	text, err := readSmall(filepath.Join(prefix, "pyvenv.cfg"))
	if err != nil {
		return settings
	}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, "="); ok {
			settings[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return settings
}

var minorName = regexp.MustCompile(`^python(\d+\.\d+)$`)

// minorOf returns the version that appears in an environment's directory names, such as "3.11".
func minorOf(p Place) string {
	if settings := venvSettings(p.Prefix); len(settings) > 0 {
		for _, key := range []string{"version", "version_info"} {
			if parts := strings.SplitN(release.FindString(settings[key]), ".", 3); len(parts) > 1 {
				return parts[0] + "." + parts[1]
			}
		}
	}
	if real, err := filepath.EvalSymlinks(p.Python); err == nil {
		if match := minorName.FindStringSubmatch(filepath.Base(real)); match != nil {
			return match[1]
		}
	}
	dirs, err := filepath.Glob(filepath.Join(escapeGlob(p.Prefix), "lib", "python[0-9]*.[0-9]*"))
	if err != nil || len(dirs) != 1 {
		return "" // ambiguous
	}
	if match := minorName.FindStringSubmatch(filepath.Base(dirs[0])); match != nil {
		return match[1]
	}
	return ""
}

// escapeGlob escapes special characters in a path for filepath.Glob.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
