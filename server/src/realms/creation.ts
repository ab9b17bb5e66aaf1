import { type Actor, record } from '../audit/index.ts'
import type { Directory } from '../cells/index.ts'
import type { Database } from '../db/database.ts'
import { brokenConstraint } from '../db/failures.ts'
import { bind, bindForWrite } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { invalid, refuse } from '../errors.ts'
import { originHash } from './origin.ts'
import { makeId, type NewPoint, plainPoint, pointRefusal } from './points.ts'
import { findRealm, insertHead, insertPlaced, insertPoint, insertRealm, insertSettings } from './store.ts'

export type NewRealm = {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly unknownMembers?: 'refuse' | 'create' | undefined
  readonly point?: Pick<NewPoint, 'id' | 'name'> | undefined
}

const notOpen = 'This cell takes no new realms.'

/** The name of the point type that every realm starts with. */
const firstPointName = 'Points'

type Places = { readonly db: Database; readonly directory: Directory | undefined }

/**
 * Creates a realm in this cell and returns its id. Where the directory is another database, the realm gets
 * its number there first, and is confirmed there when it exists here: a creation that was cut off is finished
 * by repeating it.
 */
export async function createRealm({ db, directory }: Places, input: NewRealm, by: Actor): Promise<string> {
  const id = input.id ?? makeId()
  const name = input.name ?? id
  const other = directory?.isOwn ? undefined : directory
  const placed = await other?.placeNew(id, name)
  // Without an answer, the directory hears of it from the next sweep.
  const confirm = async () => placed && (await other?.confirm(placed.realm).catch(() => {}))
  try {
    await db.transaction(async (tx) => {
      if (placed) await insertPlaced(tx, { ...placed, id, name })
      const realm = placed?.realm ?? (await insertRealm(tx, id, name))
      if (realm === undefined) throw (await directory?.notOpen()) ?? refuse('wrong_cell', notOpen)
      await insertRows(tx, { ...input, id, name, realm })
      await record(tx, by, { realm, action: 'realm.create', subject: `realm ${id}` })
    })
  } catch (error) {
    const isThere = ['realms_id_unique', 'realms_pkey'].includes(brokenConstraint(error) ?? '')
    if (isThere) await confirm()
    if (isThere && (await findRealm(db, id))?.purged) throw purgedBefore(id)
    throw refusalOf(error, { id, point: input.point?.id })
  }
  await confirm()
  return id
}

type NamedRealm = NewRealm & { readonly realm: number; readonly id: string; readonly name: string }

async function insertRows(unbound: Queryable, { realm, id, name, ...input }: NamedRealm): Promise<void> {
  await bind(unbound, [realm])
  await insertHead(unbound, realm, originHash(id))
  const tx = await bindForWrite(unbound, [realm])
  const { id: pointId = makeId(), name: pointName = firstPointName } = input.point ?? {}
  await insertPoint(tx, realm, plainPoint(pointId, pointName))
  await insertSettings(tx, { realm, id, name, unknownMembers: input.unknownMembers ?? 'refuse' })
}

/** No new realm gets the id of a purged one: its clients may still have keys and entries of the old one. */
const purgedBefore = (id: string) =>
  refuse('already_exists', `Realm ${id} was purged. Its id can't be used again; choose another one.`)

/** Refusals for rules that are named constraints in the schema. */
function refusalOf(error: unknown, { id, point }: { id: string; point: string | undefined }): unknown {
  switch (brokenConstraint(error)) {
    case 'realms_id_unique':
    case 'realms_pkey':
      return refuse('already_exists', `Realm ${id} already exists.`)
    case 'realms_id_form':
      return invalid('/id', 'Expected a realm id of 1 to 64 letters, digits, _ or -.')
    default:
      return pointRefusal(error, point, '/point/id')
  }
}
