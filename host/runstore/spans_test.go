package runstore

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"
)

// For any number of spans, a bounded number is kept, in order, with the total times.
func TestSpans_KeepTheTimeOfAll(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var spans []Span
		var want [6]time.Duration
		for range rapid.IntRange(0, 200).Draw(t, "spans") {
			s := Span{
				Part: rapid.IntRange(0, 4).Draw(t, "part"),
				At:   time.Duration(rapid.IntRange(0, 1e9).Draw(t, "at")) * time.Microsecond,
				Took: time.Duration(rapid.IntRange(0, 1e9).Draw(t, "took")) * time.Microsecond,
				Turn: rapid.IntRange(0, 2).Draw(t, "turn"), Name: rapid.SampledFrom([]string{"", "add"}).Draw(t, "name"),
				Attempt: rapid.IntRange(0, 1).Draw(t, "attempt"),
			}
			spans, want[s.Part] = append(spans, s), want[s.Part]+s.Took
		}
		data, err := json.Marshal(PackSpans(spans))
		if err != nil {
			t.Fatal(err)
		}
		var packed *Spans
		if err := json.Unmarshal(data, &packed); err != nil {
			t.Fatal(err)
		}
		var got [6]time.Duration
		kept, n := packed.Unpack(), 0
		for i, s := range kept {
			got[s.Part] += s.Took
			n += max(s.Count, 1)
			if i > 0 && s.At < kept[i-1].At {
				t.Errorf("span %d begins before the one before it", i)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || n != len(spans) || len(kept) > mostSpans {
			t.Errorf("%d spans of %d, in %d: %s", n, len(spans), len(kept), diff)
		}
	})
}

func TestSpans_ThatDoNotFitAreNone(t *testing.T) {
	for _, text := range []string{
		`null`, `{}`, `{"part":"q","after_us":[0],"us":[]}`, `{"part":"x","after_us":[0],"us":[1]}`,
		`{"part":"q","after_us":[-1],"us":[1]}`, `{"part":"q","after_us":[0],"us":[-1]}`,
	} {
		var s *Spans
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if got := s.Unpack(); len(got) != 0 {
			t.Errorf("%s: %+v", text, got)
		}
	}
	var s *Spans
	if err := json.Unmarshal([]byte(`{"part":"qm","after_us":[0,5],"us":[2,3],"turn":[0,1],"name":[]}`), &s); err != nil {
		t.Fatal(err)
	}
	us := time.Microsecond
	want := []Span{{Part: 0, Took: 2 * us}, {Part: 1, At: 7 * us, Took: 3 * us, Turn: 1}}
	if diff := cmp.Diff(want, s.Unpack()); diff != "" {
		t.Error(diff)
	}
}
