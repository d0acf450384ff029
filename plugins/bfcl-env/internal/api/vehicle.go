package api

import (
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// vehicle is a car with its engine, doors, climate control, brakes, and tires.
type vehicle struct {
	world             *World
	random            *py.Random
	state             attributes
	parkingBrakeForce py.Value
	slopeAngle        py.Value
	brakePedalForce   py.Value
}

func init() {
	c := newClass[vehicle]("VehicleControlAPI", func(w *World) Instance { return &vehicle{world: w} })
	c.method("startEngine", "ignitionMode", (*vehicle).startEngine)
	c.method("fillFuelTank", "fuelAmount", (*vehicle).fillFuelTank)
	c.method("lockDoors", "unlock, door", (*vehicle).lockDoors)
	c.method("adjustClimateControl", "temperature, unit='celsius', fanSpeed=50, mode='auto'", (*vehicle).adjustClimate)
	c.method("get_outside_temperature_from_google", "", (*vehicle).temperatureFromGoogle)
	c.method("get_outside_temperature_from_weather_com", "", (*vehicle).temperatureFromWeatherCom)
	c.method("setHeadlights", "mode", (*vehicle).setHeadlights)
	c.method("displayCarStatus", "option", (*vehicle).displayStatus)
	c.method("activateParkingBrake", "mode", (*vehicle).activateParkingBrake)
	c.method("pressBrakePedal", "pedalPosition", (*vehicle).pressBrakePedal)
	c.method("releaseBrakePedal", "", (*vehicle).releaseBrakePedal)
	c.method("setCruiseControl", "speed, activate, distanceToNextVehicle", (*vehicle).setCruiseControl)
	c.method("get_current_speed", "", (*vehicle).currentSpeed)
	c.method("display_log", "messages", (*vehicle).displayLog)
	c.method("estimate_drive_feasibility_by_mileage", "distance", (*vehicle).driveFeasibility)
	c.method("liter_to_gallon", "liter", (*vehicle).literToGallon)
	c.method("gallon_to_liter", "gallon", (*vehicle).gallonToLiter)
	c.method("estimate_distance", "cityA, cityB", (*vehicle).estimateDistance)
	c.method("get_zipcode_based_on_city", "city", (*vehicle).zipcode)
	c.method("set_navigation", "destination", (*vehicle).setNavigation)
	c.method("check_tire_pressure", "", (*vehicle).checkTirePressure)
	c.method("find_nearest_tire_shop", "", (*vehicle).nearestTireShop)
}

// vehicleAttributes have the same names in configurations, except for engineState.
var vehicleAttributes = defaults(
	attribute{"fuelLevel", "0.0"}, attribute{"batteryVoltage", "12.6"}, attribute{"engine_state", "'stopped'"},
	attribute{"remainingUnlockedDoors", "4"},
	attribute{"doorStatus", "{'driver': 'unlocked', 'passenger': 'unlocked', 'rear_left': 'unlocked', 'rear_right': 'unlocked'}"},
	attribute{"acTemperature", "25.0"}, attribute{"fanSpeed", "50"}, attribute{"acMode", "'auto'"},
	attribute{"humidityLevel", "50.0"}, attribute{"headLightStatus", "'off'"},
	attribute{"parkingBrakeStatus", "'released'"}, attribute{"brakePedalStatus", "'released'"},
	attribute{"distanceToNextVehicle", "50.0"}, attribute{"cruiseStatus", "'inactive'"},
	attribute{"destination", "'None'"}, attribute{"frontLeftTirePressure", "32.0"},
	attribute{"frontRightTirePressure", "32.0"}, attribute{"rearLeftTirePressure", "30.0"},
	attribute{"rearRightTirePressure", "30.0"}, attribute{"long_context", "False"},
)

// vehicleExtras occur only in configurations.
var vehicleExtras = defaults(
	attribute{"engineState", "'stopped'"}, attribute{"parkingBrakeForce", "0.0"}, attribute{"slopeAngle", "0.0"},
	attribute{"brakePedalForce", "0.0"},
)

func (v *vehicle) Load(config *py.Dict) (err error) {
	defer py.Catch(&err)
	v.random = random(config, 141053)
	v.state = loadAttributes(config, vehicleAttributes)
	v.state.set("engine_state", given(config, vehicleExtras, "engineState"))
	doors := dict(v.state.get("doorStatus"), "keys")
	unlocked := 4
	for _, status := range doors.Values() {
		if py.Equal(status, "locked") {
			unlocked--
		}
	}
	v.state.set("remainingUnlockedDoors", unlocked)
	v.parkingBrakeForce = given(config, vehicleExtras, "parkingBrakeForce")
	v.slopeAngle = given(config, vehicleExtras, "slopeAngle")
	v.brakePedalForce = given(config, vehicleExtras, "brakePedalForce")
	v.state.set("long_context", v.world.LongContext)
	return nil
}

func (v *vehicle) Public() *py.Dict { return v.state.values }

func (v *vehicle) Private() *py.Dict {
	out := nextDraw(v.random)
	out.Set("_parkingBrakeForce", v.parkingBrakeForce)
	out.Set("_slopeAngle", v.slopeAngle)
	out.Set("_brakePedalForce", v.brakePedalForce)
	return out
}

func (v *vehicle) startEngine(a []py.Value) py.Value {
	if py.Equal(a[0], "STOP") {
		v.state.set("engine_state", "stopped")
	}
	switch {
	case py.Must(py.Greater(v.state.get("remainingUnlockedDoors"), 0)):
		return v.doorsOpen()
	case !v.state.is("brakePedalStatus", "pressed"):
		return failure("Brake pedal needs to be pressed when starting the engine.")
	case !py.Equal(v.brakePedalForce, 1000.0):
		return failure("Must press the brake fully before starting the engine.")
	}
	switch {
	case py.Must(py.Less(v.state.get("fuelLevel"), 0.0)):
		return failure("Fuel tank is empty.")
	case !py.Equal(a[0], "START"):
		return failure("Invalid ignition mode.")
	}
	v.state.set("engine_state", "running")
	return py.NewDict("engineState", "running", "fuelLevel", v.state.get("fuelLevel"), "batteryVoltage",
		v.state.get("batteryVoltage"))
}

func (v *vehicle) doorsOpen() py.Value {
	doors := dict(v.state.get("doorStatus"), "items")
	var open []string
	for i := range doors.Len() {
		door, status := doors.At(i)
		if py.Equal(status, "unlocked") {
			open = append(open, py.Str(door))
		}
	}
	return failure("All doors must be locked before starting the engine. Here are the unlocked doors: " +
		strings.Join(open, ", "))
}

func (v *vehicle) fillFuelTank(a []py.Value) py.Value {
	if py.Must(py.Less(a[0], 0)) {
		return failure("Fuel amount cannot be negative.")
	}
	level := py.Must(py.Add(v.state.get("fuelLevel"), a[0]))
	if py.Must(py.Greater(level, 50)) {
		return failure("Cannot fill gas above the tank capacity.")
	}
	if py.Must(py.Less(level, 0.0)) {
		return failure("Fuel tank is empty. Min fuel level is 0 gallons.")
	}
	v.state.set("fuelLevel", level)
	return py.NewDict("fuelLevel", level)
}

func (v *vehicle) lockDoors(a []py.Value) py.Value {
	doors := py.Must(py.Iterate(a[1]))
	status, change := "locked", -1
	if py.Truth(a[0]) {
		status, change = "unlocked", 1
	}
	for _, door := range doors {
		if py.Equal(py.Must(py.Index(v.state.get("doorStatus"), door)), status) {
			continue
		}
		py.Check(py.SetIndex(v.state.get("doorStatus"), door, status))
		v.state.set("remainingUnlockedDoors", py.Must(py.Add(v.state.get("remainingUnlockedDoors"), change)))
	}
	return py.NewDict("lockStatus", status, "remainingUnlockedDoors", v.state.get("remainingUnlockedDoors"))
}

func (v *vehicle) adjustClimate(a []py.Value) py.Value {
	temperature, unit, speed, mode := a[0], a[1], a[2], a[3]
	if !between(0, speed, 100) {
		return failure("Fan speed must be between 0 and 100.")
	}
	v.state.set("acTemperature", temperature)
	if py.Equal(unit, "fahrenheit") {
		v.state.set("acTemperature", celsiusOf(temperature))
	}
	v.state.set("fanSpeed", speed)
	v.state.set("acMode", mode)
	return py.NewDict("currentACTemperature", temperature, "climateMode", mode, "humidityLevel",
		v.state.get("humidityLevel"))
}

func celsiusOf(fahrenheit py.Value) py.Value {
	above := py.Must(py.Sub(fahrenheit, 32))
	return py.Must(py.TrueDiv(py.Must(py.Mul(above, 5)), 9))
}

func (v *vehicle) temperatureFromGoogle([]py.Value) py.Value {
	temperature := v.random.Uniform(-10, 40)
	if !v.world.LongContext {
		return py.NewDict("outsideTemperature", temperature)
	}
	weather := v.world.Tables.dict("LONG_WEATHER_EXTENSION").Copy()
	weather.Set("outsideTemperature", temperature)
	return weather
}

func (v *vehicle) temperatureFromWeatherCom([]py.Value) py.Value {
	if v.world.Profile == EnvTuning {
		return failure("Weather.com service is currently unavailable. Please try using get_outside_temperature_from_google() instead.")
	}
	return py.NewDict("error", 404)
}

func (v *vehicle) setHeadlights(a []py.Value) py.Value {
	status := "off"
	switch {
	case py.Equal(a[0], "on"):
		status = "on"
	case !py.Equal(a[0], "off") && !py.Equal(a[0], "auto"):
		return failure("Invalid headlight mode.")
	}
	v.state.set("headLightStatus", status)
	return py.NewDict("headlightStatus", status)
}

// shown maps an option to the attributes that it displays, each with its displayed name first.
var shown = map[string][]attribute{
	"fuel": {{"fuelLevel", "fuelLevel"}}, "battery": {{"batteryVoltage", "batteryVoltage"}},
	"doors": {{"doorStatus", "doorStatus"}},
	"climate": {
		{"currentACTemperature", "acTemperature"}, {"fanSpeed", "fanSpeed"}, {"climateMode", "acMode"},
		{"humidityLevel", "humidityLevel"},
	},
	"headlights": {{"headlightStatus", "headLightStatus"}}, "engine": {{"engineState", "engine_state"}},
	"parkingBrake": {{"parkingBrakeStatus", "parkingBrakeStatus"}},
	"brakePedal":   {{"brakePedalStatus", "brakePedalStatus"}},
}

func (v *vehicle) displayStatus(a []py.Value) py.Value {
	status := py.NewDict()
	if v.world.LongContext {
		status.Set("metadata", v.world.Tables.Constants["CAR_STATUS_METADATA_EXTENSION"])
	}
	option, _ := a[0].(string)
	fields, ok := shown[option]
	if !ok {
		status.Set("error", "Invalid option")
	}
	for _, field := range fields {
		status.Set(field.name, v.state.get(field.value))
	}
	switch option {
	case "parkingBrake":
		status.Set("parkingBrakeForce", v.parkingBrakeForce)
		status.Set("slopeAngle", v.slopeAngle)
	case "brakePedal":
		status.Set("brakePedalForce", v.brakePedalForce)
	}
	return status
}

func (v *vehicle) activateParkingBrake(a []py.Value) py.Value {
	status, force := "engaged", 500.0
	switch {
	case py.Equal(a[0], "release"):
		status, force = "released", 0
	case !py.Equal(a[0], "engage"):
		return failure("Invalid mode")
	}
	v.state.set("parkingBrakeStatus", status)
	v.parkingBrakeForce, v.slopeAngle = force, 10.0
	out := py.NewDict()
	if v.world.LongContext {
		out.Set("parkingBrakeInstruction", v.world.Tables.Constants["PARKING_BRAKE_INSTRUCTION"])
	}
	out.Set("parkingBrakeStatus", status)
	out.Set("_parkingBrakeForce", force)
	out.Set("_slopeAngle", 10.0)
	return out
}

func (v *vehicle) pressBrakePedal(a []py.Value) py.Value {
	if !between(0, a[0], 1) {
		return failure("Pedal position must be between 0 and 1.")
	}
	if py.Equal(a[0], 0) {
		return v.releaseBrakePedal(nil)
	}
	force := py.Must(py.Mul(a[0], 1000))
	v.state.set("brakePedalStatus", "pressed")
	v.brakePedalForce = force
	return py.NewDict("brakePedalStatus", "pressed", "brakePedalForce", py.Must(py.Float(force)))
}

func (v *vehicle) releaseBrakePedal([]py.Value) py.Value {
	v.state.set("brakePedalStatus", "released")
	v.brakePedalForce = 0.0
	return py.NewDict("brakePedalStatus", "released", "brakePedalForce", 0.0)
}

func (v *vehicle) setCruiseControl(a []py.Value) py.Value {
	speed, activate, distance := a[0], a[1], a[2]
	if v.world.Profile == V4 {
		distance = py.Must(py.Float(distance))
		speed = py.Must(py.Float(speed))
	}
	if v.state.is("engine_state", "stopped") {
		return failure("Start the engine before activating the cruise control.")
	}
	v.state.set("distanceToNextVehicle", distance)
	status := "inactive"
	if py.Truth(activate) {
		status = "active"
		if invalidSpeed(speed) {
			return failure("Invalid speed")
		}
	}
	v.state.set("cruiseStatus", status)
	return py.NewDict("cruiseStatus", status, "currentSpeed", speed, "distanceToNextVehicle", distance)
}

func invalidSpeed(speed py.Value) bool {
	if py.Must(py.Less(speed, 0)) {
		return true
	}
	if py.Must(py.Greater(speed, 120)) {
		return true
	}
	return !py.Equal(py.Must(py.Mod(speed, 5)), 0)
}

func (v *vehicle) currentSpeed([]py.Value) py.Value {
	return py.NewDict("currentSpeed", v.random.Uniform(0, 120))
}

func (v *vehicle) displayLog(a []py.Value) py.Value { return py.NewDict("log", a[0]) }

func (v *vehicle) driveFeasibility(a []py.Value) py.Value {
	miles := py.Must(py.Mul(v.state.get("fuelLevel"), 20.0))
	return py.NewDict("canDrive", !py.Must(py.Less(miles, a[0])))
}

func (v *vehicle) literToGallon(a []py.Value) py.Value {
	return py.NewDict("gallon", py.Must(py.Mul(a[0], 0.264172)))
}

func (v *vehicle) gallonToLiter(a []py.Value) py.Value {
	return py.NewDict("liter", py.Must(py.Mul(a[0], 3.78541)))
}

// distances holds the miles between zip codes, valid in both directions.
var distances = map[[2]string]float64{
	{"83214", "74532"}: 750, {"56108", "62947"}: 320, {"71354", "83462"}: 450, {"47329", "52013"}: 290,
	{"69238", "51479"}: 630, {"94016", "83214"}: 980,
	{"94016", "94704"}: 600, {"94704", "08540"}: 2550, {"94016", "08540"}: 1950, {"62947", "47329"}: 1053,
	{"94016", "62947"}: 780, {"74532", "94016"}: 880,
}

func (v *vehicle) estimateDistance(a []py.Value) py.Value {
	from, _ := a[0].(string)
	to, _ := a[1].(string)
	miles, ok := distances[[2]string{from, to}]
	if !ok {
		miles, ok = distances[[2]string{to, from}]
	}
	out := py.NewDict("distance", miles)
	switch {
	case !ok && v.world.Profile == EnvTuning:
		out = py.NewDict("error", text("Invalid zipcode pair: ", quotedName(a[0]), " to ", quotedName(a[1]),
			". Please verify both zipcodes are correct and supported. You can use 'get_zipcode_based_on_city' to find the correct zipcode for a city name."))
	case !ok:
		out = py.NewDict("error", "distance not found in database.")
	}
	if v.world.LongContext {
		out.Set("intermediaryCities", v.world.Tables.Constants["INTERMEDIARY_CITIES"])
	}
	return out
}

var zipcodes = map[string]string{
	"Rivermist": "83214", "Stonebrook": "74532", "Maplecrest": "56108", "Silverpine": "62947", "Shadowridge": "71354",
	"Sunset Valley": "83462",
	"Oakendale":     "47329", "Willowbend": "52013", "Crescent Hollow": "69238", "Autumnville": "51479",
	"San Francisco": "94016",
}

func (v *vehicle) zipcode(a []py.Value) py.Value {
	city, _ := a[0].(string)
	code, ok := zipcodes[city]
	if !ok {
		code = "00000"
	}
	return py.NewDict("zipcode", code)
}

func (v *vehicle) setNavigation(a []py.Value) py.Value {
	v.state.set("destination", a[0])
	status := py.Must(py.Add("Navigating to ", a[0]))
	return py.NewDict("status", status)
}

var tires = []string{"frontLeftTirePressure", "frontRightTirePressure", "rearLeftTirePressure", "rearRightTirePressure"}

func (v *vehicle) checkTirePressure([]py.Value) py.Value {
	out := py.NewDict()
	sum := v.state.get(tires[0])
	for i, tire := range tires {
		pressure := v.state.get(tire)
		out.Set(tire, pressure)
		if i == 0 {
			continue
		}
		sum = py.Must(py.Add(sum, pressure))
	}
	mean := py.Must(py.TrueDiv(sum, 4))
	out.Set("healthy_tire_pressure", between(30, mean, 35))
	out.Set("car_info", py.NewDict())
	if v.world.LongContext {
		out.Set("car_info", v.world.Tables.Constants["CAR_STATUS_METADATA_EXTENSION"])
	}
	return out
}

func (v *vehicle) nearestTireShop([]py.Value) py.Value {
	return py.NewDict("shopLocation", "456 Oakwood Avenue, Rivermist, 83214")
}

var _ Instance = (*vehicle)(nil)
