package mcpenv

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
)

// textOf is a result as a text policy sees it. What has no text is replaced by a marker, and counted.
func textOf(r *server.Result) (text string, omitted int) {
	var parts []string
	said := false
	for _, c := range r.Content {
		part, shown := contentText(c)
		parts = append(parts, part)
		said = said || shown && part != ""
		if !shown {
			omitted++
		}
	}
	if !said && r.Structured != nil { // a server that has nothing else to say
		parts = append(parts, string(r.Structured))
	}
	return strings.Join(parts, "\n"), omitted
}

// contentText is a part as text, and whether that is all of it.
func contentText(c server.Content) (text string, shown bool) {
	switch c.Kind {
	case server.Text:
		return c.Text, true
	case server.Resource:
		if c.Data == nil {
			return c.Text, true
		}
		return marker("file", c, c.URI), false
	case server.Link:
		return marker("link", c, strings.TrimSpace(c.Name+" "+c.URI)), false
	}
	return marker(string(c.Kind), c, ""), false
}

// marker says what was left out.
func marker(kind string, c server.Content, name string) string {
	words := []string{kind}
	if name != "" {
		words = append(words, name)
	}
	if c.MIMEType != "" {
		words = append(words, c.MIMEType)
	}
	if c.Data != nil {
		words = append(words, fmt.Sprintf("%d bytes", len(c.Data)))
	}
	return "[" + strings.Join(words, ", ") + ": not shown]"
}
