package examples_test

import (
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// desk is the state of a question's script, which works only with tools.
type desk struct {
	file    string     // as named in the prompt
	results [][]string // results of the calls so far, by message
	message int        // index of the message with the next results
}

// Panics end a script early: at calls without results, and at unexpected tool results.
type (
	unanswered []openai.FunctionCall
	lost       struct{}
)

// play runs a script. It returns the answer, or the calls that the script needs first.
func (d *desk) play(script func(*desk) string) (said string, calls []openai.FunctionCall) {
	defer func() {
		switch ended := recover().(type) {
		case nil:
		case unanswered:
			calls = ended
		case lost:
			said = "unknown"
		default:
			panic(ended)
		}
	}()
	return script(d), nil
}

// call makes tool calls in one message and returns their results.
func (d *desk) call(calls ...openai.FunctionCall) []string {
	if d.message == len(d.results) {
		panic(unanswered(calls))
	}
	results := d.results[d.message]
	d.message++
	if len(results) != len(calls) {
		panic(lost{})
	}
	return results
}

func tool(name string, arguments map[string]any) openai.FunctionCall {
	text, _ := json.Marshal(arguments)
	return openai.FunctionCall{Name: name, Arguments: string(text)}
}

// each calls a two-number tool for each pair and returns the results.
func (d *desk) each(name string, pairs ...[2]int) (out []int) {
	var calls []openai.FunctionCall
	for _, p := range pairs {
		calls = append(calls, tool(name, map[string]any{"a": p[0], "b": p[1]}))
	}
	for _, result := range d.call(calls...) {
		out = append(out, integer(match(result, ` is (-?\d+)\.`)))
	}
	return out
}

func (d *desk) minus(a, b int) int  { return d.each("subtract", [2]int{a, b})[0] }
func (d *desk) times(a, b int) int  { return d.each("multiply", [2]int{a, b})[0] }
func (d *desk) larger(a, b int) int { return d.each("larger", [2]int{a, b})[0] }

// sum adds up numbers, with one call per pair in each message.
func (d *desk) sum(numbers ...int) int {
	for len(numbers) > 1 {
		var pairs [][2]int
		for pair := range slices.Chunk(numbers[:len(numbers)/2*2], 2) {
			pairs = append(pairs, [2]int(pair))
		}
		numbers = append(d.each("get-sum", pairs...), numbers[len(pairs)*2:]...)
	}
	return numbers[0]
}

// match returns the group of a pattern in a text.
func match(text, pattern string) string {
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		panic(lost{})
	}
	return found[1]
}

func integer(text string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	if err != nil {
		panic(lost{})
	}
	return n
}

func number(text, pattern string) int { return integer(match(text, pattern)) }

var goesOn = regexp.MustCompile(`\n\[Characters .* Go on with offset (\d+)\.\]$`)

// read reads a text file to its end.
func (d *desk) read(path string) string {
	var text strings.Builder
	for offset := 0; ; {
		piece := d.call(tool("read_file", map[string]any{"path": path, "offset": offset}))[0]
		end := goesOn.FindStringSubmatchIndex(piece)
		if end == nil {
			return text.String() + piece
		}
		text.WriteString(piece[:end[0]])
		offset = integer(piece[end[2]:end[3]])
	}
}

// table reads the rows of a table that match the conditions.
func (d *desk) table(path string, where map[string]string) (rows []map[string]string) {
	for skip := 0; ; {
		text := d.call(tool("read_table", map[string]any{"path": path, "where": where, "skip": skip}))[0]
		text, note, ok := strings.Cut(text, "\n[Rows ")
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if !ok || err != nil {
			panic(lost{})
		}
		for _, record := range records[1:] {
			row := map[string]string{}
			for n, name := range records[0] {
				row[name] = record[n]
			}
			rows = append(rows, row)
		}
		if !strings.Contains(note, "Go on with skip") {
			return rows
		}
		skip = number(note, `skip (\d+)`)
	}
}

// everyRow is a condition that every row of a table meets.
var everyRow = map[string]string{}

// column returns a column of rows as numbers.
func column(rows []map[string]string, name string) (out []int) {
	for _, row := range rows {
		out = append(out, integer(row[name]))
	}
	return out
}

func pairs(a, b []int) (out [][2]int) {
	for n := range a {
		out = append(out, [2]int{a[n], b[n]})
	}
	return out
}

// most returns the key of the largest number.
func most(numbers map[string]int) (best string) {
	for key, n := range numbers {
		if best == "" || n > numbers[best] {
			best = key
		}
	}
	return best
}

// page is the text that open_page returns for an HTML file.
type page string

func (d *desk) open(path string) page {
	return page(d.call(tool("open_page", map[string]any{"path": path}))[0])
}

// link returns the target of a link.
func (p page) link(label string) string {
	n := match(string(p), `\[(\d+): [^\]]*`+label)
	return match(string(p), `(?m)^`+n+`: (\S+)$`)
}

// topic opens a page linked from the first one.
func (d *desk) topic(label string) page { return d.open(d.open(d.file).link(label)) }

// walk opens the pages of the walk in order.
func (d *desk) walk() (parts []string) {
	part := d.topic("walk")
	for {
		parts = append(parts, string(part))
		if !strings.Contains(string(part), "On to the next part") {
			return parts
		}
		part = d.open(part.link("On to the next part"))
	}
}

// collection is the attachment collection.json.
type collection struct {
	Rooms []struct {
		Number int    `json:"number"`
		Keeper string `json:"keeper"`
	} `json:"rooms"`
	Objects []struct {
		Name  string `json:"name"`
		Maker string `json:"maker"`
		Year  int    `json:"year"`
		Room  int    `json:"room"`
		Loan  struct {
			Until string `json:"until"`
		} `json:"loan"`
	} `json:"objects"`
}

func (d *desk) collection() (out collection) {
	if json.Unmarshal([]byte(d.read(d.file)), &out) != nil {
		panic(lost{})
	}
	return out
}

// bills returns the amounts that customers have to pay for orders.
func (d *desk) bills(orders []map[string]string) map[string]int {
	prices := map[string]string{}
	for _, row := range d.table(strings.Replace(d.file, "orders", "prices", 1), everyRow) {
		prices[row["item"]] = row["price_per_kg"]
	}
	var kgs, each []int
	for _, row := range orders {
		kgs, each = append(kgs, integer(row["kg"])), append(each, integer(prices[row["item"]]))
	}
	costs := map[string][]int{}
	for n, cost := range d.each("multiply", pairs(kgs, each)...) {
		customer := orders[n]["customer"]
		costs[customer] = append(costs[customer], cost)
	}
	out := map[string]int{}
	for _, row := range orders { // in this order, because each request must repeat the same calls
		if customer := row["customer"]; out[customer] == 0 {
			out[customer] = d.sum(costs[customer]...)
		}
	}
	return out
}

var numerals = map[string]int{"four": 4, "Eleven": 11, "sixty": 60}

// scripts solve the questions. They know the files only through tools.
var scripts = map[string]func(d *desk) string{
	"file-01": func(d *desk) string { return match(d.read(d.file), `"barometer",\s+"maker": "([^"]+)"`) },
	"file-02": func(d *desk) string {
		for _, object := range d.collection().Objects {
			if object.Name == "sextant" {
				return object.Loan.Until
			}
		}
		return ""
	},
	"file-03": func(d *desk) string {
		c := d.collection()
		oldest := c.Objects[0]
		for _, object := range c.Objects {
			if object.Year < oldest.Year {
				oldest = object
			}
		}
		for _, room := range c.Rooms {
			if room.Number == oldest.Room {
				return room.Keeper
			}
		}
		return ""
	},
	"file-04": func(d *desk) string { return match(d.read(d.file), `Against: (\w+)`) },
	"file-05": func(d *desk) string {
		text := d.read(d.file)
		return strconv.Itoa(d.times(numerals[match(text, `(\w+) lamps are out`)], number(text, `thought to be (\d+)`)))
	},
	"file-06": func(d *desk) string { return match(d.read(d.file), `leeks \| (\d+)`) },
	"file-07": func(d *desk) string {
		text := d.read(d.file)
		times := numerals[match(text, `we cook it for (\w+)`)] / numerals[match(text, `(\w+) people`)]
		return strconv.Itoa(d.times(times, number(text, `potatoes \| (\d+)`)))
	},
	"file-08": func(d *desk) string {
		from := d.table(d.file, map[string]string{"stop": "Station"})
		to := d.table(d.file, map[string]string{"stop": "Lighthouse"})
		for run, at := range from[0] {
			if at == "08:10" {
				return to[0][run]
			}
		}
		return ""
	},
	"file-09": func(d *desk) string {
		found := d.call(tool("find_text", map[string]any{"text": "struck the calf rocks", "path": d.file}))[0]
		return match(found, `the ketch (\w+)`)
	},
	"file-10": func(d *desk) string {
		found := d.call(tool("find_text", map[string]any{"text": "fog signal", "path": d.file}))[0]
		var hours []int
		for line := range strings.Lines(found) {
			if strings.Contains(line, " November.") {
				hours = append(hours, number(line, `for (\d+) hours`))
			}
		}
		return strconv.Itoa(d.sum(append(hours, 0)...))
	},
	"table-01": func(d *desk) string {
		return strconv.Itoa(d.sum(column(d.table(d.file, map[string]string{"field": "North"}), "crates")...))
	},
	"table-02": func(d *desk) string {
		rain := map[string]int{}
		for _, row := range d.table(d.file, everyRow) {
			rain[row["station"]] = integer(row["Jun"])
		}
		return most(rain)
	},
	"table-03": func(d *desk) string {
		rows := d.table(d.file, map[string]string{"variety": "Russet"})
		return strconv.Itoa(d.sum(d.each("multiply", pairs(column(rows, "crates"), column(rows, "price_per_crate"))...)...))
	},
	"table-04": func(d *desk) string {
		rows := d.table(d.file, map[string]string{"port": "Skelle", "cargo": "timber"})
		return strconv.Itoa(d.sum(column(rows, "tons")...))
	},
	"table-05": func(d *desk) string {
		marten := d.sum(column(d.table(d.file, map[string]string{"ship": "Marten"}), "days")...)
		osprey := d.sum(column(d.table(d.file, map[string]string{"ship": "Osprey"}), "days")...)
		return strconv.Itoa(d.larger(d.minus(marten, osprey), d.minus(osprey, marten)))
	},
	"table-06": func(d *desk) string {
		books := map[string]int{}
		for _, row := range d.table(d.file, everyRow) {
			books[row["member"]]++
		}
		return most(books)
	},
	"table-07": func(d *desk) string {
		return strconv.Itoa(d.bills(d.table(d.file, map[string]string{"customer": "School Kitchen"}))["School Kitchen"])
	},
	"table-08": func(d *desk) string { return most(d.bills(d.table(d.file, everyRow))) },
	"table-09": func(d *desk) string {
		var years []int
		for _, station := range []string{"Moor", "Quay"} {
			row := d.table(d.file, map[string]string{"station": station})[0]
			var months []int
			for _, month := range strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec") {
				months = append(months, integer(row[month]))
			}
			years = append(years, d.sum(months...))
		}
		return strconv.Itoa(d.minus(years[0], years[1]))
	},
	"table-10": func(d *desk) string {
		days := column(d.table(d.file, map[string]string{"branch": "Hill"}), "days_kept")
		late := d.each("subtract", pairs(days, slices.Repeat([]int{28}, len(days)))...)
		late = d.each("larger", pairs(late, make([]int, len(late)))...)
		return strconv.Itoa(d.times(d.sum(late...), 20))
	},
	"page-01": func(d *desk) string { return match(string(d.topic("ferry")), `built at \w+ in (\d+)`) },
	"page-02": func(d *desk) string { return match(string(d.topic("harbour")), `more than (\d+) metres`) },
	"page-03": func(d *desk) string { return match(string(d.topic("market")), `\| \d \| ([^|]+) \| honey`) },
	"page-04": func(d *desk) string {
		harbour := d.topic("harbour")
		master := match(string(harbour), `Harbour master: \[\d+: ([^\]]+)`)
		return match(string(d.open(harbour.link(master))), master+`\nBorn in \d+ in (\w+)`)
	},
	"page-05": func(d *desk) string {
		ferry := string(d.topic("ferry"))
		fare := func(who string) int { return number(ferry, `\| `+who+` \| (\d+)`) }
		adults, children, bicycles := fare("adults"), fare("children"), fare("bicycles")
		return strconv.Itoa(d.sum(d.each("multiply", [2]int{2, adults}, [2]int{3, children}, [2]int{2, bicycles})...))
	},
	"page-06": func(d *desk) string {
		var hours [][2]int
		days := regexp.MustCompile(`\| \w+day \| (\d+) \| (\d+)`)
		for _, row := range days.FindAllStringSubmatch(string(d.topic("library")), -1) {
			hours = append(hours, [2]int{integer(row[2]), integer(row[1])})
		}
		return strconv.Itoa(d.sum(d.each("subtract", hours...)...))
	},
	"page-07": func(d *desk) string {
		school := string(d.topic("school"))
		large := d.times(number(school, `(\d+) classes`), number(school, `with (\d+) pupils`))
		return strconv.Itoa(d.sum(large, number(school, `small class with (\d+)`)))
	},
	"page-08": func(d *desk) string {
		var metres []int
		for _, part := range d.walk() {
			metres = append(metres, number(part, `([\d,]+) metres, and`))
		}
		return strconv.Itoa(d.sum(metres...))
	},
	"page-09": func(d *desk) string {
		parts := d.walk()
		var up []int
		for _, part := range parts {
			up = append(up, number(part, `(\d+) metres up`))
		}
		back := d.minus(50, number(parts[len(parts)-1], `costs (\d+) crowns`))
		return strconv.Itoa(d.times(d.sum(up...), back))
	},
	"page-10": func(d *desk) string {
		museum := d.topic("museum")
		people := string(d.open(museum.link("Mary Ashdown")))
		founder := d.minus(number(string(museum), `opened in (\d+)`), number(people, `Mary Ashdown\n.*born in (\d+)`))
		since := number(people, `Noor Haddad\n.*since (\d+)`)
		return strconv.Itoa(d.minus(founder, d.minus(since, number(people, `Noor Haddad\nBorn in (\d+)`))))
	},
	"sum-01": func(d *desk) string { return strconv.Itoa(d.times(48, 35)) },
	"sum-02": func(d *desk) string { return strconv.Itoa(d.minus(d.minus(2310, 486), 759)) },
	"sum-03": func(d *desk) string { return strconv.Itoa(d.sum(d.times(27, 34), 58)) },
	"sum-04": func(d *desk) string { return strconv.Itoa(d.larger(d.sum(d.times(3, 46), 19), 151)) },
	"sum-05": func(d *desk) string { return strconv.Itoa(d.times(d.times(d.minus(d.times(36, 5), 44), 3), 12)) },
	"sum-06": func(d *desk) string { return strconv.Itoa(d.minus(d.times(84, 57), d.times(19, 13))) },
	"sum-07": func(d *desk) string { return strconv.Itoa(d.minus(312, d.times(4, d.minus(37, 29)))) },
	"sum-08": func(d *desk) string {
		products := d.each("multiply", [2]int{68, 89}, [2]int{71, 84})
		larger := d.larger(products[0], products[1])
		return strconv.Itoa(d.minus(larger, d.minus(d.sum(products...), larger)))
	},
	"sum-09": func(d *desk) string {
		n := 7
		for range 5 {
			n = d.minus(d.times(n, 3), 4)
		}
		return strconv.Itoa(n)
	},
	"sum-10": func(d *desk) string {
		var squares [][2]int
		for n := 11; n <= 16; n++ {
			squares = append(squares, [2]int{n, n})
		}
		return strconv.Itoa(d.minus(d.sum(d.each("multiply", squares...)...), d.times(27, 27)))
	},
}
