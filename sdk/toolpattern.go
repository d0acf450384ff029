package sdk

import (
	"fmt"
	"path"
	"strings"
)

// Patterns select tools in the blocks of agents and of environments with tools from several servers. `server/tool`
// identifies a server's tool by its name on that server, and `server` identifies all of a server's tools. * matches any
// characters in the name of a server or tool, including slashes. Other wildcards are the wildcards of path.Match.

// CheckToolPattern rejects an invalid pattern.
func CheckToolPattern(pattern string) error {
	server, tool, one := strings.Cut(pattern, "/")
	if server == "" || one && (tool == "" || strings.HasSuffix(tool, "/")) {
		return fmt.Errorf(`%q names no tool: write "server/tool", or "server" for all tools of a server`, pattern)
	}
	for _, part := range []string{server, escapeSlashes(tool)} {
		if _, err := path.Match(part, ""); err != nil {
			return fmt.Errorf("invalid pattern %q: %w", pattern, err)
		}
	}
	return nil
}

// MatchOrigin reports whether a pattern identifies a tool by its origin, "server/tool".
func MatchOrigin(pattern, origin string) bool {
	ofServer, ofTool, one := strings.Cut(pattern, "/")
	if !one {
		ofTool = "*"
	}
	server, tool, _ := strings.Cut(origin, "/")
	return matchWhole(ofServer, server) && matchWhole(ofTool, tool)
}

// Matches reports whether a pattern identifies a tool, either by its name as models see it or by its origin. Without an
// origin, the first `__` in the name represents the slash between server and tool, which model APIs do not permit.
func (t Tool) Matches(pattern string) bool {
	if matchWhole(pattern, t.Name) {
		return true
	}
	if t.Origin != "" {
		return MatchOrigin(pattern, t.Origin)
	}
	origin := strings.Replace(t.Name, "__", "/", 1)
	return strings.Contains(pattern, "/") && strings.Contains(origin, "/") && MatchOrigin(pattern, origin)
}

// matchWhole works like path.Match, except that * also matches slashes. A pattern that CheckToolPattern rejects matches
// nothing.
func matchWhole(pattern, name string) bool {
	ok, err := path.Match(escapeSlashes(pattern), escapeSlashes(name))
	return err == nil && ok
}

// escapeSlashes replaces the slashes with a character that * matches and that does not occur in any name.
func escapeSlashes(name string) string { return strings.ReplaceAll(name, "/", "\x00") }
