// Package toolset selects and names the tools of several MCP servers for an agent.
//
//	files := toolset.Server{Name: "files", Tools: tools}
//	set, err := toolset.New([]toolset.Server{files}, toolset.Choice{Allow: []string{"files/*"}})
//	set.Offered()                            // in the order of the servers, and of their lists
//	tool, ok := set.Find("files__read_file") // with its server, and its name there
//
// A tool keeps its own name if the name is legal for model APIs and unique among the servers. Otherwise, all tools with
// the same name receive their server's name as a prefix: the meaning of a name must not depend on the order of the
// servers.
package toolset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/sdk"
)

// Server is a server with its listed tools.
type Server struct {
	Name  string
	Tools []server.Tool
}

// Choice selects the offered tools by patterns in the format of sdk.MatchOrigin. If Allow is empty, all tools are
// allowed.
type Choice struct {
	Allow, Deny []string
	// Hidden lists tools that only awhost itself calls, in the form server/tool.
	Hidden []string
}

// Tool is a server's tool with the name shown to models.
type Tool struct {
	server.Tool
	Server string
	Shown  string
	// Conflicts lists the other servers that have a tool with the same name, which is why Shown begins with the
	// server's name.
	Conflicts []string
}

// Key returns server/tool, against which patterns are matched.
func (t Tool) Key() string { return t.Server + "/" + t.Name }

// Set holds the offered tools.
type Set struct {
	offered []Tool
	byName  map[string]Tool
}

// Offered returns the tools in the order of the servers and of their lists.
func (s *Set) Offered() []Tool { return s.offered }

// Find returns the tool with the given name as shown to models.
func (s *Set) Find(shown string) (Tool, bool) {
	t, ok := s.byName[shown]
	return t, ok
}

// Renaming describes a tool that is offered under a different name.
type Renaming struct {
	Tool
	Reason string // follows "is offered under another name"
}

// Renamed returns the tools that are offered under other names, with the reasons.
func (s *Set) Renamed() []Renaming {
	var out []Renaming
	for _, t := range s.offered {
		switch {
		case t.Shown == t.Name:
		case len(t.Conflicts) > 0:
			servers := "server " + t.Conflicts[0] + " has"
			if len(t.Conflicts) > 1 {
				servers = "servers " + strings.Join(t.Conflicts, ", ") + " have"
			}
			const rivals = "since %s a tool of that name, too: in the prompts of runs without it is %s"
			out = append(out, Renaming{t, fmt.Sprintf(rivals, servers, legal(t.Name))})
		default:
			const illegal = "since model APIs take only letters, digits, - and _ in a name, and 64 of them"
			out = append(out, Renaming{t, illegal})
		}
	}
	return out
}

// New selects and names tools. It rejects patterns that match nothing, and a choice that leaves no tools.
func New(servers []Server, choice Choice) (*Set, error) {
	all := allTools(servers)
	if err := unmatched(all, choice); err != nil {
		return nil, err
	}
	set := &Set{byName: map[string]Tool{}}
	for _, t := range all {
		if choice.allows(t) {
			set.offered = append(set.offered, t)
		}
	}
	if len(set.offered) == 0 {
		return nil, fmt.Errorf("no tool is left to offer: there are %s", listed(all))
	}
	return set, set.name(all)
}

func allTools(servers []Server) []Tool {
	var all []Tool
	for _, s := range servers {
		for _, t := range s.Tools {
			all = append(all, Tool{Tool: t, Server: s.Name})
		}
	}
	return all
}

// Names lists the tools of all servers, for use in messages.
func Names(servers []Server) string { return listed(allTools(servers)) }

func (c Choice) allows(t Tool) bool {
	allowed := len(c.Allow) == 0 || matchesAny(c.Allow, t)
	return allowed && !matchesAny(c.Deny, t) && !slices.Contains(c.Hidden, t.Key())
}

func matchesAny(patterns []string, t Tool) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return sdk.MatchOrigin(p, t.Key()) })
}

func unmatched(all []Tool, choice Choice) error {
	var wrong []error
	for _, p := range slices.Concat(choice.Allow, choice.Deny) {
		if !slices.ContainsFunc(all, func(t Tool) bool { return sdk.MatchOrigin(p, t.Key()) }) {
			wrong = append(wrong, fmt.Errorf("%q matches no tool: there are %s", p, listed(all)))
		}
	}
	return errors.Join(wrong...)
}

// maxListed limits the number of tools listed in a message.
const maxListed = 60

func listed(tools []Tool) string {
	if len(tools) == 0 {
		return "none"
	}
	var names []string
	for _, t := range tools[:min(len(tools), maxListed)] {
		names = append(names, t.Key())
	}
	if more := len(tools) - maxListed; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// name sets the names shown to models. Names depend on all tools of the servers, not only on the offered ones, so
// that another choice does not rename the remaining tools.
func (s *Set) name(all []Tool) error {
	owners := map[string][]string{}
	for _, t := range all {
		owners[legal(t.Name)] = append(owners[legal(t.Name)], t.Server)
	}
	for i, t := range s.offered {
		shown := legal(t.Name)
		if owners := owners[shown]; len(owners) > 1 {
			shown = legal(t.Server + "__" + t.Name)
			s.offered[i].Conflicts = slices.DeleteFunc(slices.Clone(owners), func(o string) bool { return o == t.Server })
		}
		s.offered[i].Shown = shown
		if other, taken := s.byName[shown]; taken {
			return fmt.Errorf("models would see %s and %s under one name, %q: rename one of the servers",
				other.Key(), t.Key(), shown)
		}
		s.byName[shown] = s.offered[i]
	}
	return nil
}

// maxNameLength is the longest name that model APIs accept.
const maxNameLength = 64

// legal converts a name to the characters that model APIs accept. A changed name receives a few digits of its hash, so
// that different names remain different.
func legal(name string) string {
	changed := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if changed == name && len(name) <= maxNameLength {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	const digits = 8
	return changed[:min(len(changed), maxNameLength-digits-1)] + "_" + hex.EncodeToString(sum[:])[:digits]
}
