package backend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// TestExecute_ArithmeticIsBounded repeats calls in which a few characters request millions.
func TestExecute_ArithmeticIsBounded(t *testing.T) {
	b := all(t, api.V4)
	b.Execute("authenticate_twitter('john', 'john123')")
	b.Execute("ticket_login(username='a', password='b')")
	for range 100 {
		b.Execute("create_ticket(title='x' * 4000000, description=['y' * 9999] * 400, priority=1)")
	}
	text, err := py.JSON(api.Encode(b.State()))
	if err != nil || len(text) > maxOutput {
		t.Errorf("the state has %d bytes: %v", len(text), err)
	}
	if got := b.Execute("cd(folder='x' * 9)"); !strings.Contains(got, "Error during execution: ") {
		t.Errorf("what is left of the bytes is not spent: %s", got)
	}
	if got := b.Execute("cd(folder='d')"); strings.Contains(got, "rror") {
		t.Errorf("a call without arithmetic: %s", got)
	}
}

// TestExecute_NestedCallsAreBounded puts objects into one another, which doubles them with every call. An object that
// contains itself cannot be written.
func TestExecute_NestedCallsAreBounded(t *testing.T) {
	for name, calls := range map[string]func(i int) string{
		"doubling": func(i int) string {
			return fmt.Sprintf("create_ticket(title=get_ticket(ticket_id=%d), description=get_ticket(ticket_id=%d), priority=1)",
				i, i)
		},
		"itself": func(int) string { return "edit_ticket(1, {'description': get_ticket(1)})" },
		"in a list": func(int) string {
			return "create_ticket(title=[get_ticket(1), get_ticket(1)], description=[get_user_tickets()], priority=1)"
		},
		"numbers": func(int) string { return "create_ticket(title=power(2, 1000000), description='', priority=1)" },
	} {
		b := all(t, api.V4)
		refused := 0
		b.Execute("ticket_login(username='a', password='b')")
		b.Execute("create_ticket(title='x', description='y', priority=1)")
		for i := 1; i <= 60; i++ {
			if strings.Contains(b.Execute(calls(i)), "too much for an argument of another") {
				refused++
			}
		}
		text, err := py.JSON(api.Encode(b.State()))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(text) > 4<<20 {
			t.Errorf("%s: the state has %d bytes", name, len(text))
		}
		if refused == 0 && name != "itself" {
			t.Errorf("%s: nothing was refused", name)
		}
		t.Logf("%s: %d of 60 refused, %d bytes of state", name, refused, len(text))
	}
}
