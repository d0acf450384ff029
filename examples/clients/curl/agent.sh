#!/usr/bin/env bash
# An agent of curl and jq. It takes its base URL and its key from OPENAI_BASE_URL and OPENAI_API_KEY.
#
#   curl/agent.sh QUESTION
set -euo pipefail
integers='{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}'
tools=$(jq -nc --argjson p "$integers" '["add", "sub", "mul", "mod"] | map({type: "function", function: {name: ., parameters: $p}})')
messages=$(jq -nc --arg question "$1" '[{role: "user", content: $question}]')
for ((asked = 1; ; asked++)); do
  message=$(
    jq -nc --argjson messages "$messages" --argjson tools "$tools" '{model: "gpt-5", messages: $messages, tools: $tools}' |
      curl --silent --show-error --fail-with-body "$OPENAI_BASE_URL/chat/completions" \
        --header "Authorization: Bearer $OPENAI_API_KEY" --header 'Content-Type: application/json' --data @- |
      jq -c '.choices[0].message'
  )
  messages=$(jq -nc --argjson messages "$messages" --argjson message "$message" '$messages + [$message]')
  if [[ $(jq '.tool_calls | length' <<<"$message") == 0 ]]; then
    jq -c --argjson asked "$asked" '{answer: .content, asked: $asked}' <<<"$message"
    exit
  fi
  while read -r id name a b; do
    case $name in
      add) result=$((a + b)) ;;
      sub) result=$((a - b)) ;;
      mul) result=$((a * b)) ;;
      mod) result=$((a % b)) ;;
    esac
    messages=$(jq -nc --argjson messages "$messages" --arg id "$id" --arg content "$result" \
      '$messages + [{role: "tool", tool_call_id: $id, content: $content}]')
  done < <(jq -r '.tool_calls[] | (.function.arguments | fromjson) as $in | "\(.id) \(.function.name) \($in.a) \($in.b)"' <<<"$message")
done
