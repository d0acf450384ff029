package api

import (
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// messageAPI is a workspace in which users write messages.
type messageAPI struct {
	world        *World
	random       *py.Random
	generatedIDs py.Value
	userCount    py.Value
	userMap      py.Value
	inbox        py.Value
	messageCount py.Value
	currentUser  py.Value
}

func init() {
	c := newClass[messageAPI]("MessageAPI", func(w *World) Instance { return &messageAPI{world: w} })
	c.method("list_users", "", (*messageAPI).listUsers)
	c.method("get_user_id", "user", (*messageAPI).getUserID)
	c.method("message_login", "user_id", (*messageAPI).login)
	c.method("message_get_login_status", "", (*messageAPI).loginStatus)
	c.method("send_message", "receiver_id, message", (*messageAPI).send)
	c.method("delete_message", "receiver_id", (*messageAPI).delete)
	c.method("view_messages_sent", "", (*messageAPI).viewSent)
	c.method("add_contact", "user_name", (*messageAPI).addContact)
	c.method("search_messages", "keyword", (*messageAPI).search)
	c.method("get_message_stats", "", (*messageAPI).stats)
}

var messageDefaults = defaults(
	attribute{"user_count", "4"},
	attribute{"user_map", "{'Alice': 'USR001', 'Bob': 'USR002', 'Catherine': 'USR003', 'Daniel': 'USR004'}"},
	attribute{"inbox", "[{'USR002': 'My name is Alice. I want to connect.'}, {'USR003': 'Could you upload the file?'}, {'USR004': 'Could you upload the file?'}]"},
	attribute{"message_count", "3"}, attribute{"current_user", "None"},
)

func (m *messageAPI) Load(config *py.Dict) (err error) {
	defer py.Catch(&err)
	m.random = random(config, 200191)
	m.generatedIDs = config.Or("generated_ids", nil)
	if !config.Has("generated_ids") {
		m.generatedIDs = &idSet{}
	}
	m.userCount = given(config, messageDefaults, "user_count")
	m.userMap = given(config, messageDefaults, "user_map")
	m.inbox = given(config, messageDefaults, "inbox")
	m.messageCount = given(config, messageDefaults, "message_count")
	m.currentUser = given(config, messageDefaults, "current_user")
	return nil
}

func (m *messageAPI) Public() *py.Dict {
	return py.NewDict("generated_ids", m.generatedIDs, "user_count", m.userCount, "user_map", m.userMap,
		"inbox", m.inbox, "message_count", m.messageCount, "current_user", m.currentUser)
}

func (m *messageAPI) Private() *py.Dict { return nextDraw(m.random) }

// idSet is the set of issued IDs.
type idSet struct{ ids map[int]bool }

func (s *idSet) PyType() string { return "set" }

func (s *idSet) PyEqual(other py.Value, _ py.Depth) (bool, error) {
	o, ok := other.(*idSet)
	return ok && maps.Equal(s.ids, o.ids), nil
}

func (s *idSet) sorted() []py.Value {
	var out []py.Value
	for _, id := range slices.Sorted(maps.Keys(s.ids)) {
		out = append(out, id)
	}
	return out
}

func (s *idSet) PyRepr() string {
	if len(s.ids) == 0 {
		return "set()"
	}
	list := py.Repr(py.NewList(s.sorted()...))
	return "{" + list[1:len(list)-1] + "}"
}

func (s *idSet) encode([]py.Value) py.Value {
	return py.NewDict("__set__", py.NewList(s.sorted()...))
}

// generateID draws an ID that is not in use.
func (m *messageAPI) generateID() py.Value {
	set, ok := m.generatedIDs.(*idSet)
	for {
		id := m.random.Int(10000, 99999)
		if !ok { // a list from a configuration
			if !py.Must(py.In(id, m.generatedIDs)) {
				panic(py.NoAttribute(m.generatedIDs, "add"))
			}
			continue
		}
		if set.ids[id] {
			continue
		}
		if set.ids == nil {
			set.ids = map[int]bool{}
		}
		set.ids[id] = true
		return py.NewDict("new_id", id)
	}
}

func (m *messageAPI) listUsers([]py.Value) py.Value {
	users := dict(m.userMap, "keys")
	return py.NewDict("user_list", py.NewList(users.Keys()...))
}

func (m *messageAPI) getUserID(a []py.Value) py.Value {
	if !py.Must(py.In(a[0], m.userMap)) {
		return failure(text("User ", quotedName(a[0]), " not found in the workspace."))
	}
	return py.NewDict("user_id", dict(m.userMap, "get").Or(a[0], nil))
}

// isUser reports whether an ID belongs to a user.
func (m *messageAPI) isUser(id py.Value) bool {
	users := dict(m.userMap, "values")
	return py.Must(py.In(id, py.Tuple(users.Values())))
}

func (m *messageAPI) login(a []py.Value) py.Value {
	if !m.isUser(a[0]) {
		return py.NewDict("login_status", false, "message", text("User ID ", quotedName(a[0]), " not found."))
	}
	m.currentUser = a[0]
	return py.NewDict("login_status", true, "message", text("User ", quotedName(a[0]), " logged in successfully."))
}

func (m *messageAPI) loginStatus([]py.Value) py.Value {
	return py.NewDict("login_status", py.Truth(m.currentUser))
}

func notLoggedIn() py.Value { return failure("No user is currently logged in.") }

func (m *messageAPI) send(a []py.Value) py.Value {
	if !py.Truth(m.currentUser) {
		return notLoggedIn()
	}
	if !m.isUser(a[0]) {
		return failure(text("Receiver ID ", quotedName(a[0]), " not found."))
	}
	id := m.generateID()
	inbox := list(m.inbox, "append")
	py.Check(py.Hashable(a[0]))
	inbox.Append(py.NewDict(a[0], a[1]))
	m.messageCount = py.Must(py.Add(m.messageCount, 1))
	return py.NewDict("sent_status", true, "message_id", id, "message",
		text("Message sent to ", quotedName(a[0]), " successfully."))
}

// firstPair returns list(message.items())[0]: the receiver and the text; anything else in a message is never read.
func firstPair(message py.Value) (key, value py.Value) {
	d := dict(message, "items")
	if d.Len() == 0 {
		panic(py.Raise("IndexError", "list index out of range"))
	}
	key, value = d.At(0)
	return key, value
}

func (m *messageAPI) delete(a []py.Value) py.Value {
	if !py.Truth(m.currentUser) {
		return notLoggedIn()
	}
	for _, message := range slices.Backward(py.Must(py.Iterate(m.inbox))) {
		receiver, _ := firstPair(message)
		if !py.Equal(receiver, a[0]) {
			continue
		}
		remove(list(m.inbox, "remove"), message)
		key, ordinal := "message_id", "first"
		if m.world.Profile == V4 {
			key, ordinal = "receiver_id", "latest"
		}
		return py.NewDict("deleted_status", true, key, receiver,
			"message", text("Receiver ", a[0], "'s ", ordinal, " message deleted successfully."))
	}
	return failure(text("Receiver ID ", a[0], " not found."))
}

func (m *messageAPI) viewSent([]py.Value) py.Value {
	if !py.Truth(m.currentUser) {
		return notLoggedIn()
	}
	sent := py.NewDict()
	for _, message := range py.Must(py.Iterate(m.inbox)) {
		receiver, content := firstPair(message)
		if have, ok := sent.Get(receiver); ok {
			have.(*py.List).Append(content)
			continue
		}
		sent.Set(receiver, py.NewList(content))
	}
	return py.NewDict("messages", sent)
}

func (m *messageAPI) addContact(a []py.Value) py.Value {
	if py.Must(py.In(a[0], m.userMap)) {
		return failure(text("User name ", quotedName(a[0]), " already exists."))
	}
	m.userCount = py.Must(py.Add(m.userCount, 1))
	id := "USR" + zeroFilled(py.Str(m.userCount), 3)
	if m.isUser(id) {
		return failure(text("User ID ", quotedName(id), " already exists."))
	}
	py.Check(py.SetIndex(m.userMap, a[0], id))
	return py.NewDict("added_status", true, "user_id", id, "message",
		text("Contact ", quotedName(a[0]), " added successfully."))
}

// zeroFilled returns s.zfill(width).
func zeroFilled(s string, width int) string {
	sign := ""
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		sign, s = s[:1], s[1:]
	}
	return sign + strings.Repeat("0", max(0, width-len(sign)-py.Len(s))) + s
}

func (m *messageAPI) search(a []py.Value) py.Value {
	if !py.Truth(m.currentUser) {
		return notLoggedIn()
	}
	keyword, found := lowerOf(a[0]), py.NewList()
	for _, message := range py.Must(py.Iterate(m.inbox)) {
		receiver, content := firstPair(message)
		if strings.Contains(lowerOf(content), keyword) {
			found.Append(py.NewDict("receiver_id", receiver, "message", content))
		}
	}
	return py.NewDict("results", found)
}

func (m *messageAPI) stats([]py.Value) py.Value {
	if !py.Truth(m.currentUser) {
		return notLoggedIn()
	}
	messages := py.Must(py.Iterate(m.inbox))
	contacts := py.NewDict()
	for _, message := range messages {
		receiver, _ := firstPair(message)
		contacts.Set(receiver, true)
	}
	return py.NewDict("stats", py.NewDict("received_count", len(messages), "total_contacts", contacts.Len()))
}

var (
	_ Instance  = (*messageAPI)(nil)
	_ py.Object = (*idSet)(nil)
)
