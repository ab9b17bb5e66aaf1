#!/usr/bin/env bash
# From a clone to an award, repeated, undone and verified: the commands of README.md, in their order.
set -euo pipefail
cd "$(dirname "$0")/.."

# curl that fails on an error status and ends its line.
curl() { command curl --silent --show-error --fail-with-body "$@" && echo; }

[[ -d node_modules ]] || npm ci
rm -f .data/demo.env

# In its own process group, so that one signal stops all of it, as Ctrl-C would.
setsid npm run dev &
dev=$!
stop() {
  kill -TERM -- "-$dev" 2>/dev/null || true
  for _ in $(seq 100); do kill -0 -- "-$dev" 2>/dev/null || return 0; sleep 0.1; done
}
trap stop EXIT
for _ in $(seq 150); do [[ -s .data/demo.env ]] && break; sleep 0.2; done

. .data/demo.env   # URL, REALM and KEY

# Award 25 points
curl -X PATCH "$URL/api/v4/realms/$REALM/members/1190194345295482952/tokenBalance" \
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \
  -H "Idempotency-Key: quiz-7" -d '{"tokens": 25, "reason": "Won the quiz"}'

# Repeat it, as after a lost response: the same Idempotency-Key gets the same answer, and nothing is added
ENTRY=$(curl -s -X PATCH "$URL/api/v4/realms/$REALM/members/1190194345295482952/tokenBalance" \
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \
  -H "Idempotency-Key: quiz-7" -d '{"tokens": 25, "reason": "Won the quiz"}' |
  sed -E 's/.*"transactionId": *"([0-9]+)".*/\1/')

# Undo it: a reversal is a new entry
curl -X POST "$URL/api/v4/realms/$REALM/entries/$ENTRY/reverse" \
  -H "Authorization: Bearer $KEY" -H "Idempotency-Key: undo-quiz-7"

# Verify the whole journal, entry by entry, without trusting the server
node examples/verify-feed.mjs
