import type {
  APIInteractionResponse,
  APIMessageTopLevelComponent,
  RESTPatchAPIInteractionOriginalResponseJSONBody,
} from 'discord-api-types/v10'

export type Button = { readonly label: string } & (
  | { readonly id: string; readonly isDanger?: boolean }
  | { readonly url: string }
)

export type Reply = {
  readonly content: string
  /** Shown only to the member who sent the command. */
  readonly isPrivate: boolean
  readonly buttons?: readonly Button[]
  /** Replaces the message whose button was pressed. */
  readonly isUpdate?: boolean
}

export const toAll = (content: string, buttons: readonly Button[] = []): Reply => ({
  content,
  isPrivate: false,
  buttons,
})
export const toMember = (content: string, buttons: readonly Button[] = []): Reply => ({
  content,
  isPrivate: true,
  buttons,
})
/** Without the buttons, so that they are pressed once. */
export const update = (content: string): Reply => ({ content, isPrivate: false, isUpdate: true })

const contentCap = 2_000
const ephemeral = 64

const componentsOf = (buttons: readonly Button[]): APIMessageTopLevelComponent[] => {
  if (buttons.length === 0) return []
  const components = buttons.map((button) => {
    if ('url' in button) return { type: 2 as const, style: 5 as const, label: button.label, url: button.url }
    const style = button.isDanger ? (4 as const) : (3 as const)
    return { type: 2 as const, style, label: button.label, custom_id: button.id }
  })
  return [{ type: 1, components }]
}

/** Without the last lines, if all of them are too long for a message. */
function fitting(content: string): string {
  const lines = content.split('\n')
  const length = () => Array.from(lines.join('\n')).length
  if (length() <= contentCap) return content
  while (lines.length > 1 && length() > contentCap - 2) lines.pop()
  return Array.from(`${lines.join('\n')}\n…`)
    .slice(0, contentCap)
    .join('')
}

/** A message that mentions members without notifying them. */
export function messageOf({ content, buttons = [] }: Reply) {
  return {
    content: fitting(content),
    components: componentsOf(buttons),
    allowed_mentions: { parse: [] },
  } satisfies RESTPatchAPIInteractionOriginalResponseJSONBody
}

/** A message of its own, after the response. */
export const followUpOf = (reply: Reply) => ({
  ...messageOf(reply),
  ...(reply.isPrivate ? { flags: ephemeral } : {}),
})

export const pong: APIInteractionResponse = { type: 1 }

export function responseOf(reply: Reply): APIInteractionResponse {
  if (reply.isUpdate) return { type: 7, data: messageOf(reply) }
  return { type: 4, data: followUpOf(reply) }
}

/** The reply follows: `isPrivate` is decided now, and can't be changed then. */
export function deferred(kind: 'private' | 'public' | 'button'): APIInteractionResponse {
  if (kind === 'button') return { type: 6 }
  return kind === 'private' ? { type: 5, data: { flags: ephemeral } } : { type: 5 }
}
