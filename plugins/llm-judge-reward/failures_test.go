package llmjudgereward

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// TestWhatPassesIsAskedAgain checks that each temporary fault is followed by a verdict, and never becomes a number.
func TestWhatPassesIsAskedAgain(t *testing.T) {
	for name, fault := range map[string]func(a *asked, w http.ResponseWriter, r *http.Request){
		"one request too many": func(_ *asked, w http.ResponseWriter, _ *http.Request) { refuse(w, 429, "", "slow down") },
		"an error":             func(_ *asked, w http.ResponseWriter, _ *http.Request) { refuse(w, 500, "", "oops") },
		"no gateway":           func(_ *asked, w http.ResponseWriter, _ *http.Request) { refuse(w, 502, "", "oops") },
		"no answer in time":    func(_ *asked, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"a page":               func(_ *asked, w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>Hi</html>") },
		"half an answer": func(_ *asked, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"choices":[{"message":`)
		},
		"a connection that is closed": func(_ *asked, w http.ResponseWriter, _ *http.Request) {
			if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
				_ = conn.Close()
			}
		},
		"no valid verdict": func(_ *asked, w http.ResponseWriter, _ *http.Request) { say(w, "It is quite good.") },
		"a verdict that was cut": func(a *asked, w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"choices":[{"message":{"content":%q},"finish_reason":"length"}]}`, a.verdictOf(1, "correct"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := serve(t, func(n int, a *asked, w http.ResponseWriter, r *http.Request) {
				if n == 1 {
					fault(a, w, r)
					return
				}
				say(w, a.verdictOf(7, "correct"))
			})
			r := judge(t, f, t.TempDir(), map[string]any{"timeout": "2s", "tries": 20})
			if got := number(t, score(t, r, answering("42")).Items[0]); got != 0.7 || f.calls() < 2 {
				t.Errorf("it comes to %v after %d calls", got, f.calls())
			}
		})
	}
}

// TestWhatIsNoVerdictIsAFailure checks that an answer other than a verdict never becomes a number.
func TestWhatIsNoVerdictIsAFailure(t *testing.T) {
	for why, text := range map[string]string{
		"no valid verdict":           `10/10`,
		"the id is":                  `{"id":"000000000000","reason":"","points":{"correct":10}}`,
		"no points for correct":      `{"id":"ID","reason":"","points":{}}`,
		"not a whole number":         `{"id":"ID","reason":"","points":{"correct":11}}`,
		"are 9.5":                    `{"id":"ID","reason":"","points":{"correct":9.5}}`,
		"are -1":                     `{"id":"ID","reason":"","points":{"correct":-1}}`,
		`are "ten"`:                  `{"id":"ID","reason":"","points":{"correct":"ten"}}`,
		`are "11"`:                   `{"id":"ID","reason":"","points":{"correct":"11"}}`,
		`are ""`:                     `{"id":"ID","reason":"","points":{"correct":""}}`,
		"are null":                   `{"id":"ID","reason":"","points":{"correct":null}}`,
		"are 1e999":                  `{"id":"ID","reason":"","points":{"correct":1e999}}`,
		"an unknown criterion":       `{"id":"ID","reason":"","points":{"correct":10,"bonus":10}}`,
		`"points" twice`:             `{"id":"ID","reason":"","points":{"correct":0},"points":{"correct":10}}`,
		`"correct" twice`:            `{"id":"ID","reason":"","points":{"correct":0,"correct":10}}`,
		"several JSON objects":       `{"id":"ID","points":{"correct":0}} or {"id":"ID","points":{"correct":10}}`,
		"at least 100 opening":       `{}` + strings.Repeat("{", 100),
		"EOF":                        `{"id":"ID","reason":"","points":{"correct":`,
		"it contains no JSON object": `["ID"]`,
		"verdict: it contains no":    ``,
		"invalid character":          `I give {10} points.`,
	} {
		f := serve(t, func(_ int, a *asked, w http.ResponseWriter, _ *http.Request) {
			say(w, strings.ReplaceAll(text, "ID", a.id()))
		})
		r := judge(t, f, t.TempDir(), nil)
		out := score(t, r, answering("42"))
		got := out.Items[0].Failure
		if got == nil || got.Class != sdk.FailureReward || !got.Retryable || !strings.Contains(got.Detail, why) {
			t.Errorf("%s: %+v, want a failure that says %q", text, out.Items[0], why)
		}
		if f.calls() != 3 || out.Metrics[metricUnreadable] != 3 {
			t.Errorf("%s: it was asked %d times, and %v answers were unreadable", text, f.calls(), out.Metrics[metricUnreadable])
		}
		if last := f.asked[2].Messages; len(last) != 4 || !strings.Contains(last[3].Content, "not what you were asked for") {
			t.Errorf("%s: the judge did not receive the error: %v", text, last)
		}
	}
}

// TestWhatDoesNotPassSaysWhatToDo checks that a fault that the user must fix stops the run.
func TestWhatDoesNotPassSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		status          int
		code, message   string
		stops, mayAgain bool
		says            string
	}{
		"a wrong key":     {401, "invalid_api_key", "wrong key sk-judge-31415926", true, false, "resume the run"},
		"no money":        {402, "", "pay", true, false, "resume the run"},
		"no quota":        {429, "insufficient_quota", "pay", true, false, "resume the run"},
		"no such model":   {404, "model_not_found", "no model judge", false, false, "no model judge"},
		"a long episode":  {400, "context_length_exceeded", "too long", false, false, "set longest"},
		"always too many": {429, "", "slow down", false, true, "sent 2 times"},
		"always broken":   {503, "", "oops", false, true, "sent 2 times"},
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t, func(_ int, _ *asked, w http.ResponseWriter, _ *http.Request) {
				refuse(w, c.status, c.code, c.message)
			})
			r := judge(t, f, t.TempDir(), map[string]any{"max_retries": 1, "tries": 1})
			got := score(t, r, answering("42")).Items[0].Failure
			if got == nil || got.Class != sdk.FailureReward || got.StopRun != c.stops || got.Retryable != c.mayAgain ||
				!strings.Contains(got.Detail, c.says) || strings.Contains(got.Detail, "sk-judge") {
				t.Errorf("it comes to %+v", got)
			}
		})
	}
}

// TestTenAtOnce checks that max_concurrent calls run concurrently, each gets its own answer, and equal ones are
// requested once.
func TestTenAtOnce(t *testing.T) {
	var mu sync.Mutex
	under, most := 0, 0
	count := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		under += by
		most = max(most, under)
	}
	reached, leave := make(chan struct{}, 10), make(chan struct{})
	f := serve(t, func(_ int, a *asked, w http.ResponseWriter, _ *http.Request) {
		count(+1)
		reached <- struct{}{}
		<-leave
		count(-1)
		say(w, a.verdictOf(len(*a.shown(t).Answer), "correct"))
	})
	r := judge(t, f, t.TempDir(), map[string]any{"max_concurrent": 3})
	var items []sdk.ScoreItem
	for n := range 10 {
		items = append(items, answering(strings.Repeat("x", n%5)))
	}
	go func() {
		for range 3 {
			<-reached
		}
		close(leave)
	}()
	out := score(t, r, items...)
	for n, item := range out.Items {
		if got := number(t, item); got != float64(n%5)/10 {
			t.Errorf("item %d gets %v", n, got)
		}
	}
	if most != 3 || f.calls() != 5 || out.Metrics[metricRemembered] != 5 {
		t.Errorf("%d were under way, %d calls made, %v remembered", most, f.calls(), out.Metrics[metricRemembered])
	}
}
