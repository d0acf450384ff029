package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/parquet-go/parquet-go"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/awhost/awhost/host/dataset"
	bfclenv "github.com/awhost/awhost/plugins/bfcl-env"
	pythonplugin "github.com/awhost/awhost/plugins/python"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// tuningRow is a row of EnvTuning's Parquet files, with the columns listed in its README. The files are unpublished.
type tuningRow struct {
	DataSource  string          `parquet:"data_source"`
	Prompt      []tuningMessage `parquet:"prompt,list"`
	Ability     string          `parquet:"ability"`
	RewardModel struct {
		Style       string     `parquet:"style"`
		GroundTruth [][]string `parquet:"ground_truth,list"`
	} `parquet:"reward_model"`
	ExtraInfo struct {
		Split      string `parquet:"split"`
		Index      int64  `parquet:"index"`
		OriginalID string `parquet:"original_id"`
		Dataset    string `parquet:"dataset_type"`
		Arguments  struct {
			Name      string            `parquet:"name"`
			ID        string            `parquet:"id"`
			Config    string            `parquet:"initial_config"`
			Classes   []string          `parquet:"involved_classes,list"`
			Truth     [][]string        `parquet:"ground_truth,list"`
			Later     []string          `parquet:"processed_question,list"`
			Questions [][]tuningMessage `parquet:"question,list"`
		} `parquet:"interaction_kwargs"`
	} `parquet:"extra_info"`
}

type tuningMessage struct {
	Role    string `parquet:"role" json:"role"`
	Content string `parquet:"content" json:"content"`
}

// tuningRows returns the first tasks of base in EnvTuning's form.
func tuningRows(t *testing.T, root string, n int) []tuningRow {
	t.Helper()
	read := func(parts ...string) []string {
		content, err := os.ReadFile(filepath.Join(append([]string{root, "reference", "bfcl", "data_v3"}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(content)), "\n")
	}
	const name = "BFCL_v3_multi_turn_base.json"
	asked, answered := read(name), read("possible_answer", name)
	rows := make([]tuningRow, n)
	for i := range rows {
		var question struct {
			ID       string
			Question [][]tuningMessage
			Config   json.RawMessage `json:"initial_config"`
			Classes  []string        `json:"involved_classes"`
		}
		var answer struct {
			Truth [][]string `json:"ground_truth"`
		}
		if err := json.Unmarshal([]byte(asked[i]), &question); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(answered[i]), &answer); err != nil {
			t.Fatal(err)
		}
		r := &rows[i]
		r.DataSource, r.Ability = "bfcl", "multi_turn_function_calling"
		r.Prompt = append([]tuningMessage{{"system", "Their own prompt."}}, question.Question[0]...)
		r.RewardModel.Style, r.RewardModel.GroundTruth = "interaction", answer.Truth
		r.ExtraInfo.Split, r.ExtraInfo.Index, r.ExtraInfo.OriginalID = "train", int64(i), question.ID
		a := &r.ExtraInfo.Arguments
		a.Name, a.ID, a.Config, a.Classes = "multi_turn_tool_call", question.ID, string(question.Config), question.Classes
		a.Truth, a.Questions = answer.Truth, question.Question
		for _, turn := range question.Question[1:] {
			a.Later = append(a.Later, turn[0].Content)
		}
	}
	return rows
}

// tuningBlock returns the dataset block printed in examples/envtuning/README.md.
func tuningBlock(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../examples/envtuning/README.md")
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile("(?ms)^```hcl\n(dataset \"parquet\" .*?)^```").FindSubmatch(text)
	if match == nil {
		t.Fatal("examples/envtuning/README.md shows no dataset \"parquet\"")
	}
	return string(match[1])
}

// decodeTuningBlock returns the configuration of a block with constants.
func decodeTuningBlock(t *testing.T, text string) dataset.Config {
	t.Helper()
	file, problems := hclsyntax.ParseConfig([]byte(text), "README.md", hcl.InitialPos)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	block := file.Body.(*hclsyntax.Body).Blocks[0]
	attributes := map[string]json.RawMessage{}
	for name, attribute := range block.Body.Attributes {
		value, problems := attribute.Expr.Value(nil)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		raw, err := ctyjson.Marshal(value, value.Type())
		if err != nil {
			t.Fatal(err)
		}
		attributes[name] = raw
	}
	raw, err := json.Marshal(attributes)
	if err != nil {
		t.Fatal(err)
	}
	schema, _ := dataset.Schema(block.Labels[0])
	complete, err := schema.Complete(raw)
	if err != nil {
		t.Fatal(err)
	}
	config, err := dataset.Decode(block.Labels[0], complete)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// referenceData returns the folder with published third-party data.
func referenceData(t *testing.T) string {
	t.Helper()
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the directory with reference/bfcl to write rows as EnvTuning has them")
	}
	return root
}

// EnvTuning's files must be read as documented in the README, no part of an answer may be public, and each row must
// be played from its own columns.
func TestEnvTuning_ItsParquetFilesArePlayed(t *testing.T) {
	root, dir := referenceData(t), t.TempDir()
	rows := tuningRows(t, root, 12)
	path := filepath.Join(dir, "train_format_75.parquet")
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	config := decodeTuningBlock(t, tuningBlock(t))
	config.Path = filepath.Join(dir, config.Path)
	data, err := dataset.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	e := sdktest.Environment(t, bfclenv.Plugin(), "bfcl", map[string]any{
		"source": filepath.Join(root, "reference", "bfcl", "data_v3"), "profile": "envtuning", "mode": "envtuning",
		"categories": []string{"base"},
	}).(sdk.EnvironmentWithSnapshot)
	for i := range data.Len() {
		task, err := data.Task(i)
		if err != nil {
			t.Fatal(err)
		}
		if want := rows[i].ExtraInfo.OriginalID; task.ID != want {
			t.Errorf("row %d has the id %s, want %s", i, task.ID, want)
		}
		holdPublic(t, task, rows[i])
		playRow(t, e, task, rows[i])
	}
	if data.Len() != len(rows) {
		t.Errorf("%d tasks are read, want %d", data.Len(), len(rows))
	}
}

// EnvTuning's reward functions must score its rows as documented in the README; they require a task's ground truth.
func TestEnvTuning_ItsRewardsScoreItsRows(t *testing.T) {
	root, dir := referenceData(t), t.TempDir()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED, EnvTuning's own rewards were not run: there is no python3")
	}
	block := tuningBlock(t)
	config := decodeTuningBlock(t, block)
	config.Path = filepath.Join(dir, config.Path)
	if err := parquet.WriteFile(config.Path, tuningRows(t, root, 75)); err != nil {
		t.Fatal(err)
	}
	data, err := dataset.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	form := regexp.MustCompile(`reward "python" "\w+" {\s+file = "(\w+\.py)"\s+name = "(\w+)"\s+}`)
	shown := form.FindStringSubmatch(block)
	if shown == nil {
		t.Fatalf("the README shows no reward of Python:\n%s", block)
	}
	reward := sdktest.Reward(t, pythonplugin.Plugin(), "python", map[string]any{
		"file": filepath.Join(root, "users", "envtuning", shown[1]), "name": shown[2], "venv": t.TempDir(),
	})
	var items []sdk.ScoreItem
	for i := range data.Len() {
		task, err := data.Task(i)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, sdk.ScoreItem{EpisodeID: task.ID, Task: task, TurnRewards: []float64{-1, 1}})
	}
	for i, scored := range scores(t, reward, items) {
		if scored.Score != 2 {
			t.Errorf("%s is worth %v, want 2", items[i].Task.ID, scored.Score)
		}
	}
}

// holdPublic checks that the public part of a task contains no part of its answer.
func holdPublic(t *testing.T, task sdk.Task, row tuningRow) {
	t.Helper()
	var public map[string]json.RawMessage
	if err := json.Unmarshal(task.Public, &public); err != nil {
		t.Fatal(err)
	}
	if names := slices.Sorted(maps.Keys(public)); !slices.Equal(names, []string{"ability", "data_source", "messages"}) {
		t.Errorf("%s: the columns %v are public", task.ID, names)
	}
	for _, turn := range row.ExtraInfo.Arguments.Truth {
		for _, call := range turn {
			if strings.Contains(string(task.Public), call) {
				t.Errorf("%s: %s is public", task.ID, call)
			}
		}
	}
}

// playRow opens a row, and checks the messages for the model and that the environment has loaded the row's task.
func playRow(t *testing.T, e sdk.EnvironmentWithSnapshot, task sdk.Task, row tuningRow) {
	t.Helper()
	opened, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: task.ID, Task: task})
	if err != nil {
		t.Fatal(err)
	}
	said := []string{opened.Messages[0].Content, opened.Messages[len(opened.Messages)-1].Content}
	if want := []string{row.Prompt[0].Content, row.Prompt[1].Content}; !slices.Equal(said, want) {
		t.Errorf("%s: the model is told %q, want %q", task.ID, said, want)
	}
	state, err := e.Snapshot(t.Context(), task.ID)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		From  string `json:"played_from"`
		Turns int    `json:"turns"`
	}
	if err := json.Unmarshal(state, &got); err != nil || got.From != "row" ||
		got.Turns != 1+len(row.ExtraInfo.Arguments.Later) {
		t.Errorf("%s: %+v, %v; want %d turns from the row", task.ID, got, err, 1+len(row.ExtraInfo.Arguments.Later))
	}
	if _, err := e.Close(t.Context(), sdk.CloseRequest{EpisodeID: task.ID, Reason: "done"}); err != nil {
		t.Fatal(fmt.Errorf("close: %w", err))
	}
}
