package sdk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Attachment is a non-text part of an environment's response, together with its type. It is intended for consumers that
// can use it; the message's content only mentions it. At most one of Data, Text and JSON is set.
type Attachment struct {
	// Kind is empty if a newer plugin uses a kind that this build does not know.
	Kind     AttachmentKind `json:"kind,omitempty"`
	MIMEType string         `json:"mime_type,omitempty"`
	// URI is the address of a resource or a link.
	URI  string `json:"uri,omitempty"`
	Name string `json:"name,omitempty"`
	Data []byte `json:"data,omitempty"`
	// Text is the text contained in a resource. The message's content also includes it.
	Text string          `json:"text,omitempty"`
	JSON json.RawMessage `json:"json,omitempty"`
	// Marker is the part of the message's content that represents the attachment. If it is empty, the content includes
	// the text itself, or no part of the attachment. Viewers that show the attachment itself omit the marker. Identical
	// markers appear in the order of their attachments.
	Marker string `json:"marker,omitempty"`
	// SHA256 and Size describe an omitted body: its hash in hexadecimal digits and its size in bytes.
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size,omitempty"`
	// File is the file in a run directory that holds the omitted body. Only records have it.
	File string `json:"file,omitempty"`
}

// AttachmentKind is the type of an attachment.
type AttachmentKind string

// The kinds of attachments.
const (
	AttachmentImage      AttachmentKind = "image"
	AttachmentAudio      AttachmentKind = "audio"
	AttachmentResource   AttachmentKind = "resource"      // a file: Data or Text
	AttachmentLink       AttachmentKind = "resource_link" // the URI of a file alone
	AttachmentStructured AttachmentKind = "structured"    // JSON with the same content as the text, for programs
)

// body returns the attachment's body, or nil if it has none or the body was omitted.
func (a *Attachment) body() []byte {
	switch {
	case a.Data != nil:
		return a.Data
	case a.Text != "":
		return []byte(a.Text)
	}
	return a.JSON
}

// Bytes returns the size of the attachment's body, including an omitted body.
func (a *Attachment) Bytes() int64 {
	if a.SHA256 != "" {
		return a.Size
	}
	return int64(len(a.body()))
}

// Digest returns the SHA-256 hash of the attachment's body, including an omitted body. It is empty without a body.
func (a *Attachment) Digest() string {
	body := a.body()
	if a.SHA256 != "" || body == nil {
		return a.SHA256
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// WithoutBody returns the attachment with its body replaced by the digest and the size.
func (a Attachment) WithoutBody() Attachment {
	if sum := a.Digest(); sum != "" {
		a.Size, a.SHA256 = a.Bytes(), sum
	}
	a.Data, a.Text, a.JSON = nil, "", nil
	return a
}

// String returns a short description of the attachment: "image, image/png, 68 bytes".
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

// MaxScoredAttachmentBytes is the maximum total size of the attachments that one item may have for a reward. For a
// reward that compares the samples in a group, the items share this limit.
const MaxScoredAttachmentBytes int64 = 8 << 20

// AttachmentBytes returns the total size in bytes of the messages' attachment bodies. Omitted bodies count as 0.
func AttachmentBytes(messages []Message) int64 {
	var sum int64
	for i := range messages {
		for j := range messages[i].Attachments {
			sum += int64(len(messages[i].Attachments[j].body()))
		}
	}
	return sum
}

// WithoutAttachments returns messages in the form in which a policy sees them. Messages without attachments are not
// copied.
func WithoutAttachments(messages []Message) []Message {
	return withAttachments(messages, func([]Attachment) []Attachment { return nil })
}

// BoundAttachments returns messages whose attachments have a total size of at most mostBytes bytes. Starting with the
// first body that does not fit, bodies are replaced as in WithoutBody. Messages without attachments are not copied.
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
