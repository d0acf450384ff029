package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/awhost/awhost/internal/realtest"
)

// Calls of files.py and the expected results. The first test writes the files of the folder.
var fileCalls = []struct {
	name      string
	tool      string
	arguments map[string]any
	refused   bool
	want      string // the complete answer
}{
	{
		name: "lists files, but no links and no answers", tool: "list_files",
		want: "blob.bin (3 bytes)\nlong.txt (9000 bytes)\nsub/page.html (165 bytes)\ntable.csv (38 bytes)",
	},
	{
		name: "reads a piece", tool: "read_file", arguments: map[string]any{"path": "./sub/../long.txt", "offset": 4990},
		want: strings.Repeat("x", 10) + "END" + strings.Repeat("y", 3987) +
			"\n[Characters 4990 to 8990 of 9000. Go on with offset 8990.]",
	},
	{
		name: "reads the end", tool: "read_file", arguments: map[string]any{"path": "long.txt", "offset": 8998}, want: "yy",
	},
	{
		name: "beyond the end", tool: "read_file", arguments: map[string]any{"path": "long.txt", "offset": 9001},
		refused: true, want: "The offset has to be from 0 to 9000.",
	},
	{
		name: "no text", tool: "read_file", arguments: map[string]any{"path": "blob.bin"},
		refused: true, want: "'blob.bin' is not text.",
	},
	{
		name: "a file next to the folder", tool: "read_file", arguments: map[string]any{"path": "../top.txt"},
		refused: true, want: "There is no file '../top.txt'. list_files shows what there is.",
	},
	{
		name: "a link out of the folder", tool: "read_file", arguments: map[string]any{"path": "link.txt"},
		refused: true, want: "There is no file 'link.txt'. list_files shows what there is.",
	},
	{
		name: "a folder that is a link", tool: "read_file", arguments: map[string]any{"path": "up/top.txt"},
		refused: true, want: "There is no file 'up/top.txt'. list_files shows what there is.",
	},
	{
		name: "the answers", tool: "read_file", arguments: map[string]any{"path": "Metadata.jsonl"},
		refused: true, want: "There is no file 'Metadata.jsonl'. list_files shows what there is.",
	},
	{
		name: "the answers in a search", tool: "find_text", arguments: map[string]any{"text": "SECRET"},
		want: "No line contains 'SECRET'.",
	},
	{
		name: "finds text", tool: "find_text", arguments: map[string]any{"text": "ulm"},
		want: "table.csv:2: \"Ulm, old\",1\ntable.csv:3: Ulm,2",
	},
	{
		name: "some columns of some rows", tool: "read_table",
		arguments: map[string]any{
			"path": "table.csv", "columns": []string{"people", "city"}, "where": map[string]any{"people": "1"},
		},
		want: "people,city\n1,\"Ulm, old\"\n[Rows 1 to 1 of 1.]",
	},
	{
		name: "rows from the second on", tool: "read_table", arguments: map[string]any{"path": "table.csv", "skip": 1},
		want: "city,people\nUlm,2\nNess,3\n[Rows 2 to 3 of 3.]",
	},
	{
		name: "a number, and nothing for what may be left out", tool: "read_table",
		arguments: map[string]any{"path": "table.csv", "columns": nil, "where": map[string]any{"people": 2}},
		want:      "city,people\nUlm,2\n[Rows 1 to 1 of 1.]",
	},
	{
		name: "no such column", tool: "read_table",
		arguments: map[string]any{"path": "table.csv", "where": map[string]any{"town": "Ulm"}},
		refused:   true, want: "There is no column 'town'. There are: city, people.",
	},
	{
		name: "no table", tool: "read_table", arguments: map[string]any{"path": "long.txt"},
		refused: true, want: "'long.txt' is not a CSV file. read_file reads texts, open_page HTML.",
	},
	{
		name: "a page", tool: "open_page", arguments: map[string]any{"path": "sub/page.html"},
		want: "A page\nSee [1: that], [2: those] and [3: these].\n" +
			"Links:\n1: other page.html\n2: https://example.com/\n3: ../top.txt",
	},
	{
		name: "a page that a link leads out to", tool: "open_page", arguments: map[string]any{"path": "../top.txt"},
		refused: true, want: "There is no file '../top.txt'. list_files shows what there is.",
	},
}

// TestGaia_FilesServerKeepsToItsFolder checks that files.py gives access only to the files of its folder.
func TestGaia_FilesServerKeepsToItsFolder(t *testing.T) {
	python, top := gaiaPython(t), t.TempDir()
	for name, text := range map[string]string{
		"top.txt": "SECRET", "folder/Metadata.jsonl": "SECRET", "folder/metadata.level1.csv": "SECRET",
		"folder/long.txt":  strings.Repeat("x", 5000) + "END" + strings.Repeat("y", 3997),
		"folder/blob.bin":  "\xff\xfe\x00",
		"folder/table.csv": "city,people\n\"Ulm, old\",1\nUlm,2\nNess,3\n",
		"folder/sub/page.html": `<title>T</title></style><h1>A page</h1>See <a href="../other%20page.html#a">that</a>, ` +
			`<a href="https://example.com/">those</a> and <a href="../../top.txt">these</a>.`,
	} {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.txt": "../top.txt", "up": ".."} {
		if err := os.Symlink(to, filepath.Join(top, "folder", link)); err != nil {
			t.Fatal(err)
		}
	}
	way := transport.NewStdio(python, nil, "gaia/servers/files.py", filepath.Join(top, "folder"))
	server := client.NewClient(way, client.WithDiscoverTimeout(time.Minute)) // a slow start looks like an old server
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if _, err := server.Initialize(t.Context(), mcp.InitializeRequest{
		Params: mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: "test", Version: "1"}},
	}); err != nil {
		t.Fatal(err)
	}
	listed, err := server.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		if hint := tool.Annotations.ReadOnlyHint; hint == nil || !*hint {
			t.Errorf("%s is not annotated as read-only", tool.Name)
		}
	}
	for _, c := range fileCalls {
		t.Run(c.name, func(t *testing.T) {
			result, err := server.CallTool(t.Context(), mcp.CallToolRequest{
				Params: mcp.CallToolParams{Name: c.tool, Arguments: c.arguments},
			})
			if err != nil {
				t.Fatal(err)
			}
			text, _ := mcp.AsTextContent(result.Content[0])
			if text == nil || text.Text != c.want || result.IsError != c.refused {
				t.Errorf("refused: %t, want %t; got %+v, want %q", result.IsError, c.refused, result.Content, c.want)
			}
		})
	}
}

// TestGaia_FilesServerConforms runs the checks of MCP servers on files.py, including a thousand calls of each tool.
func TestGaia_FilesServerConforms(t *testing.T) {
	realtest.Slow(t)
	server := []string{gaiaPython(t), "gaia/servers/files.py", "gaia/data/questions"}
	out, ok := awhost(t, ".", append([]string{"plugin", "test", "--mcp", "--"}, server...)...)
	if !ok || !strings.Contains(out, "it conforms") {
		t.Error(out)
	}
}
