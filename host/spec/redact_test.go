package spec

import (
	"strings"
	"testing"
)

func TestRedactor(t *testing.T) {
	r := (&Spec{secrets: []string{"hunter2-long", "hunter2", `<a"b>`}}).Redactor()
	const text = "hunter2-long and hunter2, <a\"b> as \"<a\\\"b>\" or {\"k\":\"\\u003ca\\\"b\\u003e\"}"
	const want = `(sensitive) and (sensitive), (sensitive) as "(sensitive)" or {"k":"(sensitive)"}`
	if got := r.Text(text); got != want {
		t.Errorf("%s", got)
	}
	for _, again := range []string{`token="\"\\u003ca\\\"b\\u003e\""`, `"<a\\\"b>"`, `?token=%3Ca%22b%3E`} {
		if got := r.Text(again); strings.Contains(got, "a") && !strings.Contains(got, "(sensitive)") {
			t.Errorf("%s became %s", again, got)
		}
	}
	if got := r.Fields(map[string]string{"a": "x hunter2"})["a"]; got != "x (sensitive)" {
		t.Errorf("%s", got)
	}
	if got := (&Spec{}).Redactor().Text(text); got != text {
		t.Errorf("%s", got)
	}
}
