package api

import (
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk/pytext"
)

// ticketAPI is the queue of support tickets in a company.
type ticketAPI struct {
	world       *World
	queue       py.Value
	counter     py.Value
	currentUser py.Value
}

func init() {
	c := newClass[ticketAPI]("TicketAPI", func(w *World) Instance { return &ticketAPI{world: w} })
	c.method("create_ticket", "title, description='', priority=1", (*ticketAPI).create)
	c.method("get_ticket", "ticket_id", (*ticketAPI).get)
	c.method("close_ticket", "ticket_id", (*ticketAPI).close)
	c.method("resolve_ticket", "ticket_id, resolution", (*ticketAPI).resolve)
	c.method("edit_ticket", "ticket_id, updates", (*ticketAPI).edit)
	c.method("ticket_login", "username, password", (*ticketAPI).login)
	c.method("ticket_get_login_status", "", (*ticketAPI).loginStatus)
	c.method("logout", "", (*ticketAPI).logout)
	c.method("get_user_tickets", "status=None", (*ticketAPI).userTickets)
}

var ticketDefaults = defaults(attribute{"ticket_queue", "[]"}, attribute{"ticket_counter", "1"},
	attribute{"current_user", "None"})

func (t *ticketAPI) Load(config *py.Dict) error {
	t.queue = given(config, ticketDefaults, "ticket_queue")
	t.counter = given(config, ticketDefaults, "ticket_counter")
	t.currentUser = given(config, ticketDefaults, "current_user")
	return nil
}

func (t *ticketAPI) Public() *py.Dict {
	return py.NewDict("ticket_queue", t.queue, "ticket_counter", t.counter, "current_user", t.currentUser)
}

func (t *ticketAPI) Private() *py.Dict { return py.NewDict() }

func (t *ticketAPI) create(a []py.Value) py.Value {
	if !py.Truth(t.currentUser) {
		return failure("User not authenticated. Please log in to create a ticket.")
	}
	if py.Must(py.Less(a[2], 1)) || py.Must(py.Greater(a[2], 5)) {
		return failure("Invalid priority. Priority must be between 1 and 5.")
	}
	ticket := py.NewDict("id", t.counter, "title", a[0], "description", a[1], "status", "Open", "priority", a[2],
		"created_by", t.currentUser)
	list(t.queue, "append").Append(ticket)
	t.counter = py.Must(py.Add(t.counter, 1))
	return ticket
}

// find returns the ticket with an ID, or nil if it does not exist.
func (t *ticketAPI) find(id py.Value) py.Value {
	for _, ticket := range py.Must(py.Iterate(t.queue)) {
		if py.Equal(py.Must(py.Index(ticket, "id")), id) {
			return ticket
		}
	}
	return nil
}

// with finds a ticket and calls a function with it.
func (t *ticketAPI) with(id py.Value, do func(ticket py.Value) py.Value) py.Value {
	ticket := t.find(id)
	if !py.Truth(ticket) {
		return failure(text("Ticket with ID ", id, " not found."))
	}
	return do(ticket)
}

func (t *ticketAPI) get(a []py.Value) py.Value {
	return t.with(a[0], func(ticket py.Value) py.Value { return ticket })
}

// setStatus changes the status of a ticket, unless it already has the new one.
func setStatus(id, ticket py.Value, status, already string, done func()) py.Value {
	if py.Equal(py.Must(py.Index(ticket, "status")), status) {
		return failure(text("Ticket with ID ", id, " is already ", already, "."))
	}
	py.Check(py.SetIndex(ticket, "status", status))
	done()
	return py.NewDict("status", text("Ticket ", id, " has been ", already, " successfully."))
}

func (t *ticketAPI) close(a []py.Value) py.Value {
	return t.with(a[0], func(ticket py.Value) py.Value {
		return setStatus(a[0], ticket, "Closed", "closed", func() {})
	})
}

func (t *ticketAPI) resolve(a []py.Value) py.Value {
	return t.with(a[0], func(ticket py.Value) py.Value {
		return setStatus(a[0], ticket, "Resolved", "resolved", func() { py.Check(py.SetIndex(ticket, "resolution", a[1])) })
	})
}

func (t *ticketAPI) edit(a []py.Value) py.Value {
	return t.with(a[0], func(ticket py.Value) py.Value {
		updates := dict(a[1], "keys")
		var invalid []string
		for _, key := range updates.Keys() {
			switch key {
			case "title", "description", "status", "priority":
				continue
			}
			name, ok := key.(string)
			if !ok {
				panic(py.TypeError("sequence item %d: expected str instance, %s found", len(invalid), py.TypeName(key)))
			}
			invalid = append(invalid, name) // in the dictionary's order: the reference uses a set, which has no order
		}
		if len(invalid) > 0 {
			return failure("Invalid fields for update: " + strings.Join(invalid, ", "))
		}
		for i := range updates.Len() {
			key, value := updates.At(i)
			if value == nil {
				continue
			}
			py.Check(py.SetIndex(ticket, key, value))
		}
		return py.NewDict("status", text("Ticket ", a[0], " has been updated successfully."))
	})
}

func (t *ticketAPI) login(a []py.Value) py.Value {
	if !py.Truth(a[0]) || !py.Truth(a[1]) {
		return py.NewDict("success", false)
	}
	t.currentUser = a[0]
	return py.NewDict("success", true)
}

func (t *ticketAPI) loginStatus([]py.Value) py.Value {
	key := "username"
	if t.world.Profile == V4 {
		key = "login_status"
	}
	return py.NewDict(key, py.Truth(t.currentUser))
}

func (t *ticketAPI) logout([]py.Value) py.Value {
	in := py.Truth(t.currentUser)
	if in {
		t.currentUser = nil
	}
	return py.NewDict("success", in)
}

func (t *ticketAPI) userTickets(a []py.Value) py.Value {
	if !py.Truth(t.currentUser) {
		return py.NewList(py.NewDict("error", "User not authenticated. Please log in to view tickets."))
	}
	own := py.NewList()
	for _, ticket := range py.Must(py.Iterate(t.queue)) {
		if py.Equal(py.Must(py.Index(ticket, "created_by")), t.currentUser) {
			own.Append(ticket)
		}
	}
	if !py.Truth(a[0]) {
		return own
	}
	chosen := py.NewList()
	for _, ticket := range own.Items {
		if hasStatus(ticket, a[0]) {
			chosen.Append(ticket)
		}
	}
	return chosen
}

func hasStatus(ticket, status py.Value) bool {
	v := py.Must(py.Index(ticket, "status"))
	have := py.Must(py.Text(v, "lower"))
	return pytext.Lower(have) == pytext.Lower(py.Must(py.Text(status, "lower")))
}

var _ Instance = (*ticketAPI)(nil)
