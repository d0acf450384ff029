package pythonplugin

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// needPython skips a test if Python is missing.
func needPython(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED, nothing of the Python side is checked: install python3 (3.8 or newer) and put it on PATH")
	}
}

// write creates files in a directory of the test.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// rewardOf configures a reward from the function score in some code.
func rewardOf(t testing.TB, code string, config map[string]any) sdk.Reward {
	t.Helper()
	needPython(t)
	full := map[string]any{"file": filepath.Join(write(t, map[string]string{"rewards.py": code}), "rewards.py"),
		"name": "score", "venv": t.TempDir()}
	for name, value := range config {
		full[name] = value
	}
	return sdktest.Reward(t, Plugin(), "python", full)
}

// item returns an offline item.
func item(answer, truth string) sdk.ScoreItem {
	private, err := json.Marshal(map[string]string{"ground_truth": truth})
	if err != nil {
		panic(err)
	}
	return sdk.ScoreItem{EpisodeID: "e", Task: sdk.Task{ID: "t", Public: json.RawMessage(`{}`), Private: private},
		FinalAnswer: answer}
}

func items(answers ...string) sdk.ScoreRequest {
	var req sdk.ScoreRequest
	for _, answer := range answers {
		req.Items = append(req.Items, item(answer, "42"))
	}
	return req
}

func scoreAll(t testing.TB, r sdk.Reward, req sdk.ScoreRequest) *sdk.ScoreResponse {
	t.Helper()
	out, err := r.Score(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// scoreOne scores one item.
func scoreOne(t testing.TB, r sdk.Reward, i sdk.ScoreItem) sdk.Scored {
	t.Helper()
	return scoreAll(t, r, sdk.ScoreRequest{Items: []sdk.ScoreItem{i}}).Items[0]
}

// refused returns the only diagnostic of configuring the plugin.
func refused(t testing.TB, files map[string]string, config map[string]any) sdk.Diagnostic {
	t.Helper()
	needPython(t)
	full := map[string]any{"file": filepath.Join(write(t, files), "rewards.py"), "name": "score", "venv": t.TempDir()}
	for name, value := range config {
		full[name] = value
	}
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	component := Plugin().Rewards[0]
	if text, err = component.Schema.Complete(text); err != nil {
		t.Fatal(err)
	}
	r, err := component.New(t.Context(), sdk.Setup{Config: text, Log: sdk.NewLogger(t.Output()), Dir: t.TempDir()})
	if err == nil {
		_ = r.(sdk.Stopper).Stop(context.Background(), nil)
		t.Fatal("it is accepted")
	}
	var wrong *sdk.ConfigError
	if !errors.As(err, &wrong) || len(wrong.Diagnostics) != 1 {
		t.Fatalf("want one diagnostic, got %v", err)
	}
	return wrong.Diagnostics[0]
}

// expect checks that a text contains all wanted parts.
func expect(t testing.TB, what, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s: want %q in:\n%s", what, w, text)
		}
	}
}
