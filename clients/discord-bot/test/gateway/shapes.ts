import assert from 'node:assert/strict'
import {
  type GatewayIdentifyData,
  type GatewayIdentifyProperties,
  GatewayIntentBits,
  GatewayOpcodes,
  type GatewayPresenceUpdateData,
  type GatewayResumeData,
} from 'discord-api-types/v10'
import { object } from '../shapes.ts'
import { botToken } from '../standIn.ts'

/** What Discord's documentation requires of what a bot sends to the gateway. */

const known = [GatewayOpcodes.Heartbeat, GatewayOpcodes.Identify, GatewayOpcodes.Resume]

/** Without content of messages, members and presences, which Discord has to allow first. */
const intents =
  GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.GuildVoiceStates

export function checkPayload(text: string): { readonly op: GatewayOpcodes; readonly d: unknown } {
  assert.ok(text.length <= 4096, 'Discord accepts 4096 bytes')
  const payload = object<{ op: number; d: unknown }>(JSON.parse(text), 'a payload', ['op', 'd'])
  const op = payload['op'] as GatewayOpcodes
  assert.ok(known.includes(op), `the opcode ${op}`)
  return { op, d: payload['d'] }
}

export function checkHeartbeat(d: unknown, most: number): void {
  assert.ok(d === null || (Number.isInteger(d) && Number(d) >= 0 && Number(d) <= most), 'the heartbeat')
}

export function checkIdentify(value: unknown): void {
  const keys = ['token', 'properties', 'compress', 'large_threshold', 'shard', 'presence', 'intents'] as const
  const d = object<GatewayIdentifyData>(value, 'IDENTIFY', keys)
  assert.equal(d['token'], botToken)
  assert.equal(d['intents'], intents)
  assert.deepEqual(d['shard'], [0, 1])
  if (d['large_threshold'] !== undefined)
    assert.ok(Number(d['large_threshold']) >= 50 && Number(d['large_threshold']) <= 250)
  const properties = ['os', 'browser', 'device'] as const
  const named = object<GatewayIdentifyProperties>(d['properties'], 'properties', properties)
  for (const name of properties) assert.equal(typeof named[name], 'string', name)
  if (d['presence'] !== undefined)
    object<GatewayPresenceUpdateData>(d['presence'], 'presence', ['since', 'activities', 'status', 'afk'])
}

export function checkResume(value: unknown): GatewayResumeData {
  const d = object<GatewayResumeData>(value, 'RESUME', ['token', 'session_id', 'seq'])
  assert.equal(d['token'], botToken)
  assert.equal(typeof d['session_id'], 'string')
  assert.ok(Number.isInteger(d['seq']), 'seq')
  return d as unknown as GatewayResumeData
}
