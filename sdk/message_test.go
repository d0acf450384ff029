package sdk_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// The parts must keep their order, also in the JSON form of the journal and with texts that no longer fit.
func TestMessage_KeepsTheOrderOfItsParts(t *testing.T) {
	image := func(url string) sdk.Part { return sdk.Part{Image: &sdk.Image{URL: url}} }
	text := func(s string) sdk.Part { return sdk.Part{Text: s} }
	for name, parts := range map[string][]sdk.Part{
		"text, image, text": {text("before "), image("a"), text("é after")},
		"images in a row":   {image("a"), image("b"), text("both"), image("c"), image("d")},
		"images alone":      {image("a"), image("b")},
		"text alone":        {text("a")},
		"nothing":           nil,
	} {
		var m, back sdk.Message
		m.SetParts(parts)
		line, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range back.Parts() {
			if got = append(got, p.Text); p.Image != nil {
				got[len(got)-1] = "image " + p.Image.URL
			}
		}
		var want []string
		for _, p := range parts {
			if want = append(want, p.Text); p.Image != nil {
				want[len(want)-1] = "image " + p.Image.URL
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, line, diff)
		}
	}
	for _, after := range []int{-1, 9} { // the text has changed in between
		m := sdk.Message{Content: "text", Images: []sdk.Image{{URL: "a", TextAfter: after}}}
		if n := len(m.Parts()); n != 2 {
			t.Errorf("%d parts where %d bytes should follow the image", n, after)
		}
	}
}
