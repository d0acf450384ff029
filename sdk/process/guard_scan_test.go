//go:build linux

package process

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMark_SurvivesTheEnvironment(t *testing.T) {
	m := mark{run: testRun, incarnation: 3, host: identityOf(t, os.Getpid()), serial: 17}
	got := parseTag([]byte("PATH=/bin\x00" + EnvMark + "=" + m.String() + "\x00" + EnvInstance + "=reward.x\x00" +
		EnvDetachable + "=1\x00"))
	if want := (tag{mark: m, marked: true, detachable: true, instance: "reward.x"}); got != want {
		t.Errorf("tag %+v; want %+v", got, want)
	}
	if !m.sameHost(mark{run: m.run, incarnation: 3, host: m.host}) {
		t.Error("two starts of one host count as different")
	}
	for what, other := range map[string]mark{
		"run":         {run: "another", incarnation: 3, host: m.host},
		"incarnation": {run: m.run, incarnation: 4, host: m.host},
		"host":        {run: m.run, incarnation: 3},
	} {
		if m.sameHost(other) {
			t.Errorf("another %s counts as the same start", what)
		}
	}
}

func TestParseTag_InvalidMarks(t *testing.T) {
	for _, environment := range []string{
		"", "\x00\x00", EnvMark, EnvMark + "=", EnvMark + "=/1/2/3/pid:[4]/5", EnvMark + "=run/1/2/3/pid:[4]", EnvMark +
			"=run/x/2/3/pid:[4]/5",
		EnvMark + "=run/1/2/-3/pid:[4]/5", EnvMark + "=a b/1/2/3/pid:[4]/5", "X" + EnvMark + "=run/1/2/3/pid:[4]/5", "X=1\n" +
			EnvMark + "=run/1/2/3/pid:[4]/5",
	} {
		if got := parseTag([]byte(environment)); got.marked {
			t.Errorf("%q is accepted as the mark %v", environment, got.mark)
		}
	}
}

func FuzzParseMark(f *testing.F) {
	f.Add("run/1/2/3/pid:[4026531836]/5")
	f.Add("////")
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := parseMark(text)
		if !ok {
			return
		}
		if again, ok := parseMark(m.String()); !ok || again != m {
			t.Errorf("%q is %+v, and once written %+v", text, m, again)
		}
	})
}

// Each case is a process tree and the processes in it to be ended.
func TestChoose(t *testing.T) {
	ours := mark{run: testRun, incarnation: 1}
	other := mark{run: "another", incarnation: 1}
	tags := map[string]tag{
		"ours": {mark: ours, marked: true}, "other": {mark: other, marked: true}, "": {},
		"detached": {mark: ours, marked: true, detachable: true}, "detached?": {detachable: true},
	}
	type entry struct {
		pid, parent int
		tag         string
		dead        bool
	}
	const self = 10
	for name, test := range map[string]struct {
		all   []entry
		below int
		want  []int
	}{
		"marks": {all: []entry{{20, 1, "ours", false}, {21, 1, "other", false},
			{22, 1, "", false}}, want: []int{20}},
		"descendants": {all: []entry{{20, self, "", false}, {21, 20, "other", false},
			{22, 1, "", false}}, below: self, want: []int{20, 21}},
		"descendants of marks": {all: []entry{{20, 1, "ours", false}, {21, 20, "", false}, {22, 21, "", false}},
			want: []int{20, 21, 22}},
		"no zombies": {all: []entry{{20, self, "", true}, {21, 1, "ours", true}}, below: self},
		"not itself, nor its ancestors": {all: []entry{{5, 1, "ours", false}, {self, 5, "ours", false},
			{20, 5, "", false}}},
		"detached, and what descends": {all: []entry{{20, self, "detached", false}, {21, 20, "ours", false},
			{22, 21, "", false}}, below: self},
		"detached by a word alone": {all: []entry{{20, self, "", false}, {21, 20, "detached?", false}}, below: self,
			want: []int{20}},
		"detached elsewhere does not count": {all: []entry{{20, 1, "detached?", false}, {21, 20, "ours", false}},
			want: []int{21}},
		"a circle of reused pids": {all: []entry{{20, 21, "", false}, {21, 20, "", false}, {22, 21, "ours", false}},
			want: []int{22}},
	} {
		t.Run(name, func(t *testing.T) {
			all := table{}
			for _, e := range append(test.all, entry{1, 0, "", false}) {
				state := byte('S')
				if e.dead {
					state = 'Z'
				}
				tag := tags[e.tag]
				all[e.pid] = &processInfo{pid: e.pid, procStat: procStat{parent: e.parent, state: state}, tag: &tag}
			}
			if all[self] == nil {
				all[self] = &processInfo{pid: self, procStat: procStat{parent: 1, state: 'S'}, tag: &tag{}}
			}
			got := map[int]bool{}
			for _, f := range all.choose(selection{below: test.below, marked: func(t tag) bool { return t.mark == ours },
				except: all.selfAndAncestors(self)}) {
				got[f.pid] = true
			}
			if diff := cmp.Diff(test.want, slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("chosen (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProcessInfo_KillVerifiesIdentity(t *testing.T) {
	p := startActor(t, actorConfig(t, "block"))
	id, err := p.Identity()
	if err != nil {
		t.Fatal(err)
	}
	recycled := processInfo{pid: id.PID, procStat: procStat{started: id.Started - 1}}
	recycled.kill()
	if !Alive(id) {
		t.Fatal("a process with a reused pid was killed")
	}
	same := processInfo{pid: id.PID, procStat: procStat{started: id.Started}}
	same.kill()
	waitExit(t, p)
}

// A trainer that was started a moment before its host exited must not be killed while the kernel does not show its
// environment yet.
func TestEndAll_WaitsForEnvironment(t *testing.T) {
	p := startActor(t, actorConfig(t, "block"))
	id, err := p.Identity()
	if err != nil {
		t.Fatal(err)
	}
	stat, err := readStat(id.PID)
	if err != nil {
		t.Fatal(err)
	}
	if stat.environment == 0 {
		t.Error("the environment of a running process is not found")
	}
	stat.environment = 0
	tables := [][]*processInfo{{{pid: id.PID, procStat: stat}}, nil} // the next one shows that it is detached
	ended, err := endAll(t.Context(), func() ([]*processInfo, error) {
		table := tables[0]
		tables = tables[1:]
		return table, nil
	}, func() {})
	if err != nil || len(ended) > 0 || !Alive(id) {
		t.Errorf("%v were ended, %v; the process lives: %t", ended, err, Alive(id))
	}
	hidden := processInfo{pid: id.PID, procStat: procStat{started: 1}}
	if hidden.environmentPending() {
		t.Error("a process that hides its environment is undecided forever")
	}
	if empty := (processInfo{procStat: procStat{started: stat.started, environment: 1}}); empty.environmentPending() {
		t.Error("an empty environment counts as one that is not set up yet")
	}
	if err := p.Kill(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestLeftover_EscapesControlCharacters(t *testing.T) {
	text := Leftover{PID: 7, Program: "\x1b[31mred", Instance: "a\nb"}.String()
	if strings.ContainsAny(text, "\x1b\n") {
		t.Errorf("%q has control characters", text)
	}
}
