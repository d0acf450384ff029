package sdk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Attachment is what an environment answered beside text, with its type: for those who can use it, where the content of
// the message can only say that it is there. At most one of Data, Text and JSON is set.
type Attachment struct {
	// Kind is empty where a newer plugin has one that this build does not know.
	Kind     AttachmentKind `json:"kind,omitempty"`
	MIMEType string         `json:"mime_type,omitempty"`
	// URI is where a resource or a link leads.
	URI  string `json:"uri,omitempty"`
	Name string `json:"name,omitempty"`
	Data []byte `json:"data,omitempty"`
	// Text is that of a resource. The content of the message has it, too.
	Text string          `json:"text,omitempty"`
	JSON json.RawMessage `json:"json,omitempty"`
	// Marker is the part of the message's content that stands for the attachment. Empty: the content has the text itself,
	// or nothing of it. Those who show the attachment itself leave the marker out. Equal markers stand in the order of
	// their attachments.
	Marker string `json:"marker,omitempty"`
	// SHA256 and Size are those of a body that was left out, in hexadecimal digits and in bytes.
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size,omitempty"`
	// File is where a run directory keeps the body that was left out. Only records have it.
	File string `json:"file,omitempty"`
}

// AttachmentKind says what an attachment is.
type AttachmentKind string

// The kinds of attachments.
const (
	AttachmentImage      AttachmentKind = "image"
	AttachmentAudio      AttachmentKind = "audio"
	AttachmentResource   AttachmentKind = "resource"      // a file: Data or Text
	AttachmentLink       AttachmentKind = "resource_link" // the URI of a file alone
	AttachmentStructured AttachmentKind = "structured"    // JSON that says the same as the text, for programs
)

// body is what the attachment is itself; nil: nothing, or it was left out.
func (a *Attachment) body() []byte {
	switch {
	case a.Data != nil:
		return a.Data
	case a.Text != "":
		return []byte(a.Text)
	}
	return a.JSON
}

// Bytes is the size of the attachment's body, also of one that was left out.
func (a *Attachment) Bytes() int64 {
	if a.SHA256 != "" {
		return a.Size
	}
	return int64(len(a.body()))
}

// Digest is the SHA-256 of the attachment's body, also of one that was left out; empty: it has none.
func (a *Attachment) Digest() string {
	body := a.body()
	if a.SHA256 != "" || body == nil {
		return a.SHA256
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// WithoutBody is the attachment with the digest and the size of its body in its place.
func (a Attachment) WithoutBody() Attachment {
	if sum := a.Digest(); sum != "" {
		a.Size, a.SHA256 = a.Bytes(), sum
	}
	a.Data, a.Text, a.JSON = nil, "", nil
	return a
}

// String says in a few words what the attachment is: "image, image/png, 68 bytes".
func (a Attachment) String() string {
	kind := string(a.Kind)
	switch a.Kind {
	case AttachmentResource:
		kind = "file"
	case AttachmentLink:
		kind = "link"
	case AttachmentImage, AttachmentAudio, AttachmentStructured:
	}
	words := []string{kind}
	if name := strings.TrimSpace(a.Name + " " + a.URI); name != "" {
		words = append(words, name)
	}
	if a.MIMEType != "" {
		words = append(words, a.MIMEType)
	}
	if a.Data != nil || a.SHA256 != "" {
		words = append(words, fmt.Sprintf("%d bytes", a.Bytes()))
	}
	return strings.Join(words, ", ")
}

// MostScoredAttachmentBytes bounds what the attachments of one item for a reward have together. Those of a reward that
// compares the samples of a group share it.
const MostScoredAttachmentBytes int64 = 8 << 20

// AttachmentBytes is how many bytes the bodies of the messages' attachments have, as far as they are there.
func AttachmentBytes(messages []Message) int64 {
	var sum int64
	for i := range messages {
		for j := range messages[i].Attachments {
			sum += int64(len(messages[i].Attachments[j].body()))
		}
	}
	return sum
}

// WithoutAttachments returns messages as a policy sees them. What has no attachments is not copied.
func WithoutAttachments(messages []Message) []Message {
	return withAttachments(messages, func([]Attachment) []Attachment { return nil })
}

// BoundAttachments returns messages whose attachments have so many bytes together at most: from the one on that does
// not fit, WithoutBody stands for each that has one. What has no attachments is not copied.
func BoundAttachments(messages []Message, mostBytes int64) []Message {
	return withAttachments(messages, func(all []Attachment) []Attachment {
		out := slices.Clone(all)
		for i := range out {
			if out[i].SHA256 != "" {
				continue
			}
			if mostBytes -= out[i].Bytes(); mostBytes < 0 {
				out[i] = out[i].WithoutBody()
			}
		}
		return out
	})
}

func withAttachments(messages []Message, change func([]Attachment) []Attachment) []Message {
	if !slices.ContainsFunc(messages, func(m Message) bool { return len(m.Attachments) > 0 }) {
		return messages
	}
	out := slices.Clone(messages)
	for i := range out {
		if len(out[i].Attachments) > 0 {
			out[i].Attachments = change(out[i].Attachments)
		}
	}
	return out
}
