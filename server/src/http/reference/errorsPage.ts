import { type Code, catalogue } from '../../errors.ts'
import { remedies } from './remedies.ts'

/** Every error with its remedy: docs/errors.md. */
export function errorsPage(): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status }]) => `| ${status} | \`${code}\` | ${remedies[code as Code].replaceAll('|', '\\|')} |`,
  )
  return `# Errors

Generated from [errors.ts](../server/src/errors.ts) and
[remedies.ts](../server/src/http/reference/remedies.ts) by \`npm run gen\`; do not edit.
Every error is \`application/problem+json\`:

\`\`\`json
{
  "type": "/problems/insufficient-points",
  "title": "Insufficient points",
  "status": 422,
  "detail": "Member 42 has 5 points; 10 were asked for.",
  "code": "insufficient_points",
  "message": "Member 42 has 5 points; 10 were asked for.",
  "requestId": "y2xlH8sH-18",
  "balance": 5,
  "required": 10
}
\`\`\`

Branch on \`code\`, show \`detail\` to people, and log \`requestId\` for the operator. Texts and titles may
change; codes do not. \`message\` repeats \`detail\`, for old clients.
\`type\` is a path on the server: a page with the cause, the remedy and an example.
\`/problems\` lists these pages. Where they apply, an error also has the fields \`balance\`, \`required\`,
\`limit\`, \`resetAt\`, \`index\` (in a list, from 0) and \`transactionId\`. A 400 has \`errors\`, each with
\`pointer\`, \`in\`, \`name\`, \`code\` and \`detail\`. With an \`unknown_field\` or \`unknown_parameter\`
it also has \`serverVersion\`, because a client may be newer than its server.

A 422 to a change with an \`Idempotency-Key\` is remembered for 24 hours: the same request with the same key
gets the same response until \`rememberedUntil\`, even when the cause is gone. Use a new key to try again.
A 404 or 412 is not remembered: fix the cause and send the same request with the same key.

A 4xx changed nothing. Of the 5xx only \`outcome_unknown\` may have:
[what a write can end as](reliability.md#what-a-write-can-end-as).

| status | code | what to do |
|---|---|---|
${rows.join('\n')}
`
}
