#!/usr/bin/env bash
# From a clone to the five endpoints answered: the commands of README.md, run one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."

# The same curl, but it fails when the answer is not 200, and ends its line.
curl() { command curl --silent --show-error --fail-with-body "$@" && echo; }

[[ -d node_modules ]] || npm ci
rm -f .data/demo.env

# In a process group of its own, so that all of it can be told to stop, as Ctrl-C would.
setsid npm run dev &
dev=$!
stop() {
  kill -TERM -- "-$dev" 2>/dev/null || true
  for _ in $(seq 100); do kill -0 -- "-$dev" 2>/dev/null || return 0; sleep 0.1; done
}
trap stop EXIT
for _ in $(seq 150); do [[ -s .data/demo.env ]] && break; sleep 0.2; done

. .data/demo.env

# Read a member
curl "$URL/api/v4/realms/$REALM/members/1190194345295482952" -H "Authorization: Bearer $KEY"

# Read its web3 data
curl "$URL/api/v4/realms/$REALM/web3/members/1190194345295482952" -H "Authorization: Bearer $KEY"

# Check wallets: a GET with a body, as old clients send it (or ?wallets=a,b)
curl -X GET "$URL/api/v4/realms/$REALM/members/includes" -H "Authorization: Bearer $KEY" \
  -d '{"wallets":["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]}' -H "Content-Type: application/json"

# Add points; the same key twice is one change
curl -X PATCH "$URL/api/v4/realms/$REALM/members/1190194345295482952/tokenBalance" \
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \
  -H "Idempotency-Key: order-17" -d '{"tokens":25,"reason":"First order"}'

# Transfer points
curl -X PATCH "$URL/api/v4/realms/$REALM/members/1190194345295482952/transfer" \
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \
  -d '{"recipientId":"1190194345295482953","tokens":40}'

# Read the member's history
curl "$URL/api/v4/realms/$REALM/members/1190194345295482952/history?limit=2" -H "Authorization: Bearer $KEY"

# In a clone: check the realm's whole journal, entry by entry, without trusting the server
node examples/verify-feed.mjs
