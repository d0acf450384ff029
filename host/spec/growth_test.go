package spec_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/spec"
)

// chain returns a spec with locals that each contain the previous one, L.
func chain(first, next string) string {
	locals := "locals {\n  l0 = " + first + "\n"
	for i := range 45 {
		locals += fmt.Sprintf("  l%d = %s\n", i+1, strings.ReplaceAll(next, "L", fmt.Sprintf("local.l%d", i)))
	}
	return locals + "}\n"
}

// nested returns a spec with a nested expression.
func nested(open, inner, end string, depth int) string {
	return "locals {\n  x = " + strings.Repeat(open, depth) + inner + strings.Repeat(end, depth) + "\n}\n"
}

// calls returns a spec with an expression that may refer to a text of nine million digits.
func calls(expression string) string {
	return "locals {\n  s = join(\"\", [for i in range(9) : format(\"%01000000d\", i)])\n  x = " + expression + "\n}\n"
}

// Each spec has values of terabytes, or takes hours, where nothing bounds its values.
func TestLoad_BoundsValues(t *testing.T) {
	t.Parallel()
	inJSON := `{"locals": {"l0": "x"`
	for i := range 45 {
		inJSON += fmt.Sprintf(`, "l%d": ["${local.l%d}", {"a": "${local.l%[2]d}"}]`, i+1, i)
	}
	const tooLarge, tooLong = "Values too large", "would exceed 64 MiB"
	for name, c := range map[string]struct{ text, want string }{
		"text":          {chain(`"x"`, `"${L}${L}"`), tooLarge},
		"heredoc":       {chain(`"x"`, "<<EOT\n${L}${L}\nEOT"), tooLarge},
		"list":          {chain("[1]", "[L, L]"), tooLarge},
		"object":        {chain("{ a = 1 }", "{ a = L, b = L }"), tooLarge},
		"condition":     {chain(`"x"`, `length([L, L]) > 0 ? "${L}${L}" : ""`), tooLarge},
		"loop":          {chain(`"x"`, "[for x in [1, 2] : L]"), tooLarge},
		"directive":     {chain(`"x"`, `"%{for x in [1, 2]}${L}%{endfor}"`), tooLarge},
		"concat":        {chain("[1]", "concat(L, L)"), tooLarge},
		"jsonencode":    {chain("1", "jsonencode([L, L])"), tooLarge},
		"yamlencode":    {chain("1", "yamlencode([L, L])"), tooLarge},
		"format":        {chain(`"x"`, `format("%s%s", L, L)`), tooLarge},
		"formatlist":    {chain(`["x"]`, `formatlist("%[1]s%[1]s", L)`), tooLarge},
		"join":          {chain(`"x"`, `join(L, ["", "", ""])`), tooLarge},
		"replace":       {chain(`"x"`, `replace(L, "x", "xx")`), tooLarge},
		"indent":        {chain(`"x"`, `indent(8, "${L}${L}")`), tooLarge},
		"secret":        {chain(`env("NAME_OF_TEST", "x")`, `"${L}${L}"`), tooLarge},
		"escapes":       {nested("jsonencode(", `"\"\""`, ")", 45), tooLarge},
		"replacements":  {nested("replace(", `"x"`, `, "x", "xx")`, 45), tooLarge},
		"try":           {nested("try(", "1", ")", 45), tooLarge},
		"number":        {nested(`"a${`, "1e99999999", `}"`, 1), tooLarge},
		"sum":           {nested(`"a${`, "1e9999999 * 1e99999999", `}"`, 1), tooLarge},
		"template":      {nested("", `templatefile("bomb.txt", { l = range(1000) })`, "", 1), tooLarge},
		"default":       {"variable \"x\" {\n  default = " + nestedLoops() + "\n}\n", tooLarge},
		"JSON":          {inJSON + "}}", tooLarge},
		"width":         {calls(`format(replace(substr(local.s, 0, 99), "0", "%0999999d"), 1)`), tooLong},
		"long format":   {calls(`format("%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s", local.s)`), tooLong},
		"formats":       {calls(`formatlist("%s%s", local.s, range(1000))`), tooLong},
		"spaces":        {calls(`indent(999999999, "\n")`), tooLong},
		"separator":     {calls("join(local.s, range(1000))"), tooLong},
		"replaced":      {calls(`replace(local.s, "0", local.s)`), tooLong},
		"pattern":       {calls(`regexreplace(local.s, "0", "${local.s}")`), tooLong},
		"groups":        {calls(`regexreplace(local.s, "0+", "$0$0$0$0$0$0$0$0")`), tooLong},
		"split":         {calls(`split("", local.s)`), tooLong},
		"regexall":      {calls(`regexall("0", local.s)`), tooLong},
		"jsondecode":    {calls(`jsondecode("[${replace(substr(local.s, 0, 300000), "0", "[],")}0]")`), tooLong},
		"yamldecode":    {calls(`yamldecode("[${replace(substr(local.s, 0, 300000), "0", "[],")}0]")`), tooLong},
		"csvdecode":     {calls(`csvdecode(replace(substr(local.s, 0, 600000), "0", "a\n"))`), tooLong},
		"setproduct":    {calls("setproduct(range(1000), range(1000), range(1000))"), tooLong},
		"split in JSON": {`{"locals": {"x": "${split(\"\", format(\"%0900000d\", 0))}"}}`, tooLong},
	} {
		t.Run(name, func(t *testing.T) {
			file, template := "train.hcl", strings.Repeat("%{for x in l}", 9)+"x"+strings.Repeat("%{endfor}", 9)
			if strings.HasPrefix(c.text, "{") {
				file += ".json"
			}
			path := write(t, map[string]string{file: c.text, "bomb.txt": template})
			start := time.Now()
			_, problems := spec.Load(path, spec.Options{})
			if t.Log(time.Since(start)); !tell(problems, c.want) || len(problems) > 1 {
				t.Errorf("got %.1000v, want %q", problems, c.want)
			}
		})
	}
}

// nestedLoops returns a billion numbers.
func nestedLoops() string {
	const ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
	return strings.Repeat("[for x in "+ten+" : ", 9) + "x" + strings.Repeat("]", 9)
}
