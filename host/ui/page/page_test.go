package page_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/ui/page"
)

// A file of its own has one script, one style and data that cannot leave their element, whatever a model wrote.
func TestAlone_HoldsWhatItShows(t *testing.T) {
	text := "</script><script>alert(1)</script><!--\u2028"
	hostile, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := page.Alone(`#/run/a/episode/"><b>`, map[string]json.RawMessage{"GET /api/runs/a": hostile})
	if err != nil {
		t.Fatal(err)
	}
	file := string(alone)
	for pattern, times := range map[string]int{
		`<script`: 2, `</script`: 2, `<style>`: 1, `</style`: 1, `<!--`: 0, `http-equiv="Content-Security-Policy"`: 1,
		`src="app\.js"`: 0, `href="app\.css"`: 0, `<b>`: 0,
	} {
		if found := len(regexp.MustCompile(pattern).FindAllString(file, -1)); found != times {
			t.Errorf("%s is %d times in the file, want %d", pattern, found, times)
		}
	}
	data := regexp.MustCompile(`(?s)id="awhost-data"[^>]*>(.*?)</script>`).FindStringSubmatch(file)
	var got map[string]string
	if err := json.Unmarshal([]byte(data[1]), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"route": `#/run/a/episode/"><b>`, "GET /api/runs/a": text}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the page reads differs (-want +got):\n%s", diff)
	}
}

func TestAlone_RefusesWhatIsNoJSON(t *testing.T) {
	if _, err := page.Alone("#/", map[string]json.RawMessage{"GET /api/runs": json.RawMessage("{")}); err == nil {
		t.Error("an answer that is no JSON was taken")
	}
}
