#!/usr/bin/env bash
# Goes through the main features with a real repository, this project's own: two deploys, findings that stay the same, and more.
# Everything happens in a new temporary directory, which is removed at the end; KEEP=1 keeps it.
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/merlon-quick-start-XXXXXX")
node=$project/node_modules/.bin/node
merlon() { "$node" "$project/src/cli/main.ts" "$@"; }
scan() { "$node" --disable-warning=ExperimentalWarning "$project/examples/scan.ts" "$1"; }
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; else bold='' plain=''; fi
title() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

finish() {
  [ -z "${server:-}" ] || { kill "$server" 2>/dev/null && wait "$server"; } || true
  [ -n "${KEEP:-}" ] || rm -rf "$work"
}
trap finish EXIT

title '1. Start the service with an empty data directory'
export PORT=${PORT:-4610} MERLON_DATA=$work/data LOG_LEVEL=warn
unset DATABASE_URL
(cd "$project" && exec npm --silent start) >"$work/start.log" 2>&1 &
server=$!
export MERLON_URL=http://127.0.0.1:$PORT
for _ in $(seq 600); do
  curl --silent --fail --output /dev/null "$MERLON_URL/readyz" && break
  kill -0 "$server" 2>/dev/null || { cat "$work/start.log"; exit 1; }
  sleep 0.2
done
MERLON_API_KEY=$(cat "$work/data/admin-key")
export MERLON_API_KEY
head -n 2 "$work/start.log"

title '2. Create a company, an asset and a project'
merlon company create 'Example company'
merlon asset create 'merlon' --repository https://example.test/merlon
merlon project create 'Threat model' --asset merlon

title '3. Send a first deploy of a clone of this repository, and what a real scanner finds in it'
git clone --quiet "$project" "$work/checkout"
cd "$work/checkout"
git switch --quiet -C main
git config user.name 'Quick start' && git config user.email quick-start@example.test
merlon deploy create
scan . >"$work/first.ndjson"
merlon finding push "$work/first.ndjson" --branch main --commit "$(git rev-parse HEAD)" --json >"$work/first.json"
merlon issues --branch main --limit 3
echo "The scanner reported $(wc -l <"$work/first.ndjson") findings; each is an issue now."

title '4. Send a second deploy, which moves, renames, edits and deletes lines that have findings, and adds one'
"$node" "$project/examples/change.ts" "$work/first.ndjson"
git add --all && git commit --quiet --message 'Move, rename, edit and delete code that has findings'
git show --stat --format= HEAD -M
merlon deploy create --json >"$work/deploy.json"
scan . >"$work/second.ndjson"
merlon finding push "$work/second.ndjson" --branch main --commit "$(git rev-parse HEAD)" --json >"$work/second.json"

title '5. Check against the code that the findings are still the same ones'
"$node" "$project/examples/verify.ts" "$work"

title '6. Attach a file'
merlon attachment add README.md --description 'What the service is'

gql() {
  curl --silent --fail-with-body "$MERLON_URL/graphql" -H "x-api-key: $MERLON_API_KEY" -H 'content-type: application/json' \
    --data "$("$node" -p 'JSON.stringify({ query: process.argv[1] })' "$1")"
}
company=$(merlon company list --json | "$node" -p 'JSON.parse(require("fs").readFileSync(0))[0].id')

title '7. Let a threat model check itself: SQL injection (CAPEC-66) and cross-site scripting (CAPEC-63)'
gql "mutation { createThreatModelingRequirements(input: { companyId: $company, requirements: [
  { label: \"Injection\", capecIds: [66] }, { label: \"Scripting\", capecIds: [\"CAPEC-63\"] }] }) { requirements { id label check { id label } } } }" >/dev/null
show_checks() {
  gql "{ requirements(scopeId: $company, pagination: {}) { collection { label check { label state stateReason } } } }" |
    "$node" -p 'JSON.parse(require("fs").readFileSync(0)).data.requirements.collection.flatMap((r) => r.check.map((c) => `${r.label}: ${c.label} is ${c.state}. ${c.stateReason}`)).join("\n")'
}
show_checks
echo 'Now report a finding with the weakness CWE-89 (SQL injection):'
merlon finding push --title 'SQL built from input' --file src/example.ts --line 1 --category CWE-89 --severity high --branch main
show_checks | tee "$work/checks.txt"
grep --quiet VIOLATED "$work/checks.txt"

title '8. Open a ticket, and count tickets by domain'
merlon ticket create 'The report is late' --description 'It came on Tuesday.' --type bug
merlon ticket stats --type bug

title '9. Create a seal for the asset, and download its picture'
merlon seal create --background dark
seal=$(merlon seal list --json | "$node" -p 'JSON.parse(require("fs").readFileSync(0))[0].publicId')
merlon seal fetch "$seal" "$work/seal.svg"
grep --quiet '<svg' "$work/seal.svg"

title 'Done: every step worked.'
