package backend_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// maxOutput exceeds the length of any answer to a text of the fuzzer.
const maxOutput = 64 << 20

// all returns an instance of every class, unconfigured except for a few files.
func all(t testing.TB, profile api.Profile) *backend.Backend {
	t.Helper()
	config, err := expr.Evaluate(`{'GorillaFileSystem': {'root': {'home': {'type': 'directory', 'contents': {
		'd': {'type': 'directory', 'contents': {'g': {'type': 'file', 'content': 'b\na'}}}, 'f': {'type': 'file', 'content': 'line\nline 2'}}}}}}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.New(&api.World{Profile: profile, Today: frozen}, slices.Sorted(maps.Keys(api.Classes)),
		config.(*py.Dict), backend.Names("fuzz", "entry", profile))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scripts returns calls, one per line, nested to the given depth.
func scripts(deep int) []string {
	return []string{
		"cp('d', 'd')\ncp('d', 'd')\nfind('.', 'g')\ndu(True)\nls()\ncd('d')\ncd('d')\npwd()",
		"mv('d', 'd')\ncp('f', 'd')\nrm('d')\nfind()\ncat('f')",
		"power(base=2, exponent=10000000)\npower(base=10.5, exponent=1e308)\npower(base=-1, exponent=0.5)\npower(9, power(9, power(9, 9)))",
		"logarithm(value=2, base=3, precision=100000000)\nlogarithm(value=-1, base=0, precision=-5)\nlogarithm(value=1e308, base=1.0000001, precision=50)",
		"square_root(number=2, precision=100000000)\nsquare_root(number=-4, precision=0)\nsquare_root(number=1e308, precision=3)",
		"round_number(number=1.5, decimal_places=99999999999999999999)\nround_number(10, -400)\nmultiply(a='x', b=999999999)\nmultiply(a=[1], b=99999999)\nadd('a', 1)",
		"echo(content='" + strings.Repeat("x", 40*deep) +
			"', file_name='f')\ncat('f')\nwc('f', 'c')\nsort('f')\ndiff('f', 'f')\ntail('f', -99999999999999999999)",
		"tail('f', 99999999999999999999)\ngrep('f', '')\nfind('', '')\nfind(name=None, path=None)\nwc('f', 'x')",
		"message_login('USR001')\nsend_message('USR002', 'hello (there) add (1)')\nsearch_messages('')\nview_messages_sent()\ndelete_message('USR002')\nadd_contact(None)",
		"authenticate_twitter('john', 'john123')\npost_tweet('x', ['a'], [])\nmention(0, ['b'])\nretweet(0)\ncomment(0, 'c')\nget_user_stats('john')\nsearch_tweets('')",
		"ticket_login('a', 'b')\ncreate_ticket('t', 'd', 3)\nedit_ticket(1, {'priority': 9, 'x': {}})\nresolve_ticket(1, None)\nget_user_tickets('Open')",
		"trading_login('a', 'b')\nplace_order('Buy', 'AAPL', 1e308, 99999999999999999999999)\nfund_account(1e400)\nget_transaction_history('2024-9-1', 'x')\nnotify_price_change(['AAPL'], 'x')",
		"authenticate_travel('a', 'b', 'c', 'read', 'd', 'e')\nregister_credit_card('141053', None, 1, 2, 3)\nget_flight_cost('SFO', 'LAX', '2024-01-01', 'first')\nset_budget_limit(None, -1)\ncompute_exchange_rate('USD', 'EUR', 'x')",
		"fillFuelTank(1e308)\nlockDoors(True, ['driver', 'x'])\nstartEngine('START')\nadjustClimateControl(-1e400, 'f', 99999, None)\nestimate_distance(1, 2)\nset_navigation([])\ndisplayCarStatus({})",
		"ls(", "f()", "kill()", "__import__('os').system('x')", "(lambda: 0)()", "ls().x()",
		"fuzz_entry_MathAPI_instance.add(1, 2)", "add(a=add(1, 2), b=add(add(1, 2), 3))",
		strings.Repeat("add(", deep), "add(" + strings.Repeat("[", deep), "add(a='" + strings.Repeat("ls (", 1000) + "')",
		strings.Repeat("a ", deep), "mean([" + strings.Repeat("1,", deep) + "])",
	}
}

// A reader accepts 200 levels. shallow is a little more, as a seed for the fuzzer, and deep is far more.
const (
	shallow = 300
	deep    = 1_000_000
)

// Deeply nested or unbounded input must not crash an episode.
func TestDeep(t *testing.T) {
	b := all(t, api.V4)
	for _, script := range scripts(deep) {
		for call := range strings.SplitSeq(script, "\n") {
			b.Execute(call)
		}
	}
}

// Any text, on any state that calls can make, must give an answer within the bound.
func FuzzExecute(f *testing.F) {
	for i, script := range scripts(shallow) {
		f.Add(byte(i), script)
	}
	f.Fuzz(func(t *testing.T, profile byte, script string) {
		b := all(t, api.Profile(profile)%api.Profiles)
		for n, call := range strings.Split(script, "\n") {
			if n == 64 {
				break
			}
			if out := b.Execute(call); len(out) > maxOutput {
				t.Errorf("%d bytes answer %.80q", len(out), call)
			}
		}
		if text, err := py.JSONCompact(api.Encode(b.State())); err != nil || len(text) > maxOutput {
			t.Errorf("a state of %d bytes: %v", len(text), err)
		}
	})
}
