package api

import (
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk/pytext"
)

// twitterAPI posts tweets.
type twitterAPI struct {
	world         *World
	username      py.Value
	password      py.Value
	authenticated py.Value
	tweets        *py.Dict
	comments      py.Value
	retweets      py.Value
	followingList py.Value
	tweetCounter  py.Value
	shared        *Shared // the tag and mention lists of tweets that were posted without any
}

func init() {
	c := newClass[twitterAPI]("TwitterAPI", func(w *World) Instance { return &twitterAPI{world: w} })
	c.method("authenticate_twitter", "username, password", (*twitterAPI).authenticate)
	c.method("posting_get_login_status", "", (*twitterAPI).loginStatus)
	c.method("post_tweet", "content, tags=..., mentions=...", (*twitterAPI).post)
	c.method("retweet", "tweet_id", (*twitterAPI).retweet)
	c.method("comment", "tweet_id, comment_content", (*twitterAPI).comment)
	c.method("mention", "tweet_id, mentioned_usernames", (*twitterAPI).mention)
	c.method("follow_user", "username_to_follow", (*twitterAPI).follow)
	c.method("list_all_following", "", (*twitterAPI).listFollowing)
	c.method("unfollow_user", "username_to_unfollow", (*twitterAPI).unfollow)
	c.method("get_tweet", "tweet_id", (*twitterAPI).getTweet)
	c.method("get_user_tweets", "username", (*twitterAPI).userTweets)
	c.method("search_tweets", "keyword", (*twitterAPI).search)
	c.method("get_tweet_comments", "tweet_id", (*twitterAPI).tweetComments)
	c.method("get_user_stats", "username", (*twitterAPI).userStats)
}

var twitterDefaults = defaults(
	attribute{"username", "'john'"}, attribute{"password", "'john123'"}, attribute{"authenticated", "False"},
	attribute{"tweets", "{}"},
	attribute{"comments", "{}"}, attribute{"retweets", "{}"}, attribute{"following_list", "['alice', 'bob']"},
	attribute{"tweet_counter", "0"},
)

func (t *twitterAPI) Load(config *py.Dict) (err error) {
	defer py.Catch(&err)
	t.username = given(config, twitterDefaults, "username")
	t.password = given(config, twitterDefaults, "password")
	t.authenticated = given(config, twitterDefaults, "authenticated")
	tweets := dict(given(config, twitterDefaults, "tweets"), "items")
	t.tweets = py.NewDict()
	for i := range tweets.Len() {
		key, tweet := tweets.At(i)
		t.tweets.Set(py.Must(py.Int(key)), tweet)
	}
	t.comments = given(config, twitterDefaults, "comments")
	t.retweets = given(config, twitterDefaults, "retweets")
	t.followingList = given(config, twitterDefaults, "following_list")
	t.tweetCounter = given(config, twitterDefaults, "tweet_counter")
	if t.shared = t.world.Shared; t.shared == nil {
		t.shared = NewShared()
	}
	return nil
}

func (t *twitterAPI) Public() *py.Dict {
	return py.NewDict("username", t.username, "password", t.password, "authenticated", t.authenticated, "tweets", t.tweets,
		"comments", t.comments,
		"retweets", t.retweets, "following_list", t.followingList, "tweet_counter", t.tweetCounter)
}

func (t *twitterAPI) Private() *py.Dict { return py.NewDict() }

func (t *twitterAPI) authenticate(a []py.Value) py.Value {
	ok := py.Equal(a[0], t.username) && py.Equal(a[1], t.password)
	if ok {
		t.authenticated = true
	}
	return py.NewDict("authentication_status", ok)
}

func (t *twitterAPI) loginStatus([]py.Value) py.Value {
	return py.NewDict("login_status", py.Truth(t.authenticated))
}

// notAuthenticated returns the error reply for unauthenticated calls. ok is false then.
func (t *twitterAPI) notAuthenticated(doing string) (py.Value, bool) {
	if py.Truth(t.authenticated) {
		return nil, true
	}
	return py.NewDict("error", "User not authenticated. Please authenticate before "+doing+"."), false
}

func (t *twitterAPI) post(a []py.Value) py.Value {
	if refusal, ok := t.notAuthenticated("posting"); !ok {
		return refusal
	}
	tags, mentions := a[1], a[2]
	if tags == (py.Ellipsis{}) {
		tags = t.shared.Tags
	}
	if mentions == (py.Ellipsis{}) {
		mentions = t.shared.Mentions
	}
	tweet := py.NewDict("id", t.tweetCounter, "username", t.username, "content", a[0], "tags", tags, "mentions", mentions)
	t.tweets.Set(t.tweetCounter, tweet)
	t.tweetCounter = py.Must(py.Add(t.tweetCounter, 1))
	return tweet
}

// tweet finds a tweet. If it does not exist, refusal reports it.
func (t *twitterAPI) tweet(id py.Value) (tweet, refusal py.Value) {
	if !py.Must(py.In(id, t.tweets)) {
		return nil, py.NewDict("error", text("Tweet with ID ", id, " not found."))
	}
	return t.tweets.Or(id, nil), nil
}

func (t *twitterAPI) retweet(a []py.Value) py.Value {
	if refusal, ok := t.notAuthenticated("retweeting"); !ok {
		return refusal
	}
	if _, refusal := t.tweet(a[0]); refusal != nil {
		return refusal
	}
	own := t.listIn(t.retweets, t.username)
	if py.Must(py.In(a[0], own)) {
		return py.NewDict("retweet_status", "Already retweeted")
	}
	appendTo(own, a[0])
	return py.NewDict("retweet_status", "Successfully retweeted")
}

// listIn returns the list in a dictionary for a key, and adds an empty list if the key is missing.
func (t *twitterAPI) listIn(d, key py.Value) py.Value {
	if !py.Must(py.In(key, d)) {
		py.Check(py.SetIndex(d, key, py.NewList()))
	}
	return py.Must(py.Index(d, key))
}

func appendTo(v, item py.Value) {
	list(v, "append").Append(item)
}

func (t *twitterAPI) comment(a []py.Value) py.Value {
	if refusal, ok := t.notAuthenticated("commenting"); !ok {
		if t.world.Profile != V4 { // the dictionary is raised, and is no exception
			panic(py.TypeError("exceptions must derive from BaseException"))
		}
		return refusal
	}
	if _, refusal := t.tweet(a[0]); refusal != nil {
		return refusal
	}
	comments := t.listIn(t.comments, a[0])
	appendTo(comments, py.NewDict("username", t.username, "content", a[1]))
	return py.NewDict("comment_status", "Comment added successfully")
}

func (t *twitterAPI) mention(a []py.Value) py.Value {
	tweet, refusal := t.tweet(a[0])
	if refusal != nil {
		return refusal
	}
	v := py.Must(py.Index(tweet, "mentions"))
	mentions := list(v, "extend")
	names := py.Must(py.Iterate(a[1]))
	for _, name := range append([]py.Value(nil), names...) {
		mentions.Append(name)
	}
	return py.NewDict("mention_status", "Users mentioned successfully")
}

func (t *twitterAPI) follow(a []py.Value) py.Value {
	if refusal, ok := t.notAuthenticated("following"); !ok {
		return refusal
	}
	already := py.Must(py.In(a[0], t.followingList))
	if !already {
		appendTo(t.followingList, a[0])
	}
	return py.NewDict("follow_status", !already)
}

func (t *twitterAPI) listFollowing([]py.Value) py.Value {
	if refusal, ok := t.notAuthenticated("listing following"); !ok {
		return refusal
	}
	if t.world.Profile == V4 {
		return py.NewDict("following_list", t.followingList)
	}
	return t.followingList
}

func (t *twitterAPI) unfollow(a []py.Value) py.Value {
	if refusal, ok := t.notAuthenticated("unfollowing"); !ok {
		return refusal
	}
	follows := py.Must(py.In(a[0], t.followingList))
	if follows {
		remove(list(t.followingList, "remove"), a[0])
	}
	return py.NewDict("unfollow_status", follows)
}

func (t *twitterAPI) getTweet(a []py.Value) py.Value {
	tweet, refusal := t.tweet(a[0])
	if refusal != nil {
		return refusal
	}
	return tweet
}

// by lists a user's tweets.
func (t *twitterAPI) by(username py.Value) *py.List {
	out := py.NewList()
	for _, tweet := range t.tweets.Values() {
		author := py.Must(py.Index(tweet, "username"))
		if py.Equal(author, username) {
			out.Append(tweet)
		}
	}
	return out
}

func (t *twitterAPI) userTweets(a []py.Value) py.Value {
	return t.by(a[0])
}

func (t *twitterAPI) search(a []py.Value) py.Value {
	found := py.NewList()
	for _, tweet := range t.tweets.Values() {
		if matchesTweet(tweet, a[0]) {
			found.Append(tweet)
		}
	}
	return found
}

// matchesTweet looks for a keyword in the text, and then for a tag that equals the keyword.
func matchesTweet(tweet, keyword py.Value) bool {
	word := lowerOf(keyword)
	content := lowerOf(py.Must(py.Index(tweet, "content")))
	if strings.Contains(content, word) {
		return true
	}
	tags := py.Must(py.Iterate(py.Must(py.Index(tweet, "tags"))))
	matches := false
	for _, tag := range tags { // all of them: Python makes the list first
		name := lowerOf(tag)
		matches = matches || name == word
	}
	return matches
}

// lowerOf is v.lower().
func lowerOf(v py.Value) string { return pytext.Lower(py.Must(py.Text(v, "lower"))) }

func (t *twitterAPI) tweetComments(a []py.Value) py.Value {
	if _, refusal := t.tweet(a[0]); refusal != nil {
		return refusal
	}
	return dict(t.comments, "get").Or(a[0], py.NewList())
}

func (t *twitterAPI) userStats(a []py.Value) py.Value {
	tweets := t.by(a[0])
	following := 0
	if py.Equal(a[0], t.username) {
		following = py.Must(py.Length(t.followingList))
	}
	retweets := dict(t.retweets, "get")
	py.Check(py.Hashable(a[0]))
	retweeted := py.Must(py.Length(retweets.Or(a[0], py.NewList())))
	return py.NewDict("tweet_count", len(tweets.Items), "following_count", following, "retweet_count", retweeted)
}

var _ Instance = (*twitterAPI)(nil)
