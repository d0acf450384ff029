package dataset_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/dataset/internal/parquetrows"
	"github.com/awhost/awhost/host/dataset/internal/rowjson"
	"github.com/awhost/awhost/internal/testlevel/property"
)

func openTyped(t testing.TB, typ string, config dataset.Config) *dataset.Dataset {
	t.Helper()
	config.Type = typ
	data, err := dataset.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := data.Close(); err != nil {
			t.Error(err)
		}
	})
	return data
}

func typedError(t testing.TB, typ string, config dataset.Config) error {
	t.Helper()
	config.Type = typ
	data, err := dataset.Open(config)
	if err == nil {
		_ = data.Close()
		t.Fatal("it opens")
	}
	return err
}

// shaped returns the path of a file in the shape of users' files.
func shaped(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("AWHOST_TESTDATA")
	if dir == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the directory with users/aworld to read the files that users have")
	}
	return filepath.Join(dir, "users", "aworld", name)
}

// asJSONL writes the rows of a Parquet file as JSON Lines.
func asJSONL(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []byte
	err = parquetrows.Scan(bytes.NewReader(content), int64(len(content)), nil, func(row parquetrows.Row) bool {
		lines = append(rowjson.Append(lines, row.Columns), '\n')
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, string(lines))
}

var operation = regexp.MustCompile(`(\d+) (plus|minus|times) (\d+)`)

// The GAIA-shaped file and its rows in JSON Lines give the same tasks, and the answers belong to their questions.
func TestGAIAShaped(t *testing.T) {
	path := shaped(t, "gaia_shaped.parquet")
	config := dataset.Config{
		Path: path, Map: map[string]string{"ground_truth": "reward_model.ground_truth", "id": "extra_info.task_id"},
		Drop: []string{"Unnamed: 0"},
	}
	data := openTyped(t, dataset.TypeParquet, config)
	config.Path = asJSONL(t, path)
	if diff := cmp.Diff(tasks(t, open(t, config)), tasks(t, data)); diff != "" {
		t.Errorf("tasks (-JSON Lines +Parquet):\n%s", diff)
	}
	for _, task := range tasks(t, data) {
		var public struct {
			Messages []struct{ Role, Content string }
			Agent    string `json:"agent_name"`
		}
		var private struct {
			GroundTruth string `json:"ground_truth"`
		}
		if err := json.Unmarshal(task.Public, &public); err != nil || len(public.Messages) != 1 ||
			public.Messages[0].Role != "user" || public.Agent == "" {
			t.Fatalf("%s: %v", task.Public, err)
		}
		if err := json.Unmarshal(task.Private, &private); err != nil || !strings.HasPrefix(task.ID, "synthetic-") {
			t.Fatalf("%+v: %v", task, err)
		}
		if want := calculate(t, public.Messages[0].Content); private.GroundTruth != want {
			t.Errorf("%s: the answer is %s, want %s", public.Messages[0].Content, private.GroundTruth, want)
		}
	}
	t.Logf("compared %d tasks", data.Len())
}

func calculate(t *testing.T, question string) string {
	t.Helper()
	match := operation.FindStringSubmatch(question)
	if match == nil {
		t.Fatalf("%q has no operation", question)
	}
	a, _ := strconv.Atoi(match[1]) // the pattern accepts only digits
	b, _ := strconv.Atoi(match[3])
	switch match[2] {
	case "plus":
		return strconv.Itoa(a + b)
	case "minus":
		return strconv.Itoa(a - b)
	}
	return strconv.Itoa(a * b)
}

var answerOf = regexp.MustCompile(`(\d+) rows of (\d+)`)

// The GSM8K-shaped file has a question and an answer, whose last line is the number after ####.
func TestGSM8KShaped(t *testing.T) {
	path := shaped(t, "gsm8k_shaped.parquet")
	config := dataset.Config{Path: path, Extract: map[string]string{"ground_truth": "#### (.*)"}}
	data := openTyped(t, dataset.TypeParquet, config)
	config.Path = asJSONL(t, path)
	lines := open(t, config)
	if diff := cmp.Diff(tasks(t, lines), tasks(t, data)); diff != "" || lines.Fingerprint() != data.Fingerprint() {
		t.Errorf("tasks (-JSON Lines +Parquet):\n%s", diff)
	}
	checked := 0
	for _, task := range tasks(t, data) {
		var public struct{ Prompt string }
		if err := json.Unmarshal(task.Public, &public); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(task.Public), "####") {
			t.Errorf("the answer is public: %s", task.Public)
		}
		if match := answerOf.FindStringSubmatch(public.Prompt); match != nil {
			a, _ := strconv.Atoi(match[1])
			b, _ := strconv.Atoi(match[2])
			if want := fmt.Sprintf(`{"ground_truth":"%d"}`, a*b); string(task.Private) != want {
				t.Errorf("%s: %s, want %s", public.Prompt, task.Private, want)
			}
			checked++
		}
	}
	t.Logf("compared %d tasks, %d answers", data.Len(), checked)
}

// A bad row of a Parquet file is reported with its number and its row group.
func TestBadRowsOfParquet(t *testing.T) {
	const path = "internal/parquetrows/testdata/nested.parquet"
	want := path + ": row 1 (row group 1): message 2: content is missing: "
	err := typedError(t, dataset.TypeParquet, dataset.Config{Path: path})
	for _, want := range []string{want, path + ": row 2 (row group 1): messages is empty: ", path +
		": row 4 (row group 2): message 1: it is missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
	err = typedError(t, dataset.TypeParquet, dataset.Config{Path: "internal/parquetrows/testdata/infinite.parquet"})
	if !strings.Contains(err.Error(), "row 2 (row group 1): x is infinite") || !strings.Contains(err.Error(), "drop") {
		t.Error(err)
	}
	infinite := openTyped(t, dataset.TypeParquet, dataset.Config{Path: "internal/parquetrows/testdata/infinite.parquet",
		Drop: []string{"x"}})
	if infinite.Len() != 2 {
		t.Errorf("without x there are %d rows", infinite.Len())
	}
}

func TestBytesInParquet(t *testing.T) {
	config := dataset.Config{Path: "internal/parquetrows/testdata/binary.parquet"}
	err := typedError(t, dataset.TypeParquet, config)
	if want := `binary.parquet: the column image.bytes contains bytes, which JSON cannot represent: write pictures ` +
		`into messages as parts of type image_url with a data: URL, for example in dataset "python"; without them, ` +
		`the model is trained on the text only`; !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	config.Drop = []string{"image.bytes", "images", "hash"}
	data := openTyped(t, dataset.TypeParquet, config)
	if got := string(tasks(t, data)[0].Public); got != `{"image":{"path":"a.png"},"prompt":"what is this?"}` {
		t.Error(got)
	}
	config.Drop = append(config.Drop, "audio")
	if err := typedError(t, dataset.TypeParquet, config); !strings.Contains(err.Error(),
		`has a column "audio" that could be dropped`) {
		t.Error(err)
	}
}

// A directory of Parquet files is read in the order of their names.
func TestDirectoryOfParquet(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a"} {
		rows := []struct{ Prompt string }{{name + "1"}, {name + "2"}}
		if err := parquet.WriteFile(filepath.Join(dir, name+".parquet"), rows); err != nil {
			t.Fatal(err)
		}
	}
	data := openTyped(t, dataset.TypeParquet, dataset.Config{Path: dir, Map: map[string]string{"prompt": "Prompt"}})
	var got []string
	for _, task := range tasks(t, data) {
		got = append(got, string(task.Public))
	}
	want := []string{`{"prompt":"a1"}`, `{"prompt":"a2"}`, `{"prompt":"b1"}`, `{"prompt":"b2"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The same rows are the same dataset, whatever the format and its structure.
func TestFormatsAgree(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		type row struct {
			Prompt string `parquet:"prompt" json:"prompt"`
			Answer string `parquet:"answer" json:"answer"`
		}
		text := rapid.StringMatching(`[a-zäß ,;"\n\t#]{0,20}[a-z]`)
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) row {
			return row{text.Draw(t, "prompt"),
				text.Draw(t, "answer")}
		}), 1, 20).Draw(rt, "rows")
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		lines, table := "", "prompt,answer\r\n"
		for _, r := range rows {
			line, _ := json.Marshal(r) // two texts have a JSON form
			lines += string(line) + "\n"
			table += fmt.Sprintf("\"%s\",\"%s\"\r\n", strings.ReplaceAll(r.Prompt, `"`, `""`),
				strings.ReplaceAll(r.Answer, `"`, `""`))
		}
		list := "[" + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", ",\n") + "]"
		files := map[string]string{"all.jsonl": lines, "all.csv": table, "list/train.json": list,
			"all.jsonl.gz": gzipped(rt, lines), "all.csv.zst": zstandard(rt, table)}
		for name, content := range files {
			writeFile(t, filepath.Join(dir, name), content)
		}
		if err := parquet.WriteFile(filepath.Join(dir, "all.parquet"), rows); err != nil {
			rt.Fatal(err)
		}
		want := fingerprint(rt, dataset.TypeJSONL, filepath.Join(dir, "all.jsonl"))
		for name, typ := range map[string]string{
			"all.csv": dataset.TypeCSV, "all.csv.zst": dataset.TypeCSV, "all.jsonl.gz": dataset.TypeJSONL,
			"all.parquet": dataset.TypeParquet, "list": dataset.TypeHuggingFace,
		} {
			if got := fingerprint(rt, typ, filepath.Join(dir, name)); got != want {
				rt.Errorf("%s is another dataset than the JSON Lines", name)
			}
		}
	})
}

func fingerprint(t *rapid.T, typ, path string) string {
	data, err := dataset.Open(dataset.Config{Type: typ, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	for i := range data.Len() {
		if _, err := data.Task(i); err != nil {
			t.Fatal(err)
		}
	}
	return data.Fingerprint()
}

func gzipped(t *rapid.T, text string) string {
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	if _, err := writer.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func zstandard(t *rapid.T, text string) string {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	return string(encoder.EncodeAll([]byte(text), nil))
}

func TestCompressedFilesThatAreDamaged(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.jsonl.gz": "no gzip", "b.jsonl.zst": "no zstd",
		"c.csv.gz": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"} {
		writeFile(t, filepath.Join(dir, name), content)
		typ := dataset.TypeJSONL
		if strings.Contains(name, "csv") {
			typ = dataset.TypeCSV
		}
		if err := typedError(t, typ, dataset.Config{Path: filepath.Join(dir, name)}); !strings.Contains(err.Error(), name) {
			t.Error(err)
		}
	}
}

// Without its closing quotes a field would be the rest of the file.
func TestLongRecordsOfCSVAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	writeFile(t, path, "prompt\na\n\"never closed\n")
	if err := os.Truncate(path, 100<<20); err != nil { // zeros, most of them never written
		t.Fatal(err)
	}
	err := typedError(t, dataset.TypeCSV, dataset.Config{Path: path})
	if !strings.Contains(err.Error(), "the record after the one in line 2 is longer than 64 MiB") {
		t.Errorf("%.300v", err)
	}
}

// Every CSV file either opens, and then every row is a valid task, or is rejected.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"prompt,answer\na,b\n", "\xef\xbb\xbfid;prompt\r\n1;\"a\n\"\"b\"\"\"\r\n",
		",question\n0,a\n1", "prompt\n\"", "a\"b\nc", "\xff\xfea"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "rows.csv")
		writeFile(t, path, string(content))
		data, err := dataset.Open(dataset.Config{Type: dataset.TypeCSV, Path: path})
		if err != nil {
			return
		}
		defer data.Close()
		for i := range data.Len() {
			checkTask(t, data, i)
		}
	})
}
