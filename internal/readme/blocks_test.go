package readme

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "# A page\n\nRun `awhost`:\n\n```sh\nawhost plan\n```\n\n" +
	"Write\n`desk/desk.py`:\n\n```python\nx = 1\n```\n\n" +
	"写入 `a.json`：\n\n```json\n{}\n```\n\n```text\nshown\n```\n\nNext: [The end](end.md)\n"

func TestBlocks_HaveTheNamesOfTheirFiles(t *testing.T) {
	want := []Block{
		{"sh", "", "awhost plan\n"}, {"python", "desk/desk.py", "x = 1\n"},
		{"json", "a.json", "{}\n"}, {"text", "", "shown\n"},
	}
	if diff := cmp.Diff(want, Blocks(page)); diff != "" {
		t.Error(diff)
	}
}

func TestScript_RunsAndWrites(t *testing.T) {
	want := "awhost plan\n" +
		"mkdir -p 'desk'\ncat >'desk/desk.py' <<'END OF FILE'\nx = 1\nEND OF FILE\n" +
		"mkdir -p '.'\ncat >'a.json' <<'END OF FILE'\n{}\nEND OF FILE\n"
	if diff := cmp.Diff(want, Script(page)); diff != "" {
		t.Error(diff)
	}
}

func TestNext_IsTheLineAtTheEnd(t *testing.T) {
	if got := Next(page); got != "end.md" {
		t.Errorf("Next = %q", got)
	}
	if got := Next("# The end\n"); got != "" {
		t.Errorf("of the last page, Next = %q", got)
	}
}
