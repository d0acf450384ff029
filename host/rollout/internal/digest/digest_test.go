package digest

import (
	"encoding/hex"
	"testing"

	"github.com/awhost/awhost/sdk"
)

func of(m ...sdk.Message) string {
	d := New("test")
	d.Messages(m)
	sum := d.Finish()
	return hex.EncodeToString(sum[:])
}

// A message without attachments has the same hash as before attachments existed. Omitting a body does not change the
// hash, and every other change does.
func TestMessages_CountAttachments(t *testing.T) {
	plain := sdk.Message{Role: sdk.RoleTool, Content: "3", Name: "add"}
	if got := of(plain); got != "edd62d26419622738c5757368b90d9c8fb83eb6e1becf9fff3e2b1c791159df3" {
		t.Errorf("a plain message hashes to %s", got)
	}
	with := func(all ...sdk.Attachment) sdk.Message {
		m := plain
		m.Attachments = all
		return m
	}
	image := sdk.Attachment{Kind: sdk.AttachmentImage, MIMEType: "image/png", Data: []byte("x"), Marker: "[image]"}
	want := of(with(image))
	if got := of(with(image.WithoutBody())); got != want {
		t.Error("without its body the image counts as another")
	}
	kept := image.WithoutBody()
	if kept.File = "attachments/x"; of(with(kept)) != want {
		t.Error("where it is kept counts")
	}
	seen := map[string]string{of(plain): "none", want: "the image"}
	for name, change := range map[string]func(*sdk.Attachment){
		"kind": func(a *sdk.Attachment) { a.Kind = sdk.AttachmentAudio },
		"type": func(a *sdk.Attachment) { a.MIMEType = "image/gif" },
		"uri":  func(a *sdk.Attachment) { a.URI = "file:///x" }, "name": func(a *sdk.Attachment) { a.Name = "x" },
		"data": func(a *sdk.Attachment) { a.Data = []byte("y") }, "marker": func(a *sdk.Attachment) { a.Marker = "" },
	} {
		other := image
		change(&other)
		sum := of(with(other))
		if same, ok := seen[sum]; ok {
			t.Errorf("another %s hashes as %s", name, same)
		}
		seen[sum] = name
	}
	if of(with(image, image)) == want || of(with(image), plain) == of(plain, with(image)) {
		t.Error("how many there are, and where, does not count")
	}
}
