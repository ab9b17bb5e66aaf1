import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values']

const shown = ([name, { type }]: [string, Options[string]]): string =>
  type === 'boolean' ? `--${name}` : `--${name} VALUE`

/** The options that a script was started with. Prints those it has with --help, or when one is unknown. */
export function scriptOptions<const O extends Options>(options: O): Values<O> {
  const usage = `Options: ${Object.entries(options).map(shown).join(', ')}`
  if (process.argv.includes('--help')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    const [reason = ''] = String((error as Error).message).split('. ')
    console.error(`${reason}. ${usage}`)
    process.exit(2)
  }
}
