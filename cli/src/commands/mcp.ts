import { checkedUrl } from '../access.ts'
import { type Command, command } from '../command.ts'
import { Stop } from '../exits.ts'

/** The part of @exchequer/mcp that is used here. */
type Mcp = {
  serve(settings: {
    readonly url: string
    readonly realm: string
    readonly key: string
    readonly allowWrites: boolean
  }): Promise<void>
}

/** Loaded only for this command: its protocol library is larger than all of the others together. */
async function loadMcp(): Promise<Mcp> {
  const name = '@exchequer/mcp'
  try {
    return (await import(name)) as Mcp
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(name)) throw error
    throw new Stop('usage', `The MCP server is not installed. Install it with: npm install ${name}`)
  }
}

export const mcp: Command = command({
  words: 'mcp',
  what: 'serve the realm to an assistant, by the Model Context Protocol',
  more:
    'Speaks the protocol on stdin and stdout until stdin ends: an assistant’s program starts it. Its ' +
    'tools are those that the key may use. Give it a key of its own, and one that can only read if ' +
    'that is enough.',
  flags: { 'allow-writes': { what: 'also offer tools that plan and apply changes of points' } },
  examples: [
    { line: 'exchequer mcp', what: 'tools that read' },
    { line: 'exchequer mcp --profile shop --allow-writes', what: 'tools that also change points' },
  ],
  async run({ flags }, { access, realm }) {
    const { id } = realm() // Rejects a missing login.
    const { url = '', key = '' } = access
    const settings = { url: checkedUrl(url), realm: id, key, allowWrites: flags['allow-writes'] === true }
    await (await loadMcp()).serve(settings)
  },
})
