import { type Command, command } from '../command.ts'

export const checkpointShow: Command = command({
  words: 'checkpoint show',
  what: 'print a signed checkpoint of the journal, to store somewhere else',
  more:
    'With it you can prove later that the history was rewritten: exchequer verify --against FILE. ' +
    'Store the public key with it, which /checkpoint-keys of the server lists (scope journal:read).',
  examples: [{ line: 'exchequer checkpoint show > note.txt', what: 'store today’s' }],
  async run(_given, { realm, out }) {
    const checkpoint = await realm().checkpoint()
    out.answer(checkpoint, () => out.line(checkpoint.note.trimEnd()))
  },
})
