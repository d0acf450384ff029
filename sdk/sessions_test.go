package sdk_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

func TestSessions(t *testing.T) {
	type session struct{ name string }
	a, b, c := &session{"a"}, &session{"b"}, &session{"c"}
	s := sdk.Sessions[*session]{Max: 2}
	if _, err := s.Get("1"); !errors.Is(err, sdk.ErrSessionLost) {
		t.Errorf("an unknown episode: %v", err)
	}
	for _, added := range []struct {
		id       string
		session  *session
		before   *session
		replaced bool
		limit    bool
	}{{"1", a, nil, false, false}, {"2", b, nil, false, false}, {"3", c, nil, false, true}, {"1", c, a, true, false}} {
		before, replaced, err := s.Add(added.id, added.session)
		failure := (*sdk.Failure)(nil)
		limit := errors.As(err, &failure) && failure.Retryable && strings.Contains(failure.Detail, "max_sessions")
		if before != added.before || replaced != added.replaced || limit != added.limit {
			t.Errorf("adding %s as %s: %v, %v, %v", added.session.name, added.id, before, replaced, err)
		}
	}
	s.Remove("1", a) // c has replaced it
	if got, err := s.Get("1"); got != c || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, open := s.Take("2"); got != b || !open {
		t.Errorf("took %v, %v", got, open)
	}
	if _, open := s.Take("2"); open {
		t.Error("an episode is taken twice")
	}
	if all := s.TakeAll(); len(all) != 1 || all[0] != c {
		t.Errorf("took %v", all)
	}
	s.Remove("1", c)
	if _, _, err := s.Add("4", a); err != nil {
		t.Error(err)
	}
}
