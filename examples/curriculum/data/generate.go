// Command data writes the curriculum's datasets. Its output is always the same:
//
//	go run ./examples/curriculum/data -out examples/curriculum/data
//
//	one.train.jsonl  one.test.jsonl   one operation, "17+25="
//	two.train.jsonl  two.test.jsonl   two operations, "(17+25)*3=", of which the second needs the result of the first
//	demos.jsonl                       tool calls for both kinds, with tools picked at random in 80 % of the calls
//
// No pair of first operands is both in a test file and in another file.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	trainRows = 600
	testRows  = 100
	demoRows  = 600 // for each kind
	// randomTool is the probability that the demonstrator picks a random tool, which may be the right one.
	randomTool = 0.8
)

// tools maps each operator to its calculator tool.
var tools = []struct{ operator, name string }{{"+", "add"}, {"-", "sub"}, {"*", "mul"}, {"%", "mod"}}

// hop is an operation on the previous result.
type hop struct {
	tool int
	b    int64
}

// problem consists of a first operand and the operations applied to it.
type problem struct {
	a    int64
	hops []hop
}

func main() {
	dir := flag.String("out", ".", "the directory to write to")
	flag.Parse()
	if err := generate(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "generate the curriculum's data:", err)
		os.Exit(1)
	}
}

func generate(dir string) error {
	random := rand.New(rand.NewPCG(7, 0))
	var demos []string
	for i, name := range []string{"one", "two"} {
		seen, held := draw(random, i+1, false), draw(random, i+1, true)
		if err := write(dir, name+".train.jsonl", rows(trainRows, task, seen)); err != nil {
			return err
		}
		if err := write(dir, name+".test.jsonl", rows(testRows, task, held)); err != nil {
			return err
		}
		demos = append(demos, rows(demoRows, demonstration(random), seen)...)
	}
	return write(dir, "demos.jsonl", demos)
}

func write(dir, name string, lines []string) error {
	return os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// rows returns the lines for a set of problems without duplicates.
func rows(n int, line func(problem) string, next func() problem) []string {
	var out []string
	for seen := map[string]bool{}; len(out) < n; {
		p := next()
		if !seen[p.question()] {
			seen[p.question()] = true
			out = append(out, line(p))
		}
	}
	return out
}

// draw returns a problem generator; its argument determines whether the first pair of operands is held out. One in ten
// pairs is held out.
func draw(random *rand.Rand, hops int, heldOut bool) func() problem {
	return func() problem {
		for {
			p := problem{a: random.Int64N(100)}
			for range hops {
				p.hops = append(p.hops, hop{random.IntN(len(tools)), 1 + random.Int64N(99)})
			}
			if ((p.a+3*p.hops[0].b)%10 == 7) == heldOut {
				return p
			}
		}
	}
}

func (p problem) question() string {
	text := fmt.Sprintf("%d%s%d", p.a, tools[p.hops[0].tool].operator, p.hops[0].b)
	for _, h := range p.hops[1:] {
		text = fmt.Sprintf("(%s)%s%d", text, tools[h.tool].operator, h.b)
	}
	return text + "="
}

func (p problem) answer() int64 {
	result := p.a
	for _, h := range p.hops {
		result = apply(h.tool, result, h.b)
	}
	return result
}

// apply returns the result of a tool. mod has the sign of a, as in the calculator.
func apply(tool int, a, b int64) int64 {
	switch tools[tool].operator {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	return a % b
}

func task(p problem) string {
	return fmt.Sprintf(`{"prompt":%q,"ground_truth":"%d"}`, p.question(), p.answer())
}

// demonstration returns a conversation with a call for each operation on the previous result.
func demonstration(random *rand.Rand) func(problem) string {
	return func(p problem) string {
		messages := []string{fmt.Sprintf(`{"role":"user","content":%q}`, p.question())}
		result := p.a
		for i, h := range p.hops {
			if random.Float64() < randomTool {
				h.tool = random.IntN(len(tools))
			}
			arguments := strconv.Quote(fmt.Sprintf(`{"a":%d,"b":%d}`, result, h.b))
			result = apply(h.tool, result, h.b)
			messages = append(messages,
				fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":"%d","name":%q,"arguments":%s}]}`, i, tools[h.tool].name,
					arguments),
				fmt.Sprintf(`{"role":"tool","tool_call_id":"%d","content":"%d"}`, i, result))
		}
		messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":"<answer>%d</answer>"}`, result))
		return `{"messages":[` + strings.Join(messages, ",") + `]}`
	}
}
