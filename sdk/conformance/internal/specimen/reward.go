package specimen

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// Score implements RewardService.
func (s *specimen) Score(ctx context.Context, req *awhostv1.ScoreRequest) (*awhostv1.ScoreResponse, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	if s.breaks("RWD-GROUP-01") && req.GetMissing() > 0 {
		return nil, status.Error(codes.InvalidArgument, "the group is incomplete")
	}
	if s.breaks("RWD-CANCEL-01") && givenUp(ctx) {
		os.Exit(1)
	}
	if s.breaks("RWD-LEAK-01") || s.breaks("RWD-LEAK-02") {
		s.leak()
	}
	if err := s.leaveDirectory("RWD-FILES-01"); err != nil {
		return nil, err
	}
	out := &awhostv1.ScoreResponse{}
	answers := map[string]*awhostv1.ScoreItem{}
	for i, item := range req.GetItems() {
		if len(item.GetTask().GetPrivateJson()) == 0 && len(req.GetItems()) == 1 && s.breaks("RWD-EMPTY-01") {
			return nil, status.Error(codes.InvalidArgument, "the task has no ground truth")
		}
		if item.GetTask() == nil && len(req.GetItems()) > 1 && s.breaks("RWD-BATCH-02/bare") {
			return nil, status.Error(codes.InvalidArgument, "the item has no task")
		}
		if len(item.GetFinalAnswer()) > 1<<19 && s.breaks("RWD-TEXT-01") {
			return nil, status.Error(codes.ResourceExhausted, "too long")
		}
		if s.breaks("RWD-PARALLEL-01") {
			item = s.throughSharedState(item)
		}
		if first, again := answers[item.GetFinalAnswer()]; again && s.breaks("RWD-BATCH-03") {
			item = first
		}
		answers[item.GetFinalAnswer()] = item
		result := s.judge(item)
		if v := result.GetValue(); v != nil && s.breaks("RWD-BATCH-01") && i > 0 {
			v.Score++
		}
		if v := result.GetValue(); v != nil && s.breaks("RWD-BATCH-02") && i == batchSize-1 {
			v.Score++
		}
		if v := result.GetValue(); v != nil && s.breaks("RWD-BATCH-04") && i == 0 && len(req.GetItems()) == 2 &&
			len(req.GetItems()[1].GetFinalAnswer()) > 10_000 {
			v.Score++
		}
		if v := result.GetValue(); v != nil && s.breaks("RWD-GROUP-02") {
			v.Score += float64(i)
		}
		out.Items = append(out.Items, result)
	}
	if s.breaks("RWD-SCORE-01") {
		out.Items = append(out.Items, &awhostv1.ScoreResult{})
	}
	return out, nil
}

// countCall counts calls and returns the count.
func (s *specimen) countCall() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return s.calls
}

// leak keeps memory, or leaves a file open on every hundredth call.
func (s *specimen) leak() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls++; s.breaks("RWD-LEAK-02") {
		s.kept = append(s.kept, bytes.Repeat([]byte("leak"), 8<<10))
	} else if s.calls%100 == 0 {
		if f, err := os.Open(os.DevNull); err == nil {
			s.kept = append(s.kept, f)
		}
	}
}

// throughSharedState briefly keeps the item in one of the plugin's variables, as a careless reward does.
func (s *specimen) throughSharedState(item *awhostv1.ScoreItem) *awhostv1.ScoreItem {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = item
	s.awaitOverlap()
	return s.last
}

func (s *specimen) judge(item *awhostv1.ScoreItem) *awhostv1.ScoreResult {
	if s.configured.GetType() == judgeType {
		if s.breaks("RWD-REACH-01") {
			return &awhostv1.ScoreResult{Result: &awhostv1.ScoreResult_Value{Value: &awhostv1.ScoreValue{}}}
		}
		return noScore("no judge listens at the endpoint")
	}
	var private struct {
		Answer any `json:"answer"`
	}
	var truth struct{ Answer *string }
	switch err := json.Unmarshal(item.GetTask().GetPrivateJson(), &private); {
	case private.Answer != nil && !(s.breaks("RWD-TRUTH-03") && private.Answer == 0.0):
		if list, ok := private.Answer.([]any); ok && len(list) > 0 { // of accepted answers
			private.Answer = list[0]
			for _, other := range list {
				if fmt.Sprint(other) == strings.TrimSpace(item.GetFinalAnswer()) && !s.breaks("RWD-TRUTH-04") {
					private.Answer = other
				}
			}
		}
		text := fmt.Sprint(private.Answer)
		if object, ok := private.Answer.(map[string]any); ok {
			written, err := json.Marshal(object)
			if text = string(written); err != nil {
				return noScore(err.Error())
			}
		}
		truth.Answer = &text
	case err == nil && s.breaks("RWD-ODD-01/missing"):
		truth.Answer = new(string)
	}
	if truth.Answer == nil && s.breaks("RWD-TRUTH-02") && item.GetFinalAnswer() == "42" {
		return &awhostv1.ScoreResult{Result: &awhostv1.ScoreResult_Value{Value: &awhostv1.ScoreValue{}}}
	}
	if truth.Answer == nil || s.breaks("RWD-TEXT-02") && len(item.GetFinalAnswer()) > 3000 ||
		s.breaks("RWD-DIGIT-02") && item.GetFinalAnswer() == "²" ||
		s.breaks("RWD-TEXT-04") && item.GetFinalAnswer() == "I do not know." ||
		s.breaks("RWD-NEEDS-01") && len(item.GetMessages()) == 0 && item.GetFinalAnswer() == "41" ||
		s.breaks("RWD-DIGIT-03") && item.GetFinalAnswer() == "1e308" ||
		s.breaks("RWD-TEXT-03") && strings.HasPrefix(item.GetFinalAnswer(), "[[[") {
		return noScore("the task has no answer")
	}
	score := 0.0
	switch s.mutant {
	case "RWD-PRIVATE-01":
		fmt.Fprintf(os.Stderr, "the answer is %s\n", *truth.Answer)
	case "RWD-PRIVATE-02":
		if _, err := strconv.Atoi(*truth.Answer); err != nil && !strings.HasPrefix(*truth.Answer, "{") {
			return noScore(err.Error())
		}
	case "RWD-PRIVATE-01/failure":
		if _, err := strconv.Atoi(*truth.Answer); (err != nil || len(*truth.Answer) > 2) && (*truth.Answer)[0] != '{' {
			return noScore("the answer is not a small number: " + *truth.Answer)
		}
	}
	if s.breaks("RWD-DRIFT-01") && s.countCall() > 3000 {
		return noScore("it is tired")
	}
	answer := strings.TrimSpace(item.GetFinalAnswer())
	if s.breaks("RWD-PURE-01/key") {
		answer = s.cachedAnswer(item, answer)
	}
	if s.breaks("RWD-BATCH-03/cache") {
		s.mu.Lock()
		if known, ok := s.judged[answer]; ok {
			*truth.Answer = known
		}
		s.judged[answer] = *truth.Answer
		s.mu.Unlock()
	}
	if answer == *truth.Answer && !s.breaks("RWD-SCORE-02") || s.acceptsBadAnswer(item, answer, *truth.Answer) {
		score = 1
	}
	v := &awhostv1.ScoreValue{Score: score, Components: map[string]float64{"exact": score}}
	switch s.mutant {
	case "RWD-PURE-03":
		if key := "case " + strings.ToLower(answer); strings.HasPrefix(answer, "{") {
			s.mu.Lock()
			s.judged[key] = cmp.Or(s.judged[key], item.GetFinalAnswer())
			v.Components["exact"] = float64(strings.Count(s.judged[key], "N"))
			s.mu.Unlock()
		}
	case "RWD-PURE-02":
		if strings.HasSuffix(item.GetTask().GetId(), "-7") {
			v.Components["exact"] = float64(os.Getpid())
		}
	case "RWD-PRIVATE-03":
		if _, ok := private.Answer.(float64); ok {
			v.Notes = map[string]string{"compared": "with " + *truth.Answer}
		}
	case "RWD-SCORE-03":
		v.Components["invented"] = 1
	case "RWD-REPEAT-01":
		v.Score = max(v.Score, float64(strings.Count(answer+" ", *truth.Answer+" "))-2)
	case "RWD-PURE-01":
		s.mu.Lock()
		s.calls++
		v.Components["exact"] += float64(s.calls)
		s.mu.Unlock()
	}
	return &awhostv1.ScoreResult{Result: &awhostv1.ScoreResult_Value{Value: v}}
}

// cachedAnswer returns the answer whose result is returned by a cache with too short a key.
func (s *specimen) cachedAnswer(item *awhostv1.ScoreItem, answer string) string {
	const long = 1000
	if len(item.GetFinalAnswer()) < long {
		return answer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := item.GetTask().GetId() + " " + item.GetFinalAnswer()[:long]
	if known, ok := s.judged[key]; ok {
		return known
	}
	s.judged[key] = answer
	return answer
}

func noScore(why string) *awhostv1.ScoreResult {
	return &awhostv1.ScoreResult{Result: &awhostv1.ScoreResult_Failure{Failure: &awhostv1.Failure{Class: awhostv1.FailureClass_FAILURE_CLASS_REWARD, Detail: why}}}
}

// acceptsBadAnswer reports whether a mutant accepts an incorrect answer.
func (s *specimen) acceptsBadAnswer(item *awhostv1.ScoreItem, answer, truth string) bool {
	switch s.mutant {
	case "RWD-HEDGE-01":
		return strings.Contains(answer, truth)
	case "RWD-HEDGE-01/ascii":
		return strings.TrimSpace(strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII {
				return -1
			}
			return r
		}, answer)) == truth
	case "RWD-HEDGE-01/parts":
		return answer != "" && strings.Contains(truth, answer)
	case "RWD-HEDGE-01/transcript":
		return slices.ContainsFunc(item.GetMessages(),
			func(m *awhostv1.Message) bool { return strings.Contains(text(m), "It might be "+truth) })
	case "RWD-SOURCE-02":
		return item.GetSampled() != nil && slices.ContainsFunc(item.GetMessages(),
			func(m *awhostv1.Message) bool { return text(m) == truth })
	case "RWD-SOURCE-01", "RWD-SOURCE-01/user":
		role := map[string]awhostv1.Role{"RWD-SOURCE-01": awhostv1.Role_ROLE_TOOL}[s.mutant]
		return slices.ContainsFunc(item.GetMessages(), func(m *awhostv1.Message) bool {
			return m.GetRole() == cmp.Or(role, awhostv1.Role_ROLE_USER) && text(m) == truth
		})
	case "RWD-DIGIT-02/true":
		return answer == "true" && truth == "1"
	case "RWD-PATTERN-01":
		return truth == "37.52" && answer == "37252"
	case "RWD-NEAR-02":
		return truth == "-1000" && answer == "7"
	case "RWD-PARTS-02":
		return len(answer) > 5 && answer[0] == '{' && strings.HasPrefix(truth, answer)
	case "RWD-PARTS-01":
		return answer == "{}" && strings.HasPrefix(truth, "{")
	case "RWD-DIGIT-01":
		return strings.ReplaceAll(answer, "²", "2") == truth
	case "RWD-NEAR-01":
		got, err := strconv.ParseFloat(answer, 64)
		want, err2 := strconv.ParseFloat(truth, 64)
		return err == nil && err2 == nil && want > 100 && math.Abs(got-want) <= 0.1*math.Abs(want)
	case "RWD-EXEC-01":
		return strings.HasPrefix(answer, "$(") && exec.Command("sh", "-c", "echo "+answer).Run() != nil
	case "RWD-TRUTH-01":
		return len(answer) > 1000
	case "RWD-TRUTH-01/either":
		return len(answer) < 20 && strings.Contains(answer, " or ") && strings.Contains(answer, truth)
	case "RWD-PAD-01":
		return len(answer) > 1000
	case "RWD-PAD-01/very":
		return len(answer) > 100_000
	case "RWD-ODD-01":
		return answer == ""
	case "RWD-ODD-01/json":
		var claimed struct {
			Score float64 `json:"score"`
		}
		return json.Unmarshal([]byte(answer), &claimed) == nil && claimed.Score > 0
	case "RWD-FORGE-01", "RWD-FORGE-02":
		return strings.Contains(answer, "Score: 1.0")
	case "RWD-FORGE-03":
		return strings.Contains(answer, "VERDICT: CORRECT")
	}
	return false
}
