import assert from 'node:assert/strict'
import {
  type APIInteractionResponse,
  ButtonStyle,
  ComponentType,
  ApplicationCommandOptionType as Kind,
  type RESTPatchAPIInteractionOriginalResponseJSONBody,
  type RESTPutAPIApplicationGuildCommandsJSONBody,
  InteractionResponseType as Type,
} from 'discord-api-types/v10'

/**
 * What Discord's documentation requires of the bot's requests and responses, checked when they arrive. Names
 * of fields are compared with discord-api-types at compile time: `keys` accepts no others.
 */

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with no fields but these. */
export function object<T>(value: unknown, what: string, keys: readonly (keyof T & string)[]): Json {
  assert.ok(isJson(value), `${what} is not an object`)
  const known: readonly string[] = keys
  const others = Object.keys(value).filter((name) => !known.includes(name))
  assert.deepEqual(others, [], `${what} has unknown fields`)
  return value
}

function text(value: unknown, what: string, most: number): void {
  assert.ok(typeof value === 'string', `${what} is not text`)
  const length = Array.from(value).length
  assert.ok(length >= 1 && length <= most, `${what} has ${length} characters; allowed are 1 to ${most}`)
}

function list(value: unknown, what: string, most: number): readonly unknown[] {
  assert.ok(Array.isArray(value), `${what} is not a list`)
  assert.ok(value.length <= most, `${what} has ${value.length} items; allowed are ${most}`)
  return value
}

type Button = {
  type: ComponentType.Button
  style: ButtonStyle
  label: string
  custom_id: string
  url: string
}

function checkButton(value: unknown, ids: Set<string>): void {
  const button = object<Button>(value, 'a button', ['type', 'style', 'label', 'custom_id', 'url'])
  assert.equal(button['type'], ComponentType.Button)
  text(button['label'], 'the label of a button', 80)
  if (button['style'] === ButtonStyle.Link) {
    assert.match(String(button['url']), /^https?:\/\/\S{1,500}$/)
    assert.equal(button['custom_id'], undefined, 'a link has no custom_id')
    return
  }
  const styles = [ButtonStyle.Primary, ButtonStyle.Secondary, ButtonStyle.Success, ButtonStyle.Danger]
  assert.ok(styles.includes(button['style'] as ButtonStyle), 'the style of a button')
  text(button['custom_id'], 'the custom_id of a button', 100)
  assert.ok(!ids.has(String(button['custom_id'])), 'two buttons have one custom_id')
  ids.add(String(button['custom_id']))
}

/** A message: of a response, an edit or a follow-up. */
export function checkMessage(value: unknown, withFlags: boolean): void {
  type Message = RESTPatchAPIInteractionOriginalResponseJSONBody & { flags: number }
  const keys = [
    'content',
    'components',
    'allowed_mentions',
    ...(withFlags ? ['flags' as const] : []),
  ] as const
  const message = object<Message>(value, 'a message', keys)
  text(message['content'], 'content', 2_000)
  const mentions = object<{ parse: string[] }>(message['allowed_mentions'], 'allowed_mentions', ['parse'])
  assert.deepEqual(mentions['parse'], [], 'no reply notifies anyone')
  const ids = new Set<string>()
  for (const one of list(message['components'], 'components', 5)) {
    const row = object<{ type: number; components: unknown[] }>(one, 'a row', ['type', 'components'])
    assert.equal(row['type'], ComponentType.ActionRow)
    const inside = list(row['components'], 'the components of a row', 5)
    assert.ok(inside.length > 0, 'a row is empty')
    for (const button of inside) checkButton(button, ids)
  }
  if (message['flags'] !== undefined) assert.equal(message['flags'], 64, 'the only flag is EPHEMERAL')
}

/** The response to an interaction. */
export function checkResponse(value: unknown): APIInteractionResponse {
  const response = object<{ type: number; data: unknown }>(value, 'a response', ['type', 'data'])
  const { type, data } = response
  if (type === Type.Pong || type === Type.DeferredMessageUpdate) assert.equal(data, undefined)
  else if (type === Type.ChannelMessageWithSource || type === Type.UpdateMessage)
    checkMessage(data, type === Type.ChannelMessageWithSource)
  else {
    assert.equal(type, Type.DeferredChannelMessageWithSource, 'the type of a response')
    if (data !== undefined)
      assert.equal(object<{ flags: number }>(data, 'the data of a deferred reply', ['flags'])['flags'], 64)
  }
  return response as unknown as APIInteractionResponse
}

const optionKeys = [
  'type',
  'name',
  'description',
  'required',
  'choices',
  'options',
  'min_value',
  'max_value',
  'max_length',
] as const
type OptionKey = { [Key in (typeof optionKeys)[number]]: unknown }

/** Discord's limit of integers that an option accepts. */
const mostInteger = 2 ** 53

function checkOption(value: unknown, level: number): boolean {
  const option = object<OptionKey>(value, 'an option', optionKeys)
  assert.match(String(option['name']), /^[-_\p{Ll}\p{N}]{1,32}$/u, 'the name of an option')
  text(option['description'], 'the description of an option', 100)
  if (option['type'] === Kind.Subcommand) {
    assert.equal(level, 0, 'a subcommand within a subcommand')
    checkOptions(option['options'] ?? [], level + 1)
    return true
  }
  assert.ok([Kind.String, Kind.Integer, Kind.User].includes(option['type'] as Kind), 'the type of an option')
  for (const name of ['min_value', 'max_value']) {
    if (option[name] === undefined) continue
    assert.equal(option['type'], Kind.Integer, `${name} is for integers`)
    assert.ok(Math.abs(Number(option[name])) < mostInteger, `${name} is out of range`)
  }
  if (option['max_length'] !== undefined) assert.ok(Number(option['max_length']) <= 6_000)
  for (const one of list(option['choices'] ?? [], 'choices', 25)) {
    const choice = object<{ name: string; value: string }>(one, 'a choice', ['name', 'value'])
    text(choice['name'], 'the name of a choice', 100)
    text(choice['value'], 'the value of a choice', 100)
  }
  return false
}

function checkOptions(value: unknown, level: number): void {
  const options = list(value, 'options', 25)
  const subcommands = options.filter((option) => checkOption(option, level)).length
  assert.ok(subcommands === 0 || subcommands === options.length, 'subcommands and options are mixed')
  const names = options.map((option) => (option as Json)['name'])
  assert.equal(new Set(names).size, names.length, 'two options have one name')
  const required = options.map((option) => (option as Json)['required'] === true)
  assert.deepEqual(
    required,
    [...required].sort((one, other) => Number(other) - Number(one)),
    'required options come first',
  )
}

/** The commands of a server. */
export function checkCommands(value: unknown): void {
  type Command = RESTPutAPIApplicationGuildCommandsJSONBody[number] & {
    description: string
    options: unknown
  }
  const commands = list(value, 'the commands', 100)
  for (const one of commands) {
    const keys = ['type', 'name', 'description', 'options', 'default_member_permissions'] as const
    const command = object<Command>(one, 'a command', keys)
    assert.equal(command['type'], 1)
    assert.match(String(command['name']), /^[-_\p{Ll}\p{N}]{1,32}$/u, 'the name of a command')
    text(command['description'], 'the description of a command', 100)
    checkOptions(command['options'] ?? [], 0)
    const permissions = command['default_member_permissions']
    if (permissions !== undefined) assert.ok(typeof permissions === 'string' && /^[0-9]+$/.test(permissions))
  }
  const names = commands.map((command) => (command as Json)['name'])
  assert.equal(new Set(names).size, names.length, 'two commands have one name')
}
