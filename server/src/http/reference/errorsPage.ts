import { type Code, catalogue } from '../../errors.ts'
import { remedies } from './remedies.ts'

/** Every refusal with what to do about it: docs/errors.md. */
export function errorsPage(): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status }]) => `| ${status} | \`${code}\` | ${remedies[code as Code].replaceAll('|', '\\|')} |`,
  )
  return `# Errors

Generated from [errors.ts](../server/src/errors.ts) and
[remedies.ts](../server/src/http/reference/remedies.ts) by \`npm run gen\`; not to be edited.
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

Decide by \`code\`, show \`detail\` to a person, keep \`requestId\` for whoever runs the server. Words and
titles may change, codes do not. \`message\` is \`detail\` once more, for old clients.
\`type\` is a path of the server, with a page that has the cause, what to do and an example;
\`/problems\` lists them. Facts are fields where they apply: \`balance\`, \`required\`, \`limit\`,
\`resetAt\`, \`index\` (of a list, from 0) and \`transactionId\`. A 400 has \`errors\`, each with
\`pointer\`, \`in\`, \`name\`, \`code\` and \`detail\`; with \`unknown_field\` or \`unknown_parameter\`
among them it has \`serverVersion\`, as a client may be newer than its server.

A 422 to a change with an \`Idempotency-Key\` is remembered for 24 hours: the same request with the same key
gets the same answer until its \`rememberedUntil\`, even when the cause is gone. Use a new key to try again.
A 404 or 412 is not remembered: fix the cause and send the same request with the same key.

A 4xx changed nothing. Of the 5xx only \`outcome_unknown\` may have:
[what a write can end as](reliability.md#what-a-write-can-end-as).

| status | code | what to do |
|---|---|---|
${rows.join('\n')}
`
}
