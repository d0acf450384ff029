package main

import "math"

// trend is a linear fit of a process's memory.
type trend struct {
	slope, err float64 // MB per 10,000 episodes, and its standard error
}

// trendOf fits the second half of the readings, because heaps and caches fill in the first.
func trendOf(readings []reading, name string) trend {
	half := readings[len(readings)/2:]
	n := float64(len(half))
	if n < 3 {
		return trend{err: math.Inf(1)}
	}
	var meanX, meanY float64
	for _, r := range half {
		meanX += float64(r.Episodes) / 10000 / n
		meanY += r.RSS[name] / n
	}
	var xx, xy float64
	for _, r := range half {
		dx := float64(r.Episodes)/10000 - meanX
		xx += dx * dx
		xy += dx * (r.RSS[name] - meanY)
	}
	t := trend{slope: xy / xx}
	var squares float64
	for _, r := range half {
		residual := r.RSS[name] - meanY - t.slope*(float64(r.Episodes)/10000-meanX)
		squares += residual * residual
	}
	t.err = math.Sqrt(squares / (n - 2) / xx)
	return t
}
