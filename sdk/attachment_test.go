package sdk_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// The description of an omitted body must not depend on when the body was omitted.
func TestAttachment_RecordsOmittedBody(t *testing.T) {
	const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // of abc
	for _, test := range []struct {
		attachment sdk.Attachment
		want       string
	}{
		{sdk.Attachment{Kind: sdk.AttachmentImage, MIMEType: "image/png", Data: []byte("abc")}, "image, image/png, 3 bytes"},
		{sdk.Attachment{Kind: sdk.AttachmentResource, URI: "file:///x", Text: "abc"}, "file, file:///x"},
		{sdk.Attachment{Kind: sdk.AttachmentStructured, JSON: []byte("abc")}, "structured"},
	} {
		if got := test.attachment.String(); got != test.want {
			t.Errorf("it is %q, want %q", got, test.want)
		}
		short := test.attachment.WithoutBody()
		if again := short.WithoutBody(); !cmp.Equal(short, again) {
			t.Errorf("left out twice: %s", cmp.Diff(short, again))
		}
		if short.Data != nil || short.Text != "" || short.JSON != nil || short.SHA256 != sum || short.Size != 3 {
			t.Errorf("left out: %+v", short)
		}
		if short.Digest() != test.attachment.Digest() || short.Bytes() != test.attachment.Bytes() {
			t.Errorf("left out it has the digest %s and %d bytes", short.Digest(), short.Bytes())
		}
	}
	link := sdk.Attachment{Kind: sdk.AttachmentLink, Name: "report", URI: "https://x/y", MIMEType: "text/html"}
	if got := link.WithoutBody(); !cmp.Equal(got, link) {
		t.Errorf("a link has no body: %+v", got)
	}
	if got, want := link.String(), "link, report https://x/y, text/html"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
}

func TestBoundAttachments(t *testing.T) {
	data := func(n int) sdk.Attachment {
		return sdk.Attachment{Kind: sdk.AttachmentImage, Data: []byte(strings.Repeat("x", n))}
	}
	link := sdk.Attachment{Kind: sdk.AttachmentLink, URI: "x"}
	messages := []sdk.Message{
		{Content: "a", Attachments: []sdk.Attachment{data(4), link}}, {Content: "b"},
		{Content: "c", Attachments: []sdk.Attachment{data(7), data(1), link}},
	}
	got := sdk.BoundAttachments(messages, 10)
	want := []sdk.Message{
		messages[0], messages[1],
		{Content: "c", Attachments: []sdk.Attachment{data(7).WithoutBody(), data(1).WithoutBody(), link}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if messages[2].Attachments[0].Data == nil {
		t.Error("the messages that were given have changed")
	}
	if sum := sdk.AttachmentBytes(got); sum != 4 {
		t.Errorf("%d bytes are left, want 4", sum)
	}
	if got := sdk.BoundAttachments(messages, 12); !cmp.Equal(got, messages) {
		t.Errorf("all of it fits: %s", cmp.Diff(messages, got))
	}
	for i, m := range sdk.WithoutAttachments(messages) {
		if m.Attachments != nil || m.Content != messages[i].Content {
			t.Errorf("without attachments: %+v", m)
		}
	}
}
