package text

import "math"

// canvas is a grid of braille cells, each two dots wide and four dots high.
type canvas struct {
	width, height int // in cells
	cells         [][]rune
}

func newCanvas(width, height int) *canvas {
	c := &canvas{width: max(0, width), height: height, cells: make([][]rune, height)}
	for i := range c.cells {
		c.cells[i] = make([]rune, c.width)
	}
	return c
}

// brailleBit holds the bit of each dot in its cell, by row and column.
var brailleBit = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

func (c *canvas) set(x, y int) {
	if x < 0 || y < 0 || x >= 2*c.width || y >= 4*c.height {
		return
	}
	c.cells[y/4][x/2] |= brailleBit[y%4][x%2]
}

// plot draws a line through the mean of the points in each column of dots.
func (c *canvas) plot(points []Point, s scale) {
	sums, counts := make([]float64, 2*c.width), make([]int, 2*c.width)
	for _, p := range points {
		if x := position(p.X, s.left, s.right, 2*c.width); x >= 0 {
			sums[x] += p.Y
			counts[x]++
		}
	}
	lastX, lastY := -1, 0
	for x, count := range counts {
		if count == 0 {
			continue
		}
		y := 4*c.height - 1 - position(sums[x]/float64(count), s.low, s.high, 4*c.height)
		if lastX < 0 {
			c.set(x, y)
		} else {
			c.line(lastX, lastY, x, y)
		}
		lastX, lastY = x, y
	}
}

// position maps a number onto 0 … dots-1.
func position(v, low, high float64, dots int) int {
	if dots < 1 {
		return -1
	}
	if high <= low {
		return 0
	}
	at := math.Round((v - low) / (high - low) * float64(dots-1))
	return int(math.Min(math.Max(at, 0), float64(dots-1)))
}

func (c *canvas) line(x0, y0, x1, y1 int) {
	steps := max(abs(x1-x0), abs(y1-y0), 1)
	for i := range steps + 1 {
		t := float64(i) / float64(steps)
		c.set(x0+int(math.Round(t*float64(x1-x0))), y0+int(math.Round(t*float64(y1-y0))))
	}
}

func (c *canvas) rows() []string {
	rows := make([]string, c.height)
	for i, cells := range c.cells {
		row := make([]rune, c.width)
		for j, dots := range cells {
			row[j] = ' '
			if dots != 0 {
				row[j] = 0x2800 + dots
			}
		}
		rows[i] = string(row)
	}
	return rows
}

func abs(n int) int { return max(n, -n) }
