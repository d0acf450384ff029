package api

import (
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
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
	shared        *Shared // the lists of tweets that were posted without tags or mentions
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
	attribute{"username", "'john'"}, attribute{"password", "'john123'"}, attribute{"authenticated", "False"}, attribute{"tweets", "{}"},
	attribute{"comments", "{}"}, attribute{"retweets", "{}"}, attribute{"following_list", "['alice', 'bob']"}, attribute{"tweet_counter", "0"},
)

func (t *twitterAPI) Load(config *py.Dict) error {
	t.username = given(config, twitterDefaults, "username")
	t.password = given(config, twitterDefaults, "password")
	t.authenticated = given(config, twitterDefaults, "authenticated")
	tweets, err := dict(given(config, twitterDefaults, "tweets"), "items")
	if err != nil {
		return err
	}
	t.tweets = py.NewDict()
	for i := range tweets.Len() {
		key, tweet := tweets.At(i)
		id, err := py.Int(key)
		if err != nil {
			return err
		}
		t.tweets.Set(id, tweet)
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
	return py.NewDict("username", t.username, "password", t.password, "authenticated", t.authenticated, "tweets", t.tweets, "comments", t.comments,
		"retweets", t.retweets, "following_list", t.followingList, "tweet_counter", t.tweetCounter)
}

func (t *twitterAPI) Private() *py.Dict { return py.NewDict() }

func (t *twitterAPI) authenticate(a []py.Value) (py.Value, error) {
	ok := py.Equal(a[0], t.username) && py.Equal(a[1], t.password)
	if ok {
		t.authenticated = true
	}
	return py.NewDict("authentication_status", ok), nil
}

func (t *twitterAPI) loginStatus([]py.Value) (py.Value, error) {
	return py.NewDict("login_status", py.Truth(t.authenticated)), nil
}

// stranger is the answer to who is not authenticated; ok is false then.
func (t *twitterAPI) stranger(doing string) (py.Value, bool) {
	if py.Truth(t.authenticated) {
		return nil, true
	}
	return py.NewDict("error", "User not authenticated. Please authenticate before "+doing+"."), false
}

func (t *twitterAPI) post(a []py.Value) (py.Value, error) {
	if refusal, ok := t.stranger("posting"); !ok {
		return refusal, nil
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
	var err error
	if t.tweetCounter, err = py.Add(t.tweetCounter, 1); err != nil {
		return nil, err
	}
	return tweet, nil
}

// tweet finds a tweet. Where there is none, refusal says so.
func (t *twitterAPI) tweet(id py.Value) (tweet, refusal py.Value, err error) {
	known, err := py.In(id, t.tweets)
	if err != nil {
		return nil, nil, err
	}
	if !known {
		return nil, py.NewDict("error", text("Tweet with ID ", id, " not found.")), nil
	}
	return t.tweets.Or(id, nil), nil, nil
}

func (t *twitterAPI) retweet(a []py.Value) (py.Value, error) {
	if refusal, ok := t.stranger("retweeting"); !ok {
		return refusal, nil
	}
	if _, refusal, err := t.tweet(a[0]); err != nil || refusal != nil {
		return refusal, err
	}
	own, err := t.listIn(t.retweets, t.username)
	if err != nil {
		return nil, err
	}
	already, err := py.In(a[0], own)
	if err != nil {
		return nil, err
	}
	if already {
		return py.NewDict("retweet_status", "Already retweeted"), nil
	}
	if err := appendTo(own, a[0]); err != nil {
		return nil, err
	}
	return py.NewDict("retweet_status", "Successfully retweeted"), nil
}

// listIn is what a dictionary holds for a key; where it holds nothing it gets a list.
func (t *twitterAPI) listIn(d, key py.Value) (py.Value, error) {
	has, err := py.In(key, d)
	if err == nil && !has {
		err = py.SetIndex(d, key, py.NewList())
	}
	if err != nil {
		return nil, err
	}
	return py.Index(d, key)
}

func appendTo(v, item py.Value) error {
	l, err := list(v, "append")
	if err == nil {
		l.Append(item)
	}
	return err
}

func (t *twitterAPI) comment(a []py.Value) (py.Value, error) {
	if refusal, ok := t.stranger("commenting"); !ok {
		if t.world.Profile != V4 { // the dictionary is raised, and is no exception
			return nil, py.TypeError("exceptions must derive from BaseException")
		}
		return refusal, nil
	}
	if _, refusal, err := t.tweet(a[0]); err != nil || refusal != nil {
		return refusal, err
	}
	comments, err := t.listIn(t.comments, a[0])
	if err != nil {
		return nil, err
	}
	if err := appendTo(comments, py.NewDict("username", t.username, "content", a[1])); err != nil {
		return nil, err
	}
	return py.NewDict("comment_status", "Comment added successfully"), nil
}

func (t *twitterAPI) mention(a []py.Value) (py.Value, error) {
	tweet, refusal, err := t.tweet(a[0])
	if err != nil || refusal != nil {
		return refusal, err
	}
	v, err := py.Index(tweet, "mentions")
	if err != nil {
		return nil, err
	}
	mentions, err := list(v, "extend")
	if err != nil {
		return nil, err
	}
	names, err := py.Iterate(a[1])
	if err != nil {
		return nil, err
	}
	for _, name := range append([]py.Value(nil), names...) {
		mentions.Append(name)
	}
	return py.NewDict("mention_status", "Users mentioned successfully"), nil
}

func (t *twitterAPI) follow(a []py.Value) (py.Value, error) {
	if refusal, ok := t.stranger("following"); !ok {
		return refusal, nil
	}
	already, err := py.In(a[0], t.followingList)
	if err == nil && !already {
		err = appendTo(t.followingList, a[0])
	}
	if err != nil {
		return nil, err
	}
	return py.NewDict("follow_status", !already), nil
}

func (t *twitterAPI) listFollowing([]py.Value) (py.Value, error) {
	if refusal, ok := t.stranger("listing following"); !ok {
		return refusal, nil
	}
	if t.world.Profile == V4 {
		return py.NewDict("following_list", t.followingList), nil
	}
	return t.followingList, nil
}

func (t *twitterAPI) unfollow(a []py.Value) (py.Value, error) {
	if refusal, ok := t.stranger("unfollowing"); !ok {
		return refusal, nil
	}
	follows, err := py.In(a[0], t.followingList)
	if err != nil {
		return nil, err
	}
	if follows {
		l, err := list(t.followingList, "remove")
		if err != nil {
			return nil, err
		}
		remove(l, a[0])
	}
	return py.NewDict("unfollow_status", follows), nil
}

func (t *twitterAPI) getTweet(a []py.Value) (py.Value, error) {
	tweet, refusal, err := t.tweet(a[0])
	if err != nil || refusal != nil {
		return refusal, err
	}
	return tweet, nil
}

// by lists the tweets of a user.
func (t *twitterAPI) by(username py.Value) (*py.List, error) {
	out := py.NewList()
	for _, tweet := range t.tweets.Values() {
		author, err := py.Index(tweet, "username")
		if err != nil {
			return nil, err
		}
		if py.Equal(author, username) {
			out.Append(tweet)
		}
	}
	return out, nil
}

func (t *twitterAPI) userTweets(a []py.Value) (py.Value, error) {
	tweets, err := t.by(a[0])
	if err != nil {
		return nil, err
	}
	return tweets, nil
}

func (t *twitterAPI) search(a []py.Value) (py.Value, error) {
	found := py.NewList()
	for _, tweet := range t.tweets.Values() {
		matches, err := matchesTweet(tweet, a[0])
		if err != nil {
			return nil, err
		}
		if matches {
			found.Append(tweet)
		}
	}
	return found, nil
}

// matchesTweet looks for a keyword in the text, then for a tag that is the keyword.
func matchesTweet(tweet, keyword py.Value) (bool, error) {
	word, err := lowerOf(keyword, nil)
	if err != nil {
		return false, err
	}
	content, err := lowerOf(py.Index(tweet, "content"))
	if err != nil {
		return false, err
	}
	if strings.Contains(content, word) {
		return true, nil
	}
	v, err := py.Index(tweet, "tags")
	if err != nil {
		return false, err
	}
	tags, err := py.Iterate(v)
	if err != nil {
		return false, err
	}
	matches := false
	for _, tag := range tags { // all of them: Python makes the list first
		name, err := lowerOf(tag, nil)
		if err != nil {
			return false, err
		}
		matches = matches || name == word
	}
	return matches, nil
}

// lowerOf is v.lower().
func lowerOf(v py.Value, err error) (string, error) {
	if err != nil {
		return "", err
	}
	s, err := py.Text(v, "lower")
	return py.Lower(s), err
}

func (t *twitterAPI) tweetComments(a []py.Value) (py.Value, error) {
	if _, refusal, err := t.tweet(a[0]); err != nil || refusal != nil {
		return refusal, err
	}
	comments, err := dict(t.comments, "get")
	if err != nil {
		return nil, err
	}
	return comments.Or(a[0], py.NewList()), nil
}

func (t *twitterAPI) userStats(a []py.Value) (py.Value, error) {
	tweets, err := t.by(a[0])
	if err != nil {
		return nil, err
	}
	following := 0
	if py.Equal(a[0], t.username) {
		if following, err = py.Length(t.followingList); err != nil {
			return nil, err
		}
	}
	retweets, err := dict(t.retweets, "get")
	if err != nil {
		return nil, err
	}
	if err := py.Hashable(a[0]); err != nil {
		return nil, err
	}
	retweeted, err := py.Length(retweets.Or(a[0], py.NewList()))
	if err != nil {
		return nil, err
	}
	return py.NewDict("tweet_count", len(tweets.Items), "following_count", following, "retweet_count", retweeted), nil
}

var _ Instance = (*twitterAPI)(nil)
