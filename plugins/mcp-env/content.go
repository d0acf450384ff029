package mcpenv

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/sdk"
)

// textOf returns a result as text for the policy. Parts without text are replaced with a marker and counted.
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
	if !said && r.Structured != nil { // a server that sent no text
		parts = append(parts, string(r.Structured))
	}
	return strings.Join(parts, "\n"), omitted
}

// bytesPerToken estimates the size of a token: the plugin does not have the policy's tokenizer.
const bytesPerToken = 4

// truncate returns the beginning of a result that has more than most tokens, followed by a marker that states how much
// is missing. A most of 0 means no limit.
func truncate(text string, most int) (short string, cut bool) {
	if most == 0 || len(text) <= most*bytesPerToken {
		return text, false
	}
	end := most * bytesPerToken
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	missing := len(text) - end
	return fmt.Sprintf("%s\n[truncated: the last %d of %d bytes, about %d tokens, are not shown]",
		text[:end], missing, len(text), missing/bytesPerToken), true
}

// contentText returns a part as text and reports whether the text is complete.
func contentText(c server.Content) (text string, shown bool) {
	if c.Kind == server.Text || c.Kind == server.Resource && c.Data == nil {
		return c.Text, true
	}
	return attachment(c).Marker, false
}

// attachmentsOf returns the parts of a result that are not plain text, as sent by the server.
func attachmentsOf(r *server.Result) []sdk.Attachment {
	var out []sdk.Attachment
	for _, c := range r.Content {
		if c.Kind != server.Text {
			out = append(out, attachment(c))
		}
	}
	if r.Structured != nil {
		out = append(out, sdk.Attachment{Kind: sdk.AttachmentStructured, JSON: r.Structured})
	}
	return out
}

var attachmentKinds = map[server.Kind]sdk.AttachmentKind{
	server.Image: sdk.AttachmentImage, server.Audio: sdk.AttachmentAudio,
	server.Resource: sdk.AttachmentResource, server.Link: sdk.AttachmentLink,
}

func attachment(c server.Content) sdk.Attachment {
	a := sdk.Attachment{
		Kind: attachmentKinds[c.Kind], MIMEType: c.MIMEType, URI: c.URI, Name: c.Name, Data: c.Data,
	}
	if c.Kind == server.Resource && c.Data == nil {
		a.Text = c.Text
		return a
	}
	a.Marker = "[" + a.String() + ": not shown]" // names the omitted part
	return a
}
