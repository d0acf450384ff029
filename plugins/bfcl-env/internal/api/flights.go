package api

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// flightTable contains one route per line: origin, destination, base cost, and the profile if only one has the route.
//
//go:embed flights.txt
var flightTable string

// route is an existing flight.
type route struct {
	from, to string
	cost     float64
	onlyV4   bool
}

// flights holds the routes in listing order.
var flights = readFlights(flightTable)

func readFlights(table string) []route {
	var out []route
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		cost, err := strconv.Atoi(fields[2])
		if err != nil {
			panic("api: flights.txt: " + err.Error())
		}
		out = append(out, route{fields[0], fields[1], float64(cost), len(fields) > 3})
	}
	return out
}

// airports holds the listed airports. Some have no flights.
var airports = []py.Value{
	"RMS", "SBK", "MPC", "SVP", "SHD", "CDG", "LHR", "SSV", "OKD", "WLB", "PEK", "HND", "HKG", "CIA", "CRH", "ATV", "PHV",
	"GFD", "SFO", "LAX", "JFK", "ORD", "BOS",
}

// isAirport reports whether a code belongs to an airport.
func isAirport(code py.Value) bool {
	listed, _ := py.In(code, py.Tuple(airports)) // In never fails on a tuple
	return listed
}

// fare is the price of a flight: the base cost times a class factor, doubled on dates with an even digit sum.
type fare struct {
	base   float64 // of the requested route
	factor float64
}

func (t *travel) fare(from, to, date, class py.Value) (out fare, err error) {
	defer py.Catch(&err)
	if t.world.Profile == EnvTuning {
		py.Check(invalidAirports(from, to))
	}
	for _, code := range []py.Value{from, to} {
		py.Check(py.Hashable(code))
	}
	base, ok := t.baseCost(from, to)
	switch {
	case !ok && t.world.Profile == EnvTuning:
		panic(py.ValueError("No available route from '%s' to '%s'.", py.Str(from), py.Str(to)))
	case !ok:
		panic(py.ValueError("No available route for the given airports."))
	}
	out.base = base
	switch class {
	case "economy":
		out.factor = 1
	case "business":
		out.factor = 2
	case "first":
		out.factor = 5
	default:
		panic(py.ValueError("Invalid travel class. Options are: economy, business, first."))
	}
	sum := digitSum(date)
	if sum%2 == 0 {
		out.factor *= 2
	}
	t.lastQuestion = &question{out, from, to, date, class}
	return out, nil
}

// question is a flight whose cost was requested.
type question struct {
	fare
	from, to, date, class py.Value
}

// lookup returns the costs that version 4 stores for the last request: one flight, or, in long contexts, all flights.
func (t *travel) lookup() *py.Dict {
	out := py.NewDict()
	if t.lastQuestion == nil {
		return out
	}
	add := func(from, to py.Value, cost float64) {
		out.Set(text(from, "|", to, "|", t.lastQuestion.class, "|", t.lastQuestion.date), py.NewDict("cost", cost))
	}
	if !t.world.LongContext {
		add(t.lastQuestion.from, t.lastQuestion.to, t.lastQuestion.base*t.lastQuestion.factor)
		return out
	}
	for _, r := range flights {
		add(r.from, r.to, r.cost*t.lastQuestion.factor)
	}
	return out
}

func invalidAirports(from, to py.Value) error {
	var invalid []string
	if !isAirport(from) {
		invalid = append(invalid, "departure airport "+quotedName(from))
	}
	if !isAirport(to) {
		invalid = append(invalid, "destination airport "+quotedName(to))
	}
	if len(invalid) == 0 {
		return nil
	}
	return py.ValueError("%s", "Invalid airport code(s): "+strings.Join(invalid, " and ")+
		". Please use valid airport codes. You can use 'list_all_airports' to get all available airports or 'get_nearest_airport_by_city' to find the correct airport code for a city.")
}

func (t *travel) baseCost(from, to py.Value) (float64, bool) {
	for _, r := range flights {
		if r.from == from && r.to == to && (!r.onlyV4 || t.world.Profile == V4) {
			return r.cost, true
		}
	}
	return 0, false
}

// digitSum adds up the digits of a date.
func digitSum(date py.Value) int {
	if text, ok := date.(string); ok {
		return digits(text)
	}
	sum := 0
	for _, c := range py.Must(py.Iterate(date)) {
		digit := py.Must(py.Text(c, "isdigit"))
		if len(digit) == 1 {
			sum += digits(digit)
		}
	}
	return sum
}

// digits returns the sum of the digits 0 to 9 in a string.
func digits(text string) int {
	sum := 0
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' {
			sum += int(text[i] - '0')
		}
	}
	return sum
}

// allFares lists the cost of every flight at a given fare.
func (t *travel) allFares(f fare, date, class py.Value) py.Value {
	out := py.NewList()
	for _, r := range flights {
		if r.onlyV4 && t.world.Profile != V4 {
			continue
		}
		cost := r.cost * f.factor
		if t.world.Profile == V4 {
			out.Append(cost)
			continue
		}
		sentence := py.Must(py.Add("From: "+r.from+" To: "+r.to+" Cost: "+py.FloatRepr(cost)+
			" USD. This is a domestica flight with a travel class of "+
			py.Str(class)+" and a travel date of ", date))
		out.Append(py.Must(py.Add(sentence, ".")))
	}
	return py.NewDict("travel_cost_list", out)
}
