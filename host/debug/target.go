package debug

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// The debuggers.
const (
	Debugpy = "debugpy" // Python, with the Debug Adapter Protocol
	PDB     = "pdb"     // Python, in a terminal
	Delve   = "dlv"     // Go, with the Debug Adapter Protocol and Delve's own protocol
)

var tools = []string{Debugpy, PDB, Delve}

// Target is a plugin to be debugged.
type Target struct {
	Address string // of its block
	Tool    string // empty: the default for its language
	Listen  string // "127.0.0.1:5678"; port 0 is any
}

// ParseTarget parses ADDRESS, ADDRESS=TOOL, ADDRESS=PORT or ADDRESS=TOOL:PORT, with HOST: before the port unless it
// is 127.0.0.1. addresses lists the existing blocks.
func ParseTarget(text string, addresses []string) (Target, error) {
	name, how, given := strings.Cut(text, "=")
	address, err := resolve(name, addresses)
	t := Target{Address: address, Listen: "127.0.0.1:0"}
	if err != nil || !given {
		return t, err
	}
	where := how
	if tool, rest, _ := strings.Cut(how, ":"); slices.Contains(tools, tool) {
		t.Tool, where = tool, rest
	}
	if where == "" && t.Tool != "" {
		return t, nil
	}
	host, port := "127.0.0.1", where
	if strings.Contains(where, ":") {
		if host, port, err = net.SplitHostPort(where); err != nil {
			return t, wrongTarget(text)
		}
	}
	if t.Tool == PDB {
		return t, fmt.Errorf("--debug %s: pdb listens on a private Unix socket; remove the port", text)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return t, wrongTarget(text)
	}
	t.Listen = net.JoinHostPort(host, port)
	return t, nil
}

func wrongTarget(text string) error {
	return fmt.Errorf("--debug %s: want ADDRESS, ADDRESS=debugpy, ADDRESS=pdb, ADDRESS=dlv, or one of them with a "+
		"port, such as reward.python.x=debugpy:5678 (pdb takes no port)", text)
}

// ParseAttachment parses ADDRESS=FILE.
func ParseAttachment(text string, addresses []string) (address, file string, err error) {
	name, file, ok := strings.Cut(text, "=")
	if !ok || file == "" {
		return "", "", fmt.Errorf("--attach %s: want ADDRESS=FILE, as printed by the plugin started with "+
			"`PROGRAM debug`", text)
	}
	address, err = resolve(name, addresses)
	return address, file, err
}

// resolve returns the address of the block that a user's abbreviation denotes: the full address, kind and name, kind
// and type, or the name alone.
func resolve(name string, addresses []string) (string, error) {
	var found []string
	for _, a := range addresses {
		if a == name {
			return a, nil
		}
		if kind, rest, _ := strings.Cut(a, "."); slices.Contains([]string{kind + "." + lastPart(rest), lastPart(rest),
			kind + "." + firstPart(rest)}, name) {
			found = append(found, a)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("these episodes use no plugin %q: they use %s", name, strings.Join(addresses, ", "))
	}
	return "", fmt.Errorf("%q could be %s: use the full address", name, strings.Join(found, " or "))
}

func lastPart(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

func firstPart(s string) string {
	first, _, _ := strings.Cut(s, ".")
	return first
}
