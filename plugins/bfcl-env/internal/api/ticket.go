package api

import (
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// ticketAPI is the queue of a company's support tickets.
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

var ticketDefaults = defaults(attribute{"ticket_queue", "[]"}, attribute{"ticket_counter", "1"}, attribute{"current_user", "None"})

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

func (t *ticketAPI) create(a []py.Value) (py.Value, error) {
	if !py.Truth(t.currentUser) {
		return failure("User not authenticated. Please log in to create a ticket.")
	}
	outside, err := py.Less(a[2], 1)
	if err == nil && !outside {
		outside, err = py.Greater(a[2], 5)
	}
	switch {
	case err != nil:
		return nil, err
	case outside:
		return failure("Invalid priority. Priority must be between 1 and 5.")
	}
	ticket := py.NewDict("id", t.counter, "title", a[0], "description", a[1], "status", "Open", "priority", a[2], "created_by", t.currentUser)
	queue, err := list(t.queue, "append")
	if err != nil {
		return nil, err
	}
	queue.Append(ticket)
	if t.counter, err = py.Add(t.counter, 1); err != nil {
		return nil, err
	}
	return ticket, nil
}

// find returns the ticket of an id; nil: there is none.
func (t *ticketAPI) find(id py.Value) (py.Value, error) {
	tickets, err := py.Iterate(t.queue)
	if err != nil {
		return nil, err
	}
	for _, ticket := range tickets {
		have, err := py.Index(ticket, "id")
		if err != nil {
			return nil, err
		}
		if py.Equal(have, id) {
			return ticket, nil
		}
	}
	return nil, nil
}

// with finds a ticket and does something with it.
func (t *ticketAPI) with(id py.Value, do func(ticket py.Value) (py.Value, error)) (py.Value, error) {
	ticket, err := t.find(id)
	switch {
	case err != nil:
		return nil, err
	case !py.Truth(ticket):
		return failure(text("Ticket with ID ", id, " not found."))
	}
	return do(ticket)
}

func (t *ticketAPI) get(a []py.Value) (py.Value, error) {
	return t.with(a[0], func(ticket py.Value) (py.Value, error) { return ticket, nil })
}

// become gives a ticket another status, unless it has it.
func become(id, ticket py.Value, status, already string, done func() error) (py.Value, error) {
	have, err := py.Index(ticket, "status")
	if err != nil {
		return nil, err
	}
	if py.Equal(have, status) {
		return failure(text("Ticket with ID ", id, " is already ", already, "."))
	}
	if err := py.SetIndex(ticket, "status", status); err != nil {
		return nil, err
	}
	if err := done(); err != nil {
		return nil, err
	}
	return py.NewDict("status", text("Ticket ", id, " has been ", already, " successfully.")), nil
}

func (t *ticketAPI) close(a []py.Value) (py.Value, error) {
	return t.with(a[0], func(ticket py.Value) (py.Value, error) {
		return become(a[0], ticket, "Closed", "closed", func() error { return nil })
	})
}

func (t *ticketAPI) resolve(a []py.Value) (py.Value, error) {
	return t.with(a[0], func(ticket py.Value) (py.Value, error) {
		return become(a[0], ticket, "Resolved", "resolved", func() error { return py.SetIndex(ticket, "resolution", a[1]) })
	})
}

func (t *ticketAPI) edit(a []py.Value) (py.Value, error) {
	return t.with(a[0], func(ticket py.Value) (py.Value, error) {
		updates, err := dict(a[1], "keys")
		if err != nil {
			return nil, err
		}
		var invalid []string
		for _, key := range updates.Keys() {
			switch key {
			case "title", "description", "status", "priority":
				continue
			}
			name, ok := key.(string)
			if !ok {
				return nil, py.TypeError("sequence item %d: expected str instance, %s found", len(invalid), py.TypeName(key))
			}
			invalid = append(invalid, name) // in their own order: the reference has a set here, which has none
		}
		if len(invalid) > 0 {
			return failure("Invalid fields for update: " + strings.Join(invalid, ", "))
		}
		for i := range updates.Len() {
			key, value := updates.At(i)
			if value == nil {
				continue
			}
			if err := py.SetIndex(ticket, key, value); err != nil {
				return nil, err
			}
		}
		return py.NewDict("status", text("Ticket ", a[0], " has been updated successfully.")), nil
	})
}

func (t *ticketAPI) login(a []py.Value) (py.Value, error) {
	if !py.Truth(a[0]) || !py.Truth(a[1]) {
		return py.NewDict("success", false), nil
	}
	t.currentUser = a[0]
	return py.NewDict("success", true), nil
}

func (t *ticketAPI) loginStatus([]py.Value) (py.Value, error) {
	key := "username"
	if t.world.Profile == V4 {
		key = "login_status"
	}
	return py.NewDict(key, py.Truth(t.currentUser)), nil
}

func (t *ticketAPI) logout([]py.Value) (py.Value, error) {
	in := py.Truth(t.currentUser)
	if in {
		t.currentUser = nil
	}
	return py.NewDict("success", in), nil
}

func (t *ticketAPI) userTickets(a []py.Value) (py.Value, error) {
	if !py.Truth(t.currentUser) {
		return py.NewList(py.NewDict("error", "User not authenticated. Please log in to view tickets.")), nil
	}
	tickets, err := py.Iterate(t.queue)
	if err != nil {
		return nil, err
	}
	own := py.NewList()
	for _, ticket := range tickets {
		by, err := py.Index(ticket, "created_by")
		if err != nil {
			return nil, err
		}
		if py.Equal(by, t.currentUser) {
			own.Append(ticket)
		}
	}
	if !py.Truth(a[0]) {
		return own, nil
	}
	chosen := py.NewList()
	for _, ticket := range own.Items {
		has, err := hasStatus(ticket, a[0])
		if err != nil {
			return nil, err
		}
		if has {
			chosen.Append(ticket)
		}
	}
	return chosen, nil
}

func hasStatus(ticket, status py.Value) (bool, error) {
	v, err := py.Index(ticket, "status")
	if err != nil {
		return false, err
	}
	have, err := py.Text(v, "lower")
	if err != nil {
		return false, err
	}
	want, err := py.Text(status, "lower")
	return py.Lower(have) == py.Lower(want), err
}

var _ Instance = (*ticketAPI)(nil)
