// Reads a realm's whole journal with a key and verifies it from its first entry; trusts no server:
//   URL=https://points.example REALM=demo KEY=exq_… node examples/verify-feed.mjs
// docs/journal.md describes what is hashed. The key needs the scope journal:read. With NOTE=note.txt and
// VERIFIER=name+id+key it also compares the history with a signed checkpoint: docs/checkpoints.md.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const { URL: url, REALM: realm, KEY: key, NOTE: note, VERIFIER: verifier = '' } = process.env
const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

function check(holds, what) {
  if (holds) return
  console.error(what)
  process.exit(1)
}

function checkpoint(text) {
  const [origin, seq, root, type] = text.split('\n')
  const [, name, , typed] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(verifier) ?? []
  const isOurs = origin === `${name}/realms/${realm}/journal` && type === 'exchequer-hash-chain 1'
  check(isOurs, 'The note is not a checkpoint of this realm by the server of this key.')
  const der = ['302a300506032b6570032100', Buffer.from(typed, 'base64').toString('hex').slice(2)].join('')
  const publicKey = createPublicKey({ key: Buffer.from(der, 'hex'), format: 'der', type: 'spki' })
  const [signed, lines] = text.split('\n\n')
  const signatures = lines.match(/(?<=^— \S+ )\S+$/gm).map((one) => Buffer.from(one, 'base64').subarray(4))
  const isSigned = signatures.some((one) => verify(null, Buffer.from(`${signed}\n`), publicKey, one))
  check(isSigned, 'The note is not signed by this key, or it was changed.')
  return { seq: BigInt(seq), hash: Buffer.from(root, 'base64').toString('hex') }
}
const kept = note && checkpoint(readFileSync(note, 'utf8'))

async function page(cursor) {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/api/v4/realms/${realm}/journal?limit=1000&cursor=${cursor}`, { headers })
  check(answer.ok, `The feed answered ${answer.status}: ${await answer.clone().text()}`)
  return answer.json()
}

// The hash covers the number of an entry's type: its position here, from 1.
const types = ['adjust', 'transfer', 'reversal', 'hold', 'capture', 'release', 'expiry', 'opening', 'claim']
types.push('lapse', 'merge', 'award', 'grant', 'cancel')

let last = { seq: 0n, hash: sha256(`exchequer 1 ${realm}`) }

function add(entry) {
  const { encoding, seq, atUs, type, keyId, realmPointId, fromAccount, toAccount, tokens } = entry
  check(BigInt(seq) === last.seq + 1n, `Entry ${last.seq + 1n} is missing: ${seq} comes behind ${last.seq}.`)
  const { fromBalance, toBalance, request, fingerprint, detailsHash, link, lots, details, hash } = entry
  const number = types.indexOf(type) + 1
  check(number > 0, `Entry ${seq} is of a type that this program does not know: ${type}.`)
  const fields = [encoding, last.hash, seq, atUs, number, keyId, realmPointId]
  fields.push(fromAccount, toAccount, tokens)
  fields.push(fromBalance ?? '-', toBalance ?? '-', request ?? '-', fingerprint ?? '-', detailsHash ?? '-')
  if (lots !== undefined) fields.push(link ?? '-', lots)
  else if (link !== null) fields.push(link)
  check(
    encoding === (lots !== undefined ? 3 : link === null ? 1 : 2),
    `Entry ${seq} is in an unknown encoding.`,
  )
  check(sha256(fields.join(' ')) === hash, `Entry ${seq} is not what its hash says.`)
  const said = details && sha256(Buffer.from(details.salt, 'hex'), details.text)
  check(!details || said === detailsHash, `What was said of entry ${seq} is not what its hash says.`)
  last = { seq: BigInt(seq), hash }
  const isKept = last.seq !== kept?.seq || hash === kept.hash
  check(isKept, `History was rewritten: entry ${seq} is not the one that was signed.`)
}

for (let head = 1n; last.seq < head; ) {
  const { data, head: now } = await page(last.seq)
  head = BigInt(now.seq)
  for (const entry of data) add(entry)
  check(data.length > 0 || last.seq >= head, `Entry ${last.seq + 1n} is missing: there are ${head}.`)
  check(last.seq !== head || now.hash === last.hash, `The last hash is ${last.hash}, not ${now.hash}.`)
}
check(!kept || kept.seq <= last.seq, `Entry ${kept?.seq} was signed, but it is missing.`)
console.log(`${last.seq} entries, the chain holds, last ${last.seq}:${last.hash}`)
