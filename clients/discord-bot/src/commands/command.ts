import type { Realm, Transport } from '@exchequer/sdk'
import type { Interaction } from '../interaction.ts'
import type { Reply } from '../reply.ts'
import type { Guild } from '../settings.ts'

/** What a command needs of its server's realm. */
export type Context = {
  readonly guild: Guild
  readonly realm: Realm
  readonly transport: Transport
}

export type Command = {
  readonly run: (context: Context, interaction: Interaction) => Promise<Reply>
  /** Whether its reply is shown to all, if it succeeds. */
  readonly isPublic?: boolean
  /** Whether it changes points. */
  readonly isChange?: boolean
  /** Only for members who may manage the server. */
  readonly isForManagers?: boolean
}

/** The id of the user that an option names. */
export const userOption = ({ options }: Interaction, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' && /^[0-9]{1,20}$/.test(value) ? value : undefined
}

export const textOption = ({ options }: Interaction, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export const pointTypeOf = ({ realmPointId }: Guild) => (realmPointId === undefined ? {} : { realmPointId })
