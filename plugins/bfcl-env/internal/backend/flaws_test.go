package backend_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// alone creates the instance of a class in a world.
func alone(t *testing.T, world *api.World, class, config string) *backend.Backend {
	t.Helper()
	c, err := expr.Evaluate(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.New(world, []string{class}, c.(*py.Dict), backend.Names("p", "e", world.Profile))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The reference inserts instance names into the texts of calls. With Verbatim, texts stay unchanged.
func TestTexts(t *testing.T) {
	const config = `{'GorillaFileSystem': {'root': {'r': {'type': 'directory', 'contents': {'f': {'type': 'file', 'content': ''}}}}}}`
	const call = `echo(content='please sort (now) and foo (bar)', file_name='f')`
	for verbatim, want := range map[bool]string{
		false: `{"file_content": "please p_e_GorillaFileSystem_instance.sort(now) and foo(bar)"}`,
		true:  `{"file_content": "please sort (now) and foo (bar)"}`,
	} {
		b := alone(t, &api.World{Verbatim: verbatim}, "GorillaFileSystem", config)
		b.Execute(call)
		if got := b.Execute("cat('f')"); got != want {
			t.Errorf("verbatim %v: %s, want %s", verbatim, got, want)
		}
		for _, same := range []string{"ls ()", "sort('f')", "x(1)", "remove('f')", "wc(file_name='f', mode=ls())"} {
			other := alone(t, &api.World{Verbatim: !verbatim}, "GorillaFileSystem", config)
			other.Execute("echo(content='please', file_name='f')")
			mine := alone(t, &api.World{Verbatim: verbatim}, "GorillaFileSystem", config)
			mine.Execute("echo(content='please', file_name='f')")
			if a, b := mine.Execute(same), other.Execute(same); a != b {
				t.Errorf("%s: %s, and otherwise %s", same, a, b)
			}
		}
	}
}

// The cards that long contexts add belong to all instances that share, as in the reference, or to each instance.
func TestCardsOfLongContexts(t *testing.T) {
	constants, err := expr.Evaluate(`{'CREDIT_CARD_EXTENSION': {'1': {'card_number': '1', 'balance': 5000.0}}, 'BOOKING_RECORD_EXTENSION': {'b': {'transaction_id': 't'}}}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]py.Value{}
	for i, name := range constants.(*py.Dict).Keys() {
		all[name.(string)] = constants.(*py.Dict).Values()[i]
	}
	tables := api.NewTables(all)
	const config = `{'TravelAPI': {'access_token': 'a', 'token_expires_in': 2}}`
	for name, c := range map[string]struct {
		shared *api.Shared
		want   string
	}{"shared": {api.NewShared(), "4990.0"}, "apart": {nil, "5000.0"}} {
		world := &api.World{LongContext: true, Tables: tables, Shared: c.shared}
		one, other := alone(t, world, "TravelAPI", config), alone(t, world, "TravelAPI", config)
		if out := one.Execute("purchase_insurance('a', 'full', 'b', 10.0, '1')"); strings.Contains(out, "rror") {
			t.Fatal(out)
		}
		if got := other.Execute("get_credit_card_balance('a', '1')"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	world := &api.World{LongContext: true, Tables: tables, Shared: api.NewShared()}
	if got := alone(t, world, "TravelAPI", config).Execute("get_credit_card_balance('a', '1')"); !strings.Contains(got,
		"5000.0") {
		t.Errorf("another episode pays, too: %s", got)
	}
}
