package text

import (
	"math"
	"strings"
)

// Point is a point of a curve.
type Point struct{ X, Y float64 }

// Bar returns a bar that is width columns wide, split into the done part and the rest, so that each can have its own
// style.
func Bar(fraction float64, width int) (done, rest string) {
	if !(fraction >= 0) { // also true for NaN
		fraction = 0
	}
	filled := int(math.Min(fraction, 1)*float64(width) + 0.5)
	return strings.Repeat("━", filled), strings.Repeat("─", width-filled)
}

// Sparkline draws values as a line of width columns, each of which shows the mean of its share of the values. If there
// are fewer values, the line is shorter. Non-finite values leave gaps.
func Sparkline(values []float64, width int) string { return Sparklines(width, values)[0] }

// Sparklines draws several series on the same scale, so that they can be compared. Equal heights represent equal
// values, and a series with half as many values as the longest one is half as long.
func Sparklines(width int, series ...[]float64) []string {
	longest := 0
	for _, values := range series {
		longest = max(longest, len(values))
	}
	binned := make([][]float64, len(series))
	var all []float64
	for i, values := range series {
		if len(values) > 0 && width > 0 {
			share := math.Round(float64(width) * float64(len(values)) / float64(longest))
			binned[i] = shrink(values, max(1, int(share)))
		}
		all = append(all, binned[i]...)
	}
	low, high := span(all)
	out := make([]string, len(series))
	for i, bins := range binned {
		var line strings.Builder
		for _, y := range bins {
			line.WriteRune(spark(y, low, high))
		}
		out[i] = line.String()
	}
	return out
}

var sparks = []rune("▁▂▃▄▅▆▇█")

func spark(y, low, high float64) rune {
	switch {
	case math.IsNaN(y):
		return ' '
	case high == low:
		return sparks[3]
	}
	return sparks[int((y-low)/(high-low)*float64(len(sparks)-1)+0.5)]
}

// shrink averages values into at most width bins; a bin without a finite value is NaN.
func shrink(values []float64, width int) []float64 {
	if width <= 0 {
		return nil
	}
	bins := make([]float64, min(width, len(values)))
	for i := range bins {
		from, to := i*len(values)/len(bins), (i+1)*len(values)/len(bins)
		bins[i] = mean(values[from:to])
	}
	return bins
}

func mean(values []float64) float64 {
	sum, count := 0.0, 0
	for _, value := range values {
		if isFinite(value) {
			sum += value
			count++
		}
	}
	return sum / float64(count) // 0/0 is NaN
}

// span returns the range of the finite values, or 0, 0 without finite values.
func span(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, value := range values {
		if isFinite(value) {
			low, high = math.Min(low, value), math.Max(high, value)
		}
	}
	if low > high {
		return 0, 0
	}
	return low, high
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Chart is a line chart.
type Chart struct {
	Points []Point              // sorted by X
	Format func(float64) string // formats the labels of the Y axis
	Labels [2]string            // below the ends of the X axis; both empty: no X axis
	Line   Style
	Axis   Style
}

// Draw draws the chart in a rectangle. The curve consists of braille dots, two by four per cell. Without a finite
// point only the axes are drawn.
func (c Chart) Draw(width, height int) Block {
	rows := height
	if c.Labels != [2]string{} {
		rows -= 2
	}
	if rows < 1 || width < 8 {
		return NewBlock(nil, width, height)
	}
	points := c.finite()
	scale := scaleOf(points, rows)
	labels, gutter := c.axis(scale, rows)
	canvas := newCanvas(width-gutter-1, rows)
	canvas.plot(points, scale)

	lines := make([]string, 0, height)
	for i, row := range canvas.rows() {
		lines = append(lines, c.Axis(FitRight(labels[i].text+" ", gutter)+labels[i].tick)+c.Line(row))
	}
	if rows < height {
		inner := width - gutter - 1
		lines = append(lines, c.Axis(spaces(gutter)+"└"+strings.Repeat("─", inner)))
		lines = append(lines, c.Axis(spaces(gutter+1)+Spread(c.Labels[0], c.Labels[1], inner)))
	}
	return NewBlock(lines, width, height)
}

func (c Chart) finite() []Point {
	var points []Point
	for _, p := range c.Points {
		if isFinite(p.X) && isFinite(p.Y) {
			points = append(points, p)
		}
	}
	return points
}

type label struct{ text, tick string }

// axis returns labels for the round numbers on the Y axis, from the bottom up, at least two rows apart.
func (c Chart) axis(s scale, rows int) (labels []label, gutter int) {
	labels = make([]label, rows)
	for i := range labels {
		labels[i] = label{tick: "│"}
	}
	ticks := int(math.Round((s.high - s.low) / s.step))
	every := 1
	for every < ticks && every*(rows-1) < 2*ticks {
		every++
	}
	for tick := 0; tick <= ticks; tick += every {
		if left := ticks - tick; left > 0 && left < every {
			tick = ticks // the top row gets a label instead of the row just below it
		}
		y := s.low + float64(tick)*s.step
		row := rows - 1 - position(y, s.low, s.high, rows)
		labels[row] = label{text: c.Format(math.Round(y/s.step) * s.step), tick: "┤"}
		gutter = max(gutter, Width(labels[row].text)+1)
	}
	return labels, gutter
}

// scale is the part of the plane that a chart shows. Low and high are multiples of step.
type scale struct{ left, right, low, high, step float64 }

// scaleOf returns a scale that shows all points, with round numbers on the Y axis.
func scaleOf(points []Point, rows int) scale {
	if len(points) == 0 {
		return scale{0, 1, 0, 1, 1}
	}
	s := scale{left: points[0].X, right: points[len(points)-1].X, low: math.Inf(1), high: math.Inf(-1)}
	for _, p := range points {
		s.low, s.high = math.Min(s.low, p.Y), math.Max(s.high, p.Y)
	}
	step := roundStep((s.high - s.low) / float64(max(4, min(rows/2, 6))))
	if s.high-s.low < 1e-9*math.Max(1, math.Abs(s.high)) { // a flat line is centered
		step = roundStep(math.Max(math.Abs(s.high), 0.1) / 10)
		s.low, s.high = s.low-step, s.high+step
	}
	s.low, s.high = math.Floor(s.low/step+1e-9)*step, math.Ceil(s.high/step-1e-9)*step
	s.step = step
	return s
}

// roundStep rounds up to the next value of the form 1, 2, 5, 10, … times a power of ten.
func roundStep(x float64) float64 {
	if x <= 0 || !isFinite(x) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if x <= digit*power*(1+1e-9) {
			return digit * power
		}
	}
	return 10 * power
}
