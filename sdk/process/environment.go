package process

import (
	"os"
	"sort"
	"strings"
)

// allowed are the variables that a child gets from its owner without being asked for: what programs need to find their
// files, speak the user's language and check certificates. No tokens live in these.
var allowed = map[string]bool{
	"PATH": true, "HOME": true, "USER": true, "LOGNAME": true, "SHELL": true, "LANG": true, "TZ": true, "TMPDIR": true,
	"XDG_RUNTIME_DIR": true, "XDG_CACHE_HOME": true, "SSL_CERT_FILE": true, "SSL_CERT_DIR": true, "GOCOVERDIR": true, "SYSTEMROOT": true,
}

// protocolVariables is what go-plugin tells a plugin. Its other variables, such as those of an outer host, stay out.
var protocolVariables = map[string]bool{
	"PLUGIN_PROTOCOL_VERSIONS": true, "PLUGIN_MIN_PORT": true, "PLUGIN_MAX_PORT": true,
}

// environment builds the child's environment. template is what go-plugin would set.
func environment(c Config, template []string, socketDir string) []string {
	out := map[string]string{}
	pass := map[string]bool{}
	for _, name := range c.PassEnv {
		pass[name] = true
	}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if allowed[name] || strings.HasPrefix(name, "LC_") || pass[name] {
			out[name] = value
		}
	}
	for _, entry := range template {
		name, value, _ := strings.Cut(entry, "=")
		if protocolVariables[name] || strings.HasSuffix(name, "_MAGIC_COOKIE") {
			out[name] = value
		}
	}
	if socketDir != "" {
		out["PLUGIN_UNIX_SOCKET_DIR"] = socketDir
	}
	for name, value := range c.Env {
		out[name] = value
	}
	entries := make([]string, 0, len(out))
	for name, value := range out {
		entries = append(entries, name+"="+value)
	}
	sort.Strings(entries)
	return entries
}
