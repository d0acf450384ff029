package api

import (
	"strings"
	"time"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// travel books flights and manages credit cards.
type travel struct {
	world        *World
	random       *py.Random
	state        attributes
	lastQuestion *question // the last flight whose cost was requested, or nil
}

func init() {
	c := newClass[travel]("TravelAPI", func(w *World) Instance { return &travel{world: w} })
	c.method("authenticate_travel", "client_id, client_secret, refresh_token, grant_type, user_first_name, user_last_name",
		(*travel).authenticate)
	c.method("travel_get_login_status", "", (*travel).loginStatus)
	c.method("get_budget_fiscal_year", "lastModifiedAfter=None, includeRemoved=None", (*travel).budgetFiscalYear)
	c.method("register_credit_card", "access_token, card_number, expiration_date, cardholder_name, card_verification_number", (*travel).registerCard)
	c.method("get_flight_cost", "travel_from, travel_to, travel_date, travel_class", (*travel).flightCost)
	c.method("get_credit_card_balance", "access_token, card_id", (*travel).cardBalance)
	c.method("book_flight", "access_token, card_id, travel_date, travel_from, travel_to, travel_class",
		(*travel).bookFlight, V4)
	c.method("book_flight", "access_token, card_id, travel_date, travel_from, travel_to, travel_class, travel_cost",
		(*travel).bookFlightAtCost, V3, EnvTuning)
	c.method("retrieve_invoice", "access_token, booking_id=None, insurance_id=None", (*travel).retrieveInvoice)
	c.method("get_booking_history", "access_token", (*travel).bookingHistory, V4)
	c.method("list_all_airports", "", (*travel).listAirports)
	c.method("cancel_booking", "access_token, booking_id", (*travel).cancelBooking)
	c.method("compute_exchange_rate", "base_currency, target_currency, value", (*travel).exchangeRate)
	c.method("verify_traveler_information", "first_name, last_name, date_of_birth, passport_number",
		(*travel).verifyTraveler)
	c.method("set_budget_limit", "access_token, budget_limit", (*travel).setBudgetLimit)
	c.method("get_nearest_airport_by_city", "location", (*travel).nearestAirport)
	c.method("purchase_insurance", "access_token, insurance_type, booking_id, insurance_cost, card_id",
		(*travel).purchaseInsurance)
	c.method("contact_customer_support", "booking_id, message", (*travel).contactSupport)
	c.method("get_all_credit_cards", "", (*travel).allCards)
}

var travelAttributes = defaults(
	attribute{"credit_card_list", "{}"}, attribute{"booking_record", "{}"}, attribute{"access_token", "None"},
	attribute{"token_type", "None"}, attribute{"token_expires_in", "None"},
	attribute{"token_scope", "None"}, attribute{"user_first_name", "None"}, attribute{"user_last_name", "None"},
	attribute{"budget_limit", "None"}, attribute{"long_context", "False"},
)

func (t *travel) Load(config *py.Dict) (err error) {
	defer py.Catch(&err)
	t.random = random(config, 141053)
	t.state = loadAttributes(config, travelAttributes)
	t.state.set("long_context", t.world.LongContext)
	if !t.world.LongContext {
		return nil
	}
	for name, table := range map[string]string{"credit_card_list": "CREDIT_CARD_EXTENSION",
		"booking_record": "BOOKING_RECORD_EXTENSION"} {
		t.extend(name, t.world.table(table))
	}
	return nil
}

// extend adds the entries of a table that do not exist yet. In the reference, all instances in a process share them, so
// that one instance can pay with another's cards: see Shared.
func (t *travel) extend(name string, table *py.Dict) {
	for i := range table.Len() {
		key, entry := table.At(i)
		if !py.Must(py.In(key, t.state.get(name))) {
			py.Check(py.SetIndex(t.state.get(name), key, entry))
		}
	}
}

func (t *travel) Public() *py.Dict { return t.state.values }

func (t *travel) Private() *py.Dict {
	if t.world.Profile != V4 {
		return nextDraw(t.random)
	}
	out := py.NewDict("_flight_cost_lookup", t.lookup())
	out.Set("rng_next32", int(t.random.Clone().Uint32()))
	return out
}

func (t *travel) cards() py.Value    { return t.state.get("credit_card_list") }
func (t *travel) bookings() py.Value { return t.state.get("booking_record") }

// refused returns the answer to an invalid token, or nil if the token is valid. In answers with a status, status
// precedes the error. Before version 4, an invalid token uses up some of the valid token's time.
func (t *travel) refused(token py.Value, status ...py.Value) py.Value {
	refuse := func(why string) *py.Dict { return py.NewDict(append(status, "error", why)...) }
	if t.state.is("token_expires_in", 0) {
		return refuse("Token expired")
	}
	if t.state.is("access_token", token) {
		return nil
	}
	if t.world.Profile != V4 {
		t.state.set("token_expires_in", py.Must(py.SubInPlace(t.state.get("token_expires_in"), 1)))
	}
	return refuse("Invalid access token")
}

func (t *travel) authenticate(a []py.Value) py.Value {
	t.state.set("token_expires_in", 2)
	t.state.set("access_token", py.Str(t.random.Int(100000, 999999)))
	t.state.set("token_type", "Bearer")
	t.state.set("token_scope", a[3])
	t.state.set("user_first_name", a[4])
	t.state.set("user_last_name", a[5])
	return py.NewDict("expires_in", 2, "access_token", t.state.get("access_token"), "token_type", "Bearer", "scope", a[3])
}

func (t *travel) loginStatus([]py.Value) py.Value {
	return py.NewDict("status", t.state.get("token_expires_in") != nil && !t.state.is("token_expires_in", 0))
}

func (t *travel) budgetFiscalYear([]py.Value) py.Value {
	return py.NewDict("budget_fiscal_year", "2018")
}

func (t *travel) registerCard(a []py.Value) py.Value {
	if t.state.get("token_expires_in") == nil {
		return failure("Token not initialized")
	}
	if refusal := t.refused(a[0]); refusal != nil {
		return refusal
	}
	if py.Must(py.In(a[1], t.cards())) {
		return failure("Card already registered")
	}
	id := py.Str(t.random.Int(100000000000, 999999999999))
	card := py.NewDict("card_number", a[1], "expiration_date", a[2], "cardholder_name", a[3], "card_verification_number",
		a[4],
		"balance", t.random.Int(10000, 99999))
	py.Check(py.SetIndex(t.cards(), id, card))
	return py.NewDict("card_id", id)
}

func (t *travel) flightCost(a []py.Value) py.Value {
	from, to, date, class := a[0], a[1], a[2], a[3]
	f := py.Must(t.fare(from, to, date, class))
	if t.world.LongContext {
		return t.allFares(f, date, class)
	}
	return py.NewDict("travel_cost_list", py.NewList(f.base*f.factor))
}

func (t *travel) cardBalance(a []py.Value) py.Value {
	if refusal := t.refused(a[0]); refusal != nil {
		return refusal
	}
	if !py.Must(py.In(a[1], t.cards())) {
		cards := dict(t.cards(), "keys")
		return failure(text("Card not registered. Here are a list of card_id's: ", py.NewList(cards.Keys()...)))
	}
	return py.NewDict("card_balance", t.balance(a[1]))
}

func (t *travel) balance(card py.Value) py.Value {
	return py.Must(py.Index(py.Must(py.Index(t.cards(), card)), "balance"))
}

// pay changes a card's balance.
func (t *travel) pay(card, amount py.Value, change func(a, b py.Value) (py.Value, error)) {
	v := py.Must(py.Index(t.cards(), card))
	balance := py.Must(change(py.Must(py.Index(v, "balance")), amount))
	py.Check(py.SetIndex(v, "balance", balance))
}

func bookingFailure(why string) py.Value {
	return py.NewDict("booking_status", false, "error", why)
}

// checkCard returns the reason why nothing can be booked with a card, or nil.
func (t *travel) checkCard(token, card py.Value) py.Value {
	if refusal := t.refused(token, "booking_status", false); refusal != nil {
		return refusal
	}
	if !py.Must(py.In(card, t.cards())) {
		return bookingFailure("Card not registered")
	}
	v := py.Must(py.Index(t.cards(), card))
	if py.Must(py.In("balance", v)) {
		return nil
	}
	return bookingFailure("Balance not found")
}

// travelClasses holds the class names as keys.
var travelClasses = py.NewDict("economy", 0, "business", 0, "first", 0)

// bookFlight implements the version 4 method, which determines the cost of the flight.
func (t *travel) bookFlight(a []py.Value) py.Value {
	token, card, date, from, to, class := a[0], a[1], a[2], a[3], a[4], a[5]
	if refusal := t.checkCard(token, card); refusal != nil {
		return refusal
	}
	if !isAirport(from) {
		return bookingFailure(text("Invalid departure airport code: ", from))
	}
	if !isAirport(to) {
		return bookingFailure(text("Invalid destination airport code: ", to))
	}
	_, err := dateFormat.Parse(date)
	if isError(err, "ValueError") {
		return bookingFailure("Invalid date format. Use YYYY-MM-DD.")
	}
	py.Check(err)
	known := py.Must(py.In(class, travelClasses))
	if !known { // the reference prints a set, which has no order
		return bookingFailure("Invalid travel class. Must be one of {'economy', 'business', 'first'}")
	}
	f, err := t.fare(from, to, date, class)
	if isError(err, "ValueError") {
		return bookingFailure(strings.TrimPrefix(err.Error(), "ValueError: "))
	}
	py.Check(err)
	return t.book(a[1:], f.base*f.factor)
}

// bookFlightAtCost implements the method in the other profiles, which receives the cost of the flight.
func (t *travel) bookFlightAtCost(a []py.Value) py.Value {
	if refusal := t.checkCard(a[0], a[1]); refusal != nil {
		return refusal
	}
	return t.book(a[1:6], a[6])
}

// book pays for a flight and records it. flight contains card, date, from, to, and class.
func (t *travel) book(flight []py.Value, cost py.Value) py.Value {
	balance := t.balance(flight[0])
	if py.Must(py.Less(balance, cost)) {
		return bookingFailure("Insufficient funds")
	}
	if limit := t.state.get("budget_limit"); limit != nil {
		if py.Must(py.Less(balance, limit)) {
			return bookingFailure("Balance is less than budget limit")
		}
	}
	paid := py.Must(py.Float(cost))
	t.pay(flight[0], paid, py.SubInPlace)
	booking := py.Str(t.random.Int(1000000, 9999999))
	transaction := py.Str(t.random.Int(10000000, 99999999))
	record := py.NewDict("card_id", flight[0], "travel_date", flight[1], "travel_from", flight[2], "travel_to", flight[3],
		"travel_class", flight[4],
		"travel_cost", paid, "transaction_id", transaction)
	py.Check(py.SetIndex(t.bookings(), booking, record))
	history := py.Value(py.NewDict())
	if t.world.LongContext {
		history = t.bookings()
	}
	return py.NewDict("booking_id", booking, "transaction_id", transaction, "booking_status", true, "booking_history",
		history)
}

// booked reports whether a booking exists.
func (t *travel) booked(id py.Value) bool { return py.Must(py.In(id, t.bookings())) }

func (t *travel) retrieveInvoice(a []py.Value) py.Value {
	if refusal := t.refused(a[0]); refusal != nil {
		return refusal
	}
	if !t.booked(a[1]) {
		return failure("Booking not found")
	}
	booking := py.Must(py.Index(t.bookings(), a[1]))
	invoice := py.NewDict("booking_id", a[1])
	for _, field := range []string{"travel_date", "travel_from", "travel_to", "travel_class", "travel_cost",
		"transaction_id"} {
		invoice.Set(field, py.Must(py.Index(booking, field)))
	}
	return py.NewDict("invoice", invoice)
}

func (t *travel) bookingHistory(a []py.Value) py.Value {
	if refusal := t.refused(a[0]); refusal != nil {
		return refusal
	}
	return py.NewDict("booking_history", py.DeepCopy(t.bookings()))
}

func (t *travel) listAirports([]py.Value) py.Value {
	return py.NewList(append([]py.Value(nil), airports...)...)
}

func (t *travel) cancelBooking(a []py.Value) py.Value {
	if refusal := t.refused(a[0], "cancel_status", false); refusal != nil {
		return refusal
	}
	if !t.booked(a[1]) {
		return py.NewDict("cancel_status", false, "error", "Booking not found")
	}
	booking := py.Must(py.Index(t.bookings(), a[1]))
	card := py.Must(py.Index(booking, "card_id"))
	cost := py.Must(py.Index(booking, "travel_cost"))
	t.pay(card, cost, py.AddInPlace)
	dict(t.bookings(), "pop").Delete(a[1])
	return py.NewDict("cancel_status", true)
}

// rates holds the value of a dollar in each of the other currencies.
var rates = py.NewDict("RMB", 7, "EUR", 0.8, "JPY", 110, "GBP", 0.7, "CAD", 1.3, "AUD", 1.4, "INR", 70, "RUB", 60,
	"BRL", 3.8, "MXN", 20)

func (t *travel) exchangeRate(a []py.Value) py.Value {
	base, target, value := a[0], a[1], a[2]
	for i := range rates.Len() {
		currency, rate := rates.At(i)
		switch {
		case py.Equal(base, "USD") && py.Equal(target, currency):
			exchanged := py.Must(py.Mul(value, rate))
			if t.world.Profile == V4 {
				exchanged = py.Must(py.Float(exchanged))
			}
			return py.NewDict("exchanged_value", exchanged)
		case py.Equal(base, currency) && py.Equal(target, "USD"):
			return py.NewDict("exchanged_value", py.Must(py.RoundTo(py.Must(py.TrueDiv(value, rate)), 2)))
		}
	}
	if t.world.Profile == EnvTuning {
		panic(py.ValueError("%s", text("No available exchange rate for ", quotedName(base), " to ", quotedName(target),
			". Supported currencies are: USD, RMB, EUR, JPY, GBP, CAD, AUD, INR, RUB, BRL, MXN. Please check if the currency codes are correct.")))
	}
	panic(py.ValueError("No available exchange rate for the given currencies."))
}

func (t *travel) today() time.Time {
	if t.world.Today == nil {
		return time.Now()
	}
	return t.world.Today()
}

func (t *travel) verifyTraveler(a []py.Value) py.Value {
	unverified := func(why string) py.Value {
		return py.NewDict("verification_status", false, "verification_failure", why)
	}
	first, last := t.state.get("user_first_name"), t.state.get("user_last_name")
	if !py.Equal(first, a[0]) || !py.Equal(last, a[1]) {
		return unverified(text("Cannot book flight information for another user.Expected ", first, " ", last, ", got ", a[0],
			" ", a[1]))
	}
	birth, err := dateFormat.Parse(a[2])
	if isError(err, "ValueError") {
		return unverified("Invalid date of birth format. Please use YYYY-MM-DD.")
	}
	py.Check(err)
	today := t.today()
	age := today.Year() - birth.Year()
	if today.Month() < birth.Month() || today.Month() == birth.Month() && today.Day() < birth.Day() {
		age--
	}
	if age < 18 {
		return unverified("Traveler must be at least 18 years old.")
	}
	passport := py.Must(py.Text(a[3], "startswith"))
	if !strings.HasPrefix(passport, "US") {
		return unverified("Passport must be issued by the United States.")
	}
	return py.NewDict("verification_status", true)
}

func (t *travel) setBudgetLimit(a []py.Value) py.Value {
	if refusal := t.refused(a[0]); refusal != nil {
		return refusal
	}
	limit := py.Must(py.Float(a[1]))
	t.state.set("budget_limit", limit)
	return py.NewDict("budget_limit", limit)
}

var airportsByCity = py.NewDict("Rivermist", "RMS", "Stonebrook", "SBK", "Maplecrest", "MPC", "Silverpine", "SVP",
	"Shadowridge", "SHD", "London", "LHR",
	"Paris", "CDG", "Sunset Valley", "SSV", "Oakendale", "OKD", "Willowbend", "WLB", "Crescent Hollow", "CRH",
	"Autumnville", "ATV", "Pinehaven", "PHV",
	"Greenfield", "GFD", "San Francisco", "SFO", "Los Angeles", "LAX", "New York", "JFK", "Chicago", "ORD", "Boston",
	"BOS", "Beijing", "PEK",
	"Hong Kong", "HKG", "Rome", "CIA", "Tokyo", "HND")

func (t *travel) nearestAirport(a []py.Value) py.Value {
	py.Check(py.Hashable(a[0]))
	return py.NewDict("nearest_airport", airportsByCity.Or(a[0], "Unknown"))
}

func (t *travel) purchaseInsurance(a []py.Value) py.Value {
	token, booking, cost, card := a[0], a[2], a[3], a[4]
	if refusal := t.refused(token, "insurance_status", false); refusal != nil {
		return refusal
	}
	uninsured := func(why string) py.Value { return py.NewDict("insurance_status", false, "error", why) }
	if limit := t.state.get("budget_limit"); limit != nil {
		if py.Must(py.Less(limit, cost)) {
			return uninsured("Exceeded budget limit")
		}
	}
	if !t.booked(booking) {
		return uninsured("Booking not found")
	}
	if !py.Must(py.In(card, t.cards())) {
		return uninsured("Credit card not registered")
	}
	t.pay(card, cost, py.SubInPlace)
	return py.NewDict("insurance_id", py.Str(t.random.Int(100000000, 999999999)), "insurance_status", true)
}

func (t *travel) contactSupport(a []py.Value) py.Value {
	if !t.booked(a[0]) {
		return failure("Booking not found")
	}
	if t.world.Profile == V4 {
		return py.NewDict("customer_support_message",
			"Thank you for contacting customer support. Your message has been received and we will get back to you shortly.")
	}
	answer := py.Must(py.Add("Thank you for contacting customer support. We will get back to you shortly. ", a[1]))
	return py.NewDict("customer_support_message", answer)
}

func (t *travel) allCards([]py.Value) py.Value {
	return py.NewDict("credit_card_list", t.cards())
}

var _ Instance = (*travel)(nil)
