package framework

import (
	"slices"
	"testing"
)

func TestSettings_FollowsInterpolations(t *testing.T) {
	all, err := FileSettings("a.yaml", []byte(`
a: {b: 7, same: "${.b}", far: "${a.b}", up: {x: "${..b}"}}
data: {size: 512}
select: "${oc.select:data.size,1}"
absent: "${oc.select:data.no,2}"
list: "${oc.select:data.no,[]}"
none: "${oc.select:data.no, Null}"
chain: "${select}"
circle: "${circle}"
env: "${oc.env:HOME}"
part: "x/${a.b}"
must: ???
onto: "${must}"
`))
	if err != nil {
		t.Fatal(err)
	}
	schema := &Schema{places: map[string]Place{}}
	for _, s := range all {
		if err := schema.add(entry{Key: s.Key, Default: EncodedJSON(s.Value)}); err != nil {
			t.Fatal(err)
		}
	}
	v := &Settings{Schema: schema}
	for key, want := range map[string]any{
		"a.same": int64(7), "a.far": int64(7), "a.up.x": int64(7), "select": int64(512), "absent": int64(2),
		"list": []any{}, "none": nil, "chain": int64(512),
	} {
		if got, ok := v.Value(key); !ok || !Equal(got, want) {
			t.Errorf("%s is %v (%v), want %v", key, got, ok, want)
		}
	}
	for _, key := range []string{"circle", "env", "part", "must", "onto", "no.such"} {
		if got, ok := v.Value(key); ok {
			t.Errorf("%s is %v, which is not known", key, got)
		}
	}
	v.Set(&Setting{Key: "data.size", Value: 9})
	if got, _ := v.Value("chain"); !Equal(got, int64(9)) {
		t.Errorf("chain is %v after a change", got)
	}
}

// A stronger level counts, and within a level the last value.
func TestSettings_MergeByLevel(t *testing.T) {
	m := &Settings{}
	for i, level := range []Level{File, Override, Default, Spec, File, Override, Spec, Default} {
		m.Set(&Setting{Key: "a", Value: i, Level: level})
	}
	for level, want := range map[Level]int64{Override: 5, Spec: 6, File: 4, Default: 7} {
		if got := m.Find("a", level); got == nil || got.Value != want {
			t.Errorf("level %d has %+v, want %d", level, got, want)
		}
	}
	if got := m.Get("a"); got.Value != int64(5) || m.Find("a", Owned) != nil {
		t.Errorf("%+v counts", got)
	}
	m.Set(&Setting{Key: "a", Value: 1.0, Level: Owned})
	var values []any
	for _, p := range m.Replaced() {
		values = append(values, p.Setting.Value)
	}
	want := []any{int64(5), int64(6), int64(3), int64(4), int64(0)}
	if !slices.Equal(values, want) || m.Get("a").Value != 1.0 {
		t.Errorf("replaced are %v, want %v: 1 and 1.0 are equal", values, want)
	}
}

// An interpolation equals the value that it leads to.
func TestSettings_ComparesWhatInterpolationsLeadTo(t *testing.T) {
	m := &Settings{}
	m.Set(&Setting{Key: "a", Value: 4, Level: File})
	m.Set(&Setting{Key: "b", Value: "${a}", Level: File})
	m.Set(&Setting{Key: "b", Value: 4, Level: Owned})
	if got := m.Replaced(); len(got) != 0 {
		t.Errorf("replaced is %+v", got[0].Setting)
	}
	m.Settle("b", 4, "")
	m.Settle("a", 5, "a reason")
	if value, _ := m.WrittenValue("b"); value != int64(4) || m.Get("a").Why != "a reason" || m.Get("b").Yields {
		t.Errorf("b is written %v, a is %+v", value, m.Get("a"))
	}
}

func TestFileSettings_HaveLines(t *testing.T) {
	got, err := FileSettings("mine.yaml", []byte("a:\n  b: [1]\n  c:\n  d: null\nenv: {x y: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Setting{
		{Key: "a.b", Origin: "config:mine.yaml:2"}, {Key: "a.c", Origin: "config:mine.yaml:3", Empty: true},
		{Key: "a.d", Origin: "config:mine.yaml:4"}, {Key: "env", Origin: "config:mine.yaml:5"},
	} {
		if s := got[i]; s.Key != want.Key || s.Origin != want.Origin || s.Empty != want.Empty || s.Level != File {
			t.Errorf("%+v, want %+v", s, want)
		}
	}
}
