package answertext

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// plainCommands maps commands without arguments to plain text. Layout commands become a space or are removed.
var plainCommands = map[string]string{
	",": " ", ";": " ", ":": " ", ">": " ", " ": " ", "\\": " ", "quad": " ", "qquad": " ", "!": "",
	"(": "", ")": "", "[": "", "]": "", "left": "", "right": "", "big": "", "Big": "", "bigl": "", "bigr": "",
	"displaystyle": "", "textstyle": "", "limits": "", "rm": "", "bf": "",
	"small": "", "normalsize": "", "large": "", "Large": "", "LARGE": "", "huge": "", "Huge": "", "bigg": "", "Bigg": "",
	"{": "{", "}": "}", "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]",
	"$": "$", "%": "%", "#": "#", "&": "&", "_": "_",
	"times": "*", "cdot": "*", "ast": "*", "div": "/", "pm": "±", "circ": "°", "degree": "°",
	"pi": "π", "infty": "∞", "cup": "∪", "cap": "∩", "in": "∈", "emptyset": "∅", "varnothing": "∅",
	"le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "lt": "<", "gt": ">",
	"euro": "€", "pounds": "£", "ldots": "...", "dots": "...", "leqslant": "≤", "geqslant": "≥",
	"lvert": "|", "rvert": "|", "vert": "|", "mid": "|",
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "theta": "θ", "lambda": "λ",
	"mu": "μ", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "omega": "ω", "Delta": "Δ", "Omega": "Ω",
}

// argumentCommands maps commands whose argument is kept to the text that surrounds it. Text commands are separated by
// spaces.
var argumentCommands = map[string]string{
	"text": " ", "textrm": " ", "textbf": " ", "textit": " ", "textnormal": " ", "mathrm": " ", "mbox": " ", "hbox": " ",
	"operatorname": " ", "mathbf": "", "mathit": "", "mathsf": "", "mathbb": "", "boldsymbol": "", "boxed": "", "fbox": "",
}

// marks are the commands that stay in front of their argument, which is put in parentheses.
var marks = map[string]bool{"overline": true, "bar": true, "dot": true}

var fractions = map[string]bool{"frac": true, "dfrac": true, "tfrac": true, "cfrac": true}

// command reads a command with its arguments.
func (r *reader) command(depth int) error {
	name := r.name()
	space, wraps := argumentCommands[name]
	meaning, known := plainCommands[name]
	switch {
	case fractions[name]:
		return r.between("(", ")", func() error { return r.fraction(depth) })
	case name == "sqrt":
		return r.root(depth)
	case name == "begin":
		return r.matrix(depth)
	case strings.HasSuffix(name, "binom"):
		r.out.WriteString(`\binom`)
		if err := r.between("(", ")", func() error { return r.argument(depth) }); err != nil {
			return err
		}
		return r.between("(", ")", func() error { return r.argument(depth) })
	case marks[name]:
		r.out.WriteString(`\` + name)
		return r.between("(", ")", func() error { return r.argument(depth) })
	case wraps:
		return r.between(space, space, func() error { return r.argument(depth) })
	case known:
		r.out.WriteString(meaning)
		if name == "left" || name == "right" {
			r.emptyDelimiter()
		} else if name == "!" {
			r.at = skipSpace(r.text, r.at) // 11,\! 111
		}
	default:
		r.out.WriteString(`\` + name)
	}
	return nil
}

// name reads the name of a command: either letters or a single other character. A backslash at the end of the text has
// no name.
func (r *reader) name() string {
	r.at++
	start := r.at
	for r.at < len(r.text) && isLetter(r.text[r.at]) {
		r.at++
	}
	if r.at == start && r.at < len(r.text) && r.text[r.at] < 0x80 {
		r.at++
	}
	return r.text[start:r.at]
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// emptyDelimiter skips the period of \left. and \right.
func (r *reader) emptyDelimiter() {
	if strings.HasPrefix(r.text[r.at:], ".") {
		r.at++
	}
}

// fraction reads both parts in the same way as part.
func (r *reader) fraction(depth int) error {
	if err := r.part(depth); err != nil {
		return err
	}
	r.out.WriteRune(FractionSlash)
	return r.part(depth)
}

// root reads the argument of \sqrt, which may have a degree in brackets.
func (r *reader) root(depth int) error {
	r.out.WriteString("√")
	if at := skipSpace(r.text, r.at); at < len(r.text) && r.text[at] == '[' {
		if end := strings.IndexByte(r.text[at:], ']'); end > 0 {
			r.out.WriteString(r.text[at : at+end+1])
			r.at = at + end + 1
		}
	}
	return r.between("(", ")", func() error { return r.argument(depth) })
}

// matrixStart matches the environments of a matrix, with the column types of an array.
var matrixStart = regexp.MustCompile(`^\s*\{((?:[pbB]|small)?matrix|array)\}(?:\s*\{[^{}]*\})?`)

// matrix reads a matrix, which becomes a list of its rows: [[1,2],[3,4]].
func (r *reader) matrix(depth int) error {
	start := matrixStart.FindStringSubmatch(r.text[r.at:])
	if start == nil {
		r.out.WriteString(`\begin`)
		return nil
	}
	end := `\end{` + start[1] + `}`
	body, _, found := strings.Cut(r.text[r.at+len(start[0]):], end)
	if !found {
		r.out.WriteString(`\begin`)
		return nil
	}
	r.at += len(start[0]) + len(body) + len(end)
	rows := strings.Split(strings.TrimSuffix(strings.TrimSpace(body), `\\`), `\\`)
	for i, row := range rows {
		rows[i] = "[" + strings.ReplaceAll(row, "&", ",") + "]"
	}
	inside := reader{text: "[" + strings.Join(rows, ",") + "]"}
	if err := inside.sequence(depth + 1); err != nil {
		return err
	}
	if inside.at < len(inside.text) {
		return errUnopened
	}
	r.out.WriteString(inside.out.String())
	return nil
}

// part reads an argument and puts it in parentheses unless it is a plain number or a single character.
func (r *reader) part(depth int) error {
	whole := r.out.String()
	r.out.Reset()
	err := r.argument(depth)
	part := strings.TrimSpace(r.out.String())
	r.out.Reset()
	r.out.WriteString(whole)
	if strings.Trim(part, "0123456789") != "" && utf8.RuneCountInString(part) > 1 || part == "" {
		part = "(" + part + ")"
	}
	r.out.WriteString(part)
	return err
}
