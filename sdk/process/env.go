package process

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The variables in the process contract.
const (
	// EnvCookie proves to a plugin that it was started by a host rather than by a user. Its value is set by the caller
	// that configures go-plugin.
	EnvCookie     = "AWHOST_PLUGIN_MAGIC_COOKIE"
	EnvRun        = "AWHOST_RUN"
	EnvInstance   = "AWHOST_INSTANCE"
	EnvDetachable = "AWHOST_DETACHABLE"
	// EnvMark identifies the owner of a process; see Guard. A process must pass the variable to its children.
	EnvMark = "AWHOST_MARK"

	envSocketDir = "PLUGIN_UNIX_SOCKET_DIR"
)

// inherited lists the host's variables that every process receives. All others, in particular secrets, must be named in
// PassEnv. GOCOVERDIR and GORACE are empty except in builds with coverage or the race detector.
var inherited = []string{
	"PATH", "VIRTUAL_ENV", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "USER", "LOGNAME",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "XDG_RUNTIME_DIR", "GOCOVERDIR", "GORACE",
}

// fromGoPlugin lists the variables that go-plugin sets for every process that it starts. go-plugin appends them at the
// end of its list, so the last one counts, and a host that is itself a plugin does not pass on its own variables.
var fromGoPlugin = []string{EnvCookie, "PLUGIN_MIN_PORT", "PLUGIN_MAX_PORT", "PLUGIN_PROTOCOL_VERSIONS", envSocketDir}

// refusedFromGoPlugin maps variables to the reasons why the process contract excludes the go-plugin features that
// they enable.
var refusedFromGoPlugin = map[string]string{
	"PLUGIN_CLIENT_CERT":       "AutoMTLS does not work with reattach; set TLSConfig from mtls.Authority.Issue instead",
	"PLUGIN_MULTIPLEX_GRPC":    "GRPCBrokerMultiplex is not used: plugins dial the host's own service",
	"PLUGIN_UNIX_SOCKET_GROUP": "UnixSocketConfig.Group is not used: the socket directory is private",
}

// environment builds a process's complete environment, sorted. host is the host's own environment, and goPlugin is the
// list prepared by go-plugin, or nil for a process without a handshake.
func environment(c Config, host, goPlugin []string) ([]string, error) {
	own := parseEnv(host)
	out := map[string]string{}
	for name, value := range own {
		if !c.OnlyEnv && (slices.Contains(inherited, name) || strings.HasPrefix(name, "LC_")) {
			out[name] = value
		}
	}
	for _, name := range c.PassEnv {
		if err := checkEnvName(name); err != nil {
			return nil, fmt.Errorf("pass_env: %w", err)
		}
		if value, ok := own[name]; ok {
			out[name] = value
		}
	}
	for name, value := range c.Env {
		if err := checkEnvName(name); err != nil {
			return nil, fmt.Errorf("environment: %w", err)
		}
		out[name] = value
	}
	if err := addGoPlugin(out, own, parseEnv(goPlugin)); err != nil {
		return nil, err
	}
	addContract(out, own, c)
	return formatEnv(out)
}

func addGoPlugin(out, own, prepared map[string]string) error {
	for _, name := range fromGoPlugin {
		if value, ok := prepared[name]; ok {
			out[name] = value
		}
	}
	for name, why := range refusedFromGoPlugin {
		// An equal value comes from the host's environment, because SkipHostEnv was not set, and is therefore omitted.
		if value, ok := prepared[name]; ok && value != own[name] {
			return fmt.Errorf("go-plugin sets %s: %s", name, why)
		}
	}
	return nil
}

func addContract(out, own map[string]string, c Config) {
	set := func(name, value string) {
		if value != "" {
			out[name] = value
		}
	}
	if c.Guard == nil && !c.Detachable { // the mark of this process itself; a guard's child gets a new one
		set(EnvMark, own[EnvMark])
	}
	set(EnvRun, c.Run)
	set(EnvInstance, c.Instance)
	set(envSocketDir, c.SocketDir)
	if c.Detachable {
		out[EnvDetachable] = "1"
	}
}

// checkEnvName rejects names that only this package and go-plugin set.
func checkEnvName(name string) error {
	switch {
	case name == "" || strings.ContainsAny(name, "=\x00"):
		return fmt.Errorf("%q is not the name of a variable", name)
	case strings.HasPrefix(name, "PLUGIN_"), slices.Contains([]string{EnvCookie, EnvRun, EnvInstance, EnvDetachable,
		EnvMark, EnvLaunch}, name):
		return fmt.Errorf("%s belongs to the process contract and cannot be set", name)
	}
	return nil
}

// parseEnv parses a list of NAME=value entries; if names are equal, the last entry wins.
func parseEnv(list []string) map[string]string {
	out := make(map[string]string, len(list))
	for _, pair := range list {
		if name, value, ok := strings.Cut(pair, "="); ok && name != "" {
			out[name] = value
		}
	}
	return out
}

func formatEnv(env map[string]string) ([]string, error) {
	list := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if strings.ContainsRune(env[name], 0) {
			return nil, fmt.Errorf("environment: the value of %s contains a NUL byte", name)
		}
		list = append(list, name+"="+env[name])
	}
	return list, nil
}
