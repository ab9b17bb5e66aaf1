import { flag, object, signedNote, word } from '../shape.ts'
import { tool } from '../tool.ts'

export const verifyJournal = tool({
  name: 'verify_journal',
  title: 'Verify the journal',
  description:
    'Computes every number, hash and balance of the journal again, at most 10,000 entries in one call. ' +
    'isComplete is false while entries are left: call it again, and it continues there.',
  scopes: ['journal:read'],
  remembers: true,
  input: {},
  output: object({
    isIntact: flag,
    isComplete: flag,
    verified: word,
    head: word,
    hash: word,
    fault: object({ seq: word, kind: word }),
  }),
  run: (_input: object, { journal }) => journal.verify(),
})

export const getCheckpoint = tool({
  name: 'get_checkpoint',
  title: 'Signed checkpoint',
  description:
    'A statement, signed by the server, that the journal has this hash at this entry. Stored with the ' +
    'server’s public key, it detects a history that was rewritten later.',
  scopes: ['journal:read'],
  input: {},
  output: object({ seq: word, hash: word, origin: word, signedAt: word, note: signedNote }),
  run: (_input: object, { realm }) => realm.checkpoint(),
})
