// Reads a realm's whole journal with a key and verifies it from its first entry; trusts no server:
//   URL=https://points.example REALM=demo KEY=exq_… node examples/verify-feed.mjs
// docs/journal.md describes what is hashed. The key needs the scope journal:read.
import { createHash } from 'node:crypto'

const { URL: url, REALM: realm, KEY: key } = process.env
const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

function check(holds, what) {
  if (holds) return
  console.error(what)
  process.exit(1)
}

async function page(cursor) {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/api/v4/realms/${realm}/journal?limit=1000&cursor=${cursor}`, { headers })
  check(answer.ok, `The feed answered ${answer.status}: ${await answer.clone().text()}`)
  return answer.json()
}

// The hash covers the number of an entry's type: its position here, from 1.
const types = ['adjust', 'transfer', 'reversal', 'hold', 'capture', 'release', 'expiry', 'opening', 'claim']

let last = { seq: 0n, hash: sha256(`exchequer 1 ${realm}`) }

function add(entry) {
  const { encoding, seq, atUs, type, keyId, realmPointId, fromAccount, toAccount, tokens } = entry
  check(BigInt(seq) === last.seq + 1n, `Entry ${last.seq + 1n} is missing: ${seq} comes behind ${last.seq}.`)
  const { fromBalance, toBalance, request, fingerprint, detailsHash, link, details, hash } = entry
  const number = types.indexOf(type) + 1
  check(number > 0, `Entry ${seq} is of a type that this program does not know: ${type}.`)
  const fields = [encoding, last.hash, seq, atUs, number, keyId, realmPointId]
  fields.push(fromAccount, toAccount, tokens)
  fields.push(fromBalance ?? '-', toBalance ?? '-', request ?? '-', fingerprint ?? '-', detailsHash ?? '-')
  if (link !== null) fields.push(link)
  check(encoding === (link === null ? 1 : 2), `Entry ${seq} is in an unknown encoding.`)
  check(sha256(fields.join(' ')) === hash, `Entry ${seq} is not what its hash says.`)
  const said = details && sha256(Buffer.from(details.salt, 'hex'), details.text)
  check(!details || said === detailsHash, `What was said of entry ${seq} is not what its hash says.`)
  last = { seq: BigInt(seq), hash }
}

for (let head = 1n; last.seq < head; ) {
  const { data, head: now } = await page(last.seq)
  head = BigInt(now.seq)
  for (const entry of data) add(entry)
  check(data.length > 0 || last.seq >= head, `Entry ${last.seq + 1n} is missing: there are ${head}.`)
  check(last.seq !== head || now.hash === last.hash, `The last hash is ${last.hash}, not ${now.hash}.`)
}
console.log(`${last.seq} entries, the chain holds, last ${last.seq}:${last.hash}`)
