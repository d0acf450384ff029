package spec

import "testing"

func TestRedactor(t *testing.T) {
	r := (&Spec{secrets: []string{"hunter2-long", "hunter2", `<a"b>`}}).Redactor()
	const text = "hunter2-long and hunter2, <a\"b> as \"<a\\\"b>\" or {\"k\":\"\\u003ca\\\"b\\u003e\"}"
	const want = `(sensitive) and (sensitive), (sensitive) as "(sensitive)" or {"k":"(sensitive)"}`
	if got := r.Text(text); got != want {
		t.Errorf("%s", got)
	}
	if got := r.Fields(map[string]string{"a": "x hunter2"})["a"]; got != "x (sensitive)" {
		t.Errorf("%s", got)
	}
	if got := (&Spec{}).Redactor().Text(text); got != text {
		t.Errorf("%s", got)
	}
}
