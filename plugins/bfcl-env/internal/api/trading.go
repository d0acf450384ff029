package api

import (
	"strings"
	"time"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// tradingBot trades stocks.
type tradingBot struct {
	world  *World
	random *py.Random
	state  attributes
}

func init() {
	c := newClass[tradingBot]("TradingBot", func(w *World) Instance { return &tradingBot{world: w} })
	c.method("get_current_time", "", (*tradingBot).currentTime)
	c.method("update_market_status", "current_time_str", (*tradingBot).updateMarketStatus, V3, EnvTuning)
	c.method("get_symbol_by_name", "name", (*tradingBot).symbolByName)
	c.method("get_stock_info", "symbol", (*tradingBot).stockInfo)
	c.method("get_order_details", "order_id", (*tradingBot).orderDetails)
	c.method("cancel_order", "order_id", (*tradingBot).cancelOrder)
	c.method("place_order", "order_type, symbol, price, amount", (*tradingBot).placeOrder)
	c.method("withdraw_funds", "amount", (*tradingBot).withdrawFunds, V4)
	c.method("make_transaction", "account_id, xact_type, amount", (*tradingBot).makeTransaction, V3, EnvTuning)
	c.method("get_account_info", "", (*tradingBot).accountInfo)
	c.method("trading_login", "username, password", (*tradingBot).login)
	c.method("trading_get_login_status", "", (*tradingBot).loginStatus)
	c.method("trading_logout", "", (*tradingBot).logout)
	c.method("fund_account", "amount", (*tradingBot).fundAccount)
	c.method("remove_stock_from_watchlist", "symbol", (*tradingBot).removeFromWatchlist)
	c.method("get_watchlist", "", (*tradingBot).watchlist)
	c.method("get_order_history", "", (*tradingBot).orderHistory)
	c.method("get_transaction_history", "start_date=None, end_date=None", (*tradingBot).transactionHistory)
	c.method("update_stock_price", "symbol, new_price", (*tradingBot).updateStockPrice, V3, EnvTuning)
	c.method("get_available_stocks", "sector", (*tradingBot).availableStocks)
	c.method("filter_stocks_by_price", "stocks, min_price, max_price", (*tradingBot).filterByPrice)
	c.method("add_to_watchlist", "stock", (*tradingBot).addToWatchlist)
	c.method("notify_price_change", "stocks, threshold", (*tradingBot).notifyPriceChange)
}

var tradingAttributes = defaults(
	attribute{"orders", `{12345: {'id': 12345, 'order_type': 'Buy', 'symbol': 'AAPL', 'price': 210.65, 'amount': 10, 'status': 'Completed'},
		12446: {'id': 12446, 'order_type': 'Sell', 'symbol': 'GOOG', 'price': 2840.56, 'amount': 5, 'status': 'Pending'}}`},
	attribute{"account_info", "{'account_id': 12345, 'balance': 10000.0, 'binding_card': 1974202140965533}"},
	attribute{"authenticated", "False"}, attribute{"market_status", "'Closed'"}, attribute{"order_counter", "12446"},
	attribute{"stocks", `{'AAPL': {'price': 227.16, 'percent_change': 0.17, 'volume': 2.552, 'MA(5)': 227.11, 'MA(20)': 227.09},
		'GOOG': {'price': 2840.34, 'percent_change': 0.24, 'volume': 1.123, 'MA(5)': 2835.67, 'MA(20)': 2842.15},
		'TSLA': {'price': 667.92, 'percent_change': -0.12, 'volume': 1.654, 'MA(5)': 671.15, 'MA(20)': 668.2},
		'MSFT': {'price': 310.23, 'percent_change': 0.09, 'volume': 3.234, 'MA(5)': 309.88, 'MA(20)': 310.11},
		'NVDA': {'price': 220.34, 'percent_change': 0.34, 'volume': 1.234, 'MA(5)': 220.45, 'MA(20)': 220.67},
		'ALPH': {'price': 1320.45, 'percent_change': -0.08, 'volume': 1.567, 'MA(5)': 1321.12, 'MA(20)': 1325.78},
		'OMEG': {'price': 457.23, 'percent_change': 0.12, 'volume': 2.345, 'MA(5)': 456.78, 'MA(20)': 458.12},
		'QUAS': {'price': 725.89, 'percent_change': -0.03, 'volume': 1.789, 'MA(5)': 726.45, 'MA(20)': 728.0},
		'NEPT': {'price': 88.34, 'percent_change': 0.19, 'volume': 0.654, 'MA(5)': 88.21, 'MA(20)': 88.67},
		'SYNX': {'price': 345.67, 'percent_change': 0.11, 'volume': 2.112, 'MA(5)': 345.34, 'MA(20)': 346.12},
		'ZETA': {'price': 22.09, 'percent_change': -0.05, 'volume': 0.789, 'MA(5)': 22.12, 'MA(20)': 22.34}}`},
	attribute{"watch_list", "['NVDA']"}, attribute{"transaction_history", "[]"}, attribute{"long_context", "False"},
)

func (t *tradingBot) Load(config *py.Dict) (err error) {
	defer py.Catch(&err)
	t.state = loadAttributes(config, tradingAttributes)
	orders := dict(t.state.get("orders"), "items")
	byNumber := py.NewDict()
	for i := range orders.Len() {
		key, order := orders.At(i)
		if name, ok := key.(string); ok && name != "" && strings.Trim(name, "0123456789") == "" {
			key = py.Must(py.Int(name))
		}
		byNumber.Set(key, order) // one key of the data is not a number and is kept as it is
	}
	t.state.set("orders", byNumber)
	t.state.set("long_context", t.world.LongContext)
	t.random = random(config, 1053520)
	return nil
}

func (t *tradingBot) Public() *py.Dict  { return t.state.values }
func (t *tradingBot) Private() *py.Dict { return nextDraw(t.random) }

// now is the fixed current time.
var now = time.Date(2024, 9, 1, 10, 30, 0, 0, time.UTC)

// timestamp returns a random second within the 24 hours after now.
func (t *tradingBot) timestamp() string {
	const day = 24 * 60 * 60
	return now.Add(time.Duration(t.random.Int(0, day)) * time.Second).Format(time.DateTime)
}

func (t *tradingBot) authenticated() bool { return py.Truth(t.state.get("authenticated")) }

// notAuthenticated returns the error for a call that needs a login.
func notAuthenticated(doing string) py.Value {
	return py.NewDict("error", "User not authenticated. Please log in to "+doing+".")
}

func (t *tradingBot) currentTime([]py.Value) py.Value {
	return py.NewDict("current_time", now.Format("03:04 PM"))
}

var clockFormat = py.NewTimeFormat("%I:%M %p")

func (t *tradingBot) updateMarketStatus(a []py.Value) py.Value {
	at := py.Must(clockFormat.Parse(a[0]))
	minute := at.Hour()*60 + at.Minute()
	status := "Closed"
	if minute >= 9*60+30 && minute <= 16*60 {
		status = "Open"
	}
	t.state.set("market_status", status)
	return py.NewDict("status", status)
}

var symbols = py.NewDict("Apple", "AAPL", "Google", "GOOG", "Tesla", "TSLA", "Microsoft", "MSFT", "Nvidia", "NVDA",
	"Zeta Corp", "ZETA",
	"Alpha Tech", "ALPH", "Omega Industries", "OMEG", "Quasar Ltd.", "QUAS", "Neptune Systems", "NEPT", "Synex Solutions",
	"SYNX", "Amazon", "AMZN", "Gorilla", "GORI")

func (t *tradingBot) symbolByName(a []py.Value) py.Value {
	py.Check(py.Hashable(a[0]))
	symbol := symbols.Or(a[0], "Stock not found")
	if t.world.Profile != V4 && py.Equal(a[0], "Gorilla") {
		symbol = "Stock not found"
	}
	return py.NewDict("symbol", symbol)
}

// stock finds a stock, and returns nil if it does not exist.
func (t *tradingBot) stock(symbol py.Value) py.Value {
	if !py.Must(py.In(symbol, t.state.get("stocks"))) {
		return nil
	}
	return py.Must(py.Index(t.state.get("stocks"), symbol))
}

func stockNotFound(symbol py.Value) py.Value {
	return failure(text("Stock with symbol ", quotedName(symbol), " not found."))
}

func (t *tradingBot) stockInfo(a []py.Value) py.Value {
	stock := t.stock(a[0])
	if stock == nil {
		return stockNotFound(a[0])
	}
	if !t.world.LongContext {
		return stock
	}
	long := dict(stock, "copy").Copy()
	long.Set("MA(5)", t.world.Tables.Constants["MA_5_EXTENSION"])
	long.Set("MA(20)", t.world.Tables.Constants["MA_20_EXTENSION"])
	return long
}

func (t *tradingBot) orders() *py.Dict {
	d, _ := t.state.get("orders").(*py.Dict) // set by Load
	return d
}

func (t *tradingBot) orderDetails(a []py.Value) py.Value {
	if !py.Must(py.In(a[0], t.orders())) {
		return failure(text("Order with ID ", a[0], " not found.", "Here is the list of orders_id: ",
			py.NewList(t.orders().Keys()...)))
	}
	order := t.orders().Or(a[0], nil)
	if !t.world.LongContext {
		return order
	}
	long := dict(order, "copy").Copy()
	symbol := py.Must(long.Item("symbol"))
	metadata, templates := py.NewDict(), t.world.Tables.dict("ORDER_DETAIL_EXTENSION")
	for i := range templates.Len() {
		key, template := templates.At(i)
		metadata.Set(key, strings.ReplaceAll(py.Str(template), "{symbol}", py.Str(symbol)))
	}
	long.Set("metadata", metadata)
	return long
}

func (t *tradingBot) cancelOrder(a []py.Value) py.Value {
	if !py.Must(py.In(a[0], t.orders())) {
		return failure(text("Order with ID ", a[0], " not found."))
	}
	order := t.orders().Or(a[0], nil)
	if py.Equal(py.Must(py.Index(order, "status")), "Completed") {
		return failure(text("Can't cancel order ", a[0], ". Order is already completed."))
	}
	py.Check(py.SetIndex(order, "status", "Cancelled"))
	return py.NewDict("order_id", a[0], "status", "Cancelled")
}

func (t *tradingBot) placeOrder(a []py.Value) py.Value {
	kind, symbol, price, amount := a[0], a[1], a[2], a[3]
	if !t.authenticated() {
		return notAuthenticated("place an order")
	}
	if !py.Must(py.In(symbol, t.state.get("stocks"))) {
		return failure(text("Invalid stock symbol: ", symbol))
	}
	if py.Must(py.LessEqual(price, 0)) || py.Must(py.LessEqual(amount, 0)) {
		return failure("Price and amount must be positive values.")
	}
	if t.world.Profile == V4 {
		if refusal := t.refuseCost(kind, price, amount); refusal != nil {
			return refusal
		}
	}
	paid := py.Must(py.Float(price))
	id := t.state.get("order_counter")
	t.orders().Set(id, py.NewDict("id", id, "order_type", kind, "symbol", symbol, "price", paid, "amount", amount,
		"status", "Open"))
	t.state.set("order_counter", py.Must(py.Add(id, 1)))
	return py.NewDict("order_id", id, "order_type", kind, "status", "Pending", "price", paid, "amount", amount)
}

// refuseCost returns an error if an order costs more than the balance, and nil otherwise.
func (t *tradingBot) refuseCost(kind, price, amount py.Value) py.Value {
	if lowerOf(kind) != "buy" {
		return nil
	}
	total := py.Must(py.Mul(py.Must(py.Float(price)), py.Must(py.Int(amount))))
	balance := dict(t.state.get("account_info"), "get").Or("balance", 0)
	if !py.Must(py.Greater(total, balance)) {
		return nil
	}
	cost := py.Must(py.Float(total))
	have := py.Must(py.Float(balance))
	return failure("Insufficient funds: required $" + py.Fixed(cost, 2) + " but only $" + py.Fixed(have, 2) +
		" available.")
}

// book changes the balance and records the change in the history. done is the status in the response.
func (t *tradingBot) book(kind string, amount py.Value, change func(a, b py.Value) (py.Value, error),
	done string) py.Value {
	balance := py.Must(change(py.Must(py.Index(t.state.get("account_info"), "balance")), amount))
	py.Check(py.SetIndex(t.state.get("account_info"), "balance", balance))
	appendTo(t.state.get("transaction_history"), py.NewDict("type", kind, "amount", amount, "timestamp", t.timestamp()))
	return py.NewDict("status", done, "new_balance", balance)
}

// exceedsBalance reports whether an amount is greater than the balance.
func (t *tradingBot) exceedsBalance(amount py.Value) bool {
	return py.Must(py.Greater(amount, py.Must(py.Index(t.state.get("account_info"), "balance"))))
}

func (t *tradingBot) withdraw(amount py.Value) py.Value {
	if t.exceedsBalance(amount) {
		return failure("Insufficient funds for withdrawal.")
	}
	return t.book("withdrawal", amount, py.SubInPlace, "Withdrawal successful")
}

// closed returns an error if transactions are not possible now, and nil otherwise.
func (t *tradingBot) closed() py.Value {
	switch {
	case !t.authenticated():
		return notAuthenticated("make a transaction")
	case !t.state.is("market_status", "Open"):
		return py.NewDict("error", "Market is closed. Transactions are not allowed.")
	}
	return nil
}

func (t *tradingBot) withdrawFunds(a []py.Value) py.Value {
	if refusal := t.closed(); refusal != nil {
		return refusal
	}
	if py.Must(py.LessEqual(a[0], 0)) {
		return failure("Transaction amount must be positive.")
	}
	return t.withdraw(a[0])
}

func (t *tradingBot) makeTransaction(a []py.Value) py.Value {
	account, kind, amount := a[0], a[1], a[2]
	if refusal := t.closed(); refusal != nil {
		return refusal
	}
	if !py.Equal(account, py.Must(py.Index(t.state.get("account_info"), "account_id"))) {
		return failure(text("Account with ID ", account, " not found."))
	}
	switch {
	case py.Must(py.LessEqual(amount, 0)):
		return failure("Transaction amount must be positive.")
	case py.Equal(kind, "deposit"):
		return t.book("deposit", amount, py.AddInPlace, "Deposit successful")
	case py.Equal(kind, "withdrawal"):
		return t.withdraw(amount)
	}
	return failure("Invalid transaction type. Use 'deposit' or 'withdrawal'.")
}

func (t *tradingBot) accountInfo([]py.Value) py.Value {
	if !t.authenticated() {
		return notAuthenticated("view account information")
	}
	return t.state.get("account_info")
}

func (t *tradingBot) login([]py.Value) py.Value {
	if t.authenticated() {
		return py.NewDict("status", "Already logged in")
	}
	t.state.set("authenticated", true)
	return py.NewDict("status", "Logged in successfully")
}

func (t *tradingBot) loginStatus([]py.Value) py.Value {
	return py.NewDict("status", t.authenticated())
}

func (t *tradingBot) logout([]py.Value) py.Value {
	if !t.authenticated() {
		return py.NewDict("status", "No user is currently logged in")
	}
	t.state.set("authenticated", false)
	return py.NewDict("status", "Logged out successfully")
}

func (t *tradingBot) fundAccount(a []py.Value) py.Value {
	if !t.authenticated() {
		return notAuthenticated("fund the account")
	}
	if py.Must(py.LessEqual(a[0], 0)) {
		return failure("Funding amount must be positive.")
	}
	return t.book("deposit", a[0], py.AddInPlace, "Account funded successfully")
}

func (t *tradingBot) removeFromWatchlist(a []py.Value) py.Value {
	if !t.authenticated() {
		return notAuthenticated("modify the watchlist")
	}
	if !py.Must(py.In(a[0], t.state.get("watch_list"))) {
		return failure(text("Stock ", a[0], " not found in watchlist."))
	}
	remove(list(t.state.get("watch_list"), "remove"), a[0])
	return py.NewDict("status", text("Stock ", a[0], " removed from watchlist successfully."))
}

func (t *tradingBot) watchlist([]py.Value) py.Value {
	if !t.authenticated() {
		return py.NewList("Error: User not authenticated. Please log in to view the watchlist.")
	}
	if !t.world.LongContext {
		return py.NewDict("watchlist", t.state.get("watch_list"))
	}
	return py.Must(py.Add(list(t.state.get("watch_list"), "copy"),
		py.NewList(t.world.Tables.list("WATCH_LIST_EXTENSION")...)))
}

func (t *tradingBot) orderHistory([]py.Value) py.Value {
	if !t.authenticated() {
		return py.NewList(notAuthenticated("view order history"))
	}
	return py.NewDict("history", py.NewList(append([]py.Value(nil), t.orders().Keys()...)...))
}

var (
	dateFormat = py.NewTimeFormat("%Y-%m-%d")
	timeFormat = py.NewTimeFormat("%Y-%m-%d %H:%M:%S")
	lastTime   = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
)

func (t *tradingBot) transactionHistory(a []py.Value) py.Value {
	if !t.authenticated() {
		return py.NewList(notAuthenticated("view transaction history"))
	}
	from, to := time.Time{}, lastTime
	if py.Truth(a[0]) {
		from = py.Must(dateFormat.Parse(a[0]))
	}
	if py.Truth(a[1]) {
		to = py.Must(dateFormat.Parse(a[1]))
	}
	all := py.Must(py.Iterate(t.state.get("transaction_history")))
	chosen := py.NewList()
	for _, transaction := range all {
		at := py.Must(timeFormat.Parse(py.Must(py.Index(transaction, "timestamp"))))
		if !at.Before(from) && !at.After(to) {
			chosen.Append(transaction)
		}
	}
	if t.world.LongContext {
		chosen.Items = append(chosen.Items, t.world.Tables.list("TRANSACTION_HISTORY_EXTENSION")...)
	}
	return py.NewDict("transaction_history", chosen)
}

func (t *tradingBot) updateStockPrice(a []py.Value) py.Value {
	stock := t.stock(a[0])
	if stock == nil {
		return stockNotFound(a[0])
	}
	if py.Must(py.LessEqual(a[1], 0)) {
		return failure("New price must be a positive value.")
	}
	old := py.Must(py.Index(stock, "price"))
	py.Check(py.SetIndex(stock, "price", a[1]))
	change := py.Must(py.TrueDiv(py.Must(py.Sub(a[1], old)), old))
	py.Check(py.SetIndex(stock, "percent_change", py.Must(py.Mul(change, 100))))
	return py.NewDict("symbol", a[0], "old_price", old, "new_price", a[1])
}

func (t *tradingBot) availableStocks(a []py.Value) py.Value {
	py.Check(py.Hashable(a[0]))
	out, extension := py.NewList(), ""
	switch {
	case py.Equal(a[0], "Technology"):
		out, extension = py.NewList("AAPL", "GOOG", "MSFT", "NVDA"), "TECHNOLOGY_EXTENSION"
	case py.Equal(a[0], "Automobile"):
		out, extension = py.NewList("TSLA", "F", "GM"), "AUTOMOBILE_EXTENSION"
	}
	if t.world.LongContext {
		out.Items = append(out.Items, t.world.Tables.list(extension)...)
	}
	return py.NewDict("stock_list", out)
}

// price returns the price of a stock, or 0 if it has none.
func (t *tradingBot) price(symbol py.Value) py.Value {
	stocks := dict(t.state.get("stocks"), "get")
	py.Check(py.Hashable(symbol))
	stock := dict(stocks.Or(symbol, py.NewDict()), "get")
	return stock.Or("price", 0)
}

func (t *tradingBot) filterByPrice(a []py.Value) py.Value {
	all := py.Must(py.Iterate(a[0]))
	chosen := py.NewList()
	for _, symbol := range all {
		price := t.price(symbol)
		if py.Must(py.GreaterEqual(price, a[1])) && py.Must(py.LessEqual(price, a[2])) {
			chosen.Append(symbol)
		}
	}
	return py.NewDict("filtered_stocks", chosen)
}

func (t *tradingBot) addToWatchlist(a []py.Value) py.Value {
	if !py.Must(py.In(a[0], t.state.get("watch_list"))) {
		if py.Must(py.In(a[0], t.state.get("stocks"))) {
			appendTo(t.state.get("watch_list"), a[0])
		}
	}
	key := "symbol"
	if t.world.Profile == V4 {
		key = "watchlist"
	}
	return py.NewDict(key, t.state.get("watch_list"))
}

func (t *tradingBot) notifyPriceChange(a []py.Value) py.Value {
	all := py.Must(py.Iterate(a[0]))
	var changed []string
	for _, symbol := range all {
		stock := t.stock(symbol)
		if stock == nil {
			continue
		}
		change := py.Must(py.Abs(py.Must(py.Index(stock, "percent_change"))))
		if py.Must(py.GreaterEqual(change, a[1])) {
			changed = append(changed, py.Str(symbol))
		}
	}
	if len(changed) == 0 {
		return py.NewDict("notification", "No significant price changes in the selected stocks.")
	}
	return py.NewDict("notification", "Stocks "+strings.Join(changed, ", ")+" have significant price changes.")
}

var _ Instance = (*tradingBot)(nil)
