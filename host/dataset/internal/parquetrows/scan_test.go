package parquetrows_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/dataset/internal/parquetrows"
	"github.com/awhost/awhost/host/dataset/internal/rowjson"
	"github.com/awhost/awhost/internal/testlevel/property"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// scan reads a file as one line per row: its location, and its JSON or its mistake.
func scan(t testing.TB, path string, drop ...string) (rows []string, err error) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	err = parquetrows.Scan(file, info.Size(), drop, func(row parquetrows.Row) bool {
		text := row.Problem
		if text == "" {
			text = string(rowjson.Append(nil, row.Columns))
		}
		rows = append(rows, fmt.Sprintf("%d (%d) %s", row.Number, row.Group, text))
		return true
	})
	return rows, err
}

// Golden files fix the JSON form of Parquet types; pyarrow wrote the Parquet files next to them.
func TestGoldens(t *testing.T) {
	for _, name := range []string{"types", "int96", "small_decimals", "nested", "nested_v2", "infinite", "no_rows"} {
		t.Run(name, func(t *testing.T) {
			rows, err := scan(t, filepath.Join("testdata", name+".parquet"))
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(rows, "\n") + "\n"
			golden := filepath.Join("testdata", name+".want")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got); `go test ./host/dataset/internal/parquetrows -update` accepts it:\n%s", diff)
			}
		})
	}
}

// The rows and their locations do not depend on the packing of the pages.
func TestCompressionsAndEncodings(t *testing.T) {
	files, err := filepath.Glob("testdata/many_*.parquet")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		groupSize := 90
		if strings.Contains(file, "plain") || strings.Contains(file, "delta") {
			groupSize = 300
		}
		var want []string
		for i := range 300 {
			row := map[string]any{
				"id": json.Number(fmt.Sprint(i)), "prompt": fmt.Sprintf("question %d %s", i, strings.Repeat("x", i%97)),
				"same": []any{"one of a few", "another", nil}[i%3], "list": nil,
			}
			if i%7 != 0 {
				items := []any{}
				for j := range i % 5 {
					items = append(items, json.Number(fmt.Sprint(j)))
				}
				row["list"] = items
			}
			want = append(want, fmt.Sprintf("%d (%d) %s", i+1, i/groupSize+1, rowjson.Append(nil, row)))
		}
		got, err := scan(t, file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	t.Logf("compared %d files", len(files))
}

func TestBytesAreRefusedUnlessDropped(t *testing.T) {
	const file = "testdata/binary.parquet"
	_, err := scan(t, file)
	var wrong *parquetrows.ColumnsError
	if !errors.As(err, &wrong) {
		t.Fatalf("%v, want a ColumnsError", err)
	}
	if diff := cmp.Diff([]string{"image.bytes", "images", "hash"}, wrong.Columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	rows, err := scan(t, file, wrong.Columns...)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`1 (1) {"hash":null,"image":{"bytes":null,"path":"a.png"},"images":null,"prompt":"what is this?"}`}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("without them (-want +got):\n%s", diff)
	}
	if rows, err = scan(t, file, "image", "images", "hash", "prompt"); err != nil || len(rows) != 1 {
		t.Errorf("without any column: %q, %v", rows, err)
	}
}

func TestScanStops(t *testing.T) {
	content, err := os.ReadFile("testdata/many_zstd.parquet")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = parquetrows.Scan(bytes.NewReader(content), int64(len(content)), nil, func(parquetrows.Row) bool {
		seen++
		return seen < 95
	})
	if err != nil || seen != 95 {
		t.Errorf("%d rows, %v", seen, err)
	}
}

func TestFilesThatAreNoParquet(t *testing.T) {
	whole, err := os.ReadFile("testdata/nested.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, content, want string }{
		{"empty", "", "too short"},
		{"text", `{"prompt": "a"}` + "\n", "does not begin with PAR1"},
		{"cut off", string(whole[:len(whole)-100]), "the Parquet file is truncated"},
		{"only the magic", "PAR1" + strings.Repeat("\x00", 4) + "PAR1", "file"},
		{"a footer longer than the file", "PAR1\xff\xff\xff\x7fPAR1", "the Parquet file is truncated"},
		{"encrypted", "PARE" + strings.Repeat("\x00", 8) + "PARE", "the file is encrypted"},
	} {
		err := parquetrows.Scan(strings.NewReader(test.content), int64(len(test.content)), nil,
			func(parquetrows.Row) bool { return true })
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// record has the kinds of nesting that Go structs can write: optional and required members, lists of both kinds, maps.
type record struct {
	Text     string            `parquet:"text" json:"text"`
	Pointer  *int64            `parquet:"pointer" json:"pointer"`
	Bare     []string          `parquet:"bare" json:"bare"` // repeated without an enclosing LIST
	List     []*int32          `parquet:"list,list" json:"list"`
	Inner    *inner            `parquet:"inner,optional" json:"inner"`
	Inners   []inner           `parquet:"inners,list" json:"inners"`
	Repeated []inner           `parquet:"repeated" json:"repeated"`
	Map      map[string]*int64 `parquet:"map" json:"map"`
}

type inner struct {
	A *string    `parquet:"a" json:"a"`
	B []int64    `parquet:"b,list" json:"b"`
	C [][2]int32 `parquet:"-" json:"-"`
	D float64    `parquet:"d" json:"d"`
}

func TestRowsComeBackAsTheyWereWritten(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		records := rapid.SliceOfN(records(), 0, 20).Draw(t, "records")
		var file bytes.Buffer
		writer := parquet.NewGenericWriter[record](&file, parquet.PageBufferSize(rapid.IntRange(20, 300).Draw(t, "page")),
			parquet.MaxRowsPerRowGroup(7))
		if _, err := writer.Write(records); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		var got []string
		err := parquetrows.Scan(bytes.NewReader(file.Bytes()), int64(file.Len()), nil, func(row parquetrows.Row) bool {
			got = append(got, string(rowjson.Append(nil, row.Columns)))
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, r := range records {
			want = append(want, canonical(t, r))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func canonical(t *rapid.T, r record) string {
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	value, err := rowjson.Parse(text)
	if err != nil {
		t.Fatalf("%s is not a row: %v", text, err)
	}
	return string(rowjson.Append(nil, value))
}

func records() *rapid.Generator[record] {
	text := rapid.StringN(0, 5, 20)
	inners := rapid.Custom(func(t *rapid.T) inner {
		return inner{
			A: rapid.Ptr(text, true).Draw(t, "a"), B: rapid.SliceOfN(rapid.Int64(), 0, 3).Draw(t, "b"),
			D: rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "d"),
		}
	})
	return rapid.Custom(func(t *rapid.T) record {
		return record{
			Text: text.Draw(t, "text"), Pointer: rapid.Ptr(rapid.Int64(), true).Draw(t, "pointer"),
			Bare:  rapid.SliceOfN(text, 0, 3).Draw(t, "bare"),
			List:  rapid.SliceOfN(rapid.Ptr(rapid.Int32(), true), 0, 3).Draw(t, "list"),
			Inner: rapid.Ptr(inners, true).Draw(t, "inner"), Inners: rapid.SliceOfN(inners, 0, 3).Draw(t, "inners"),
			Repeated: rapid.SliceOfN(inners, 0, 3).Draw(t, "repeated"),
			Map:      rapid.MapOfN(text, rapid.Ptr(rapid.Int64(), true), 0, 3).Draw(t, "map"),
		}
	})
}

// A damaged file is an error or other rows, never a crash.
func FuzzDamage(f *testing.F) {
	for _, name := range []string{"types", "nested", "nested_v2"} {
		content, err := os.ReadFile(filepath.Join("testdata", name+".parquet"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, 40, byte(0xff))
		f.Add(content, len(content)-60, byte(1))
	}
	f.Fuzz(func(t *testing.T, content []byte, at int, flip byte) {
		if len(content) < 12 || len(content) > 1<<16 {
			return
		}
		content = bytes.Clone(content)
		content[uint(at)%uint(len(content))] ^= flip
		if footer := binary.LittleEndian.Uint32(content[len(content)-8:]); int(footer) > len(content) {
			return
		}
		rows := 0
		_ = parquetrows.Scan(bytes.NewReader(content), int64(len(content)), nil, func(row parquetrows.Row) bool {
			if row.Columns != nil {
				rowjson.Append(nil, row.Columns)
			}
			rows++
			return rows < 1000
		})
	})
}
