import { type Actor, installation, record, recordOnPeople } from '../audit/index.ts'
import type { Queryable } from '../db/session.ts'
import type { InvitationRow } from './invitationStore.ts'
import { takeNumber } from './numberStore.ts'
import { personName } from './person.ts'
import { changeKeys } from './sessionStore.ts'
import { findSeat, insertRole, see, setRole } from './store.ts'

type Joining = { readonly row: InvitationRow; readonly person: number; readonly by: Actor }

/** Grants what an invitation offers. An existing role stays. */
export async function join(tx: Queryable, { row, person, by }: Joining): Promise<void> {
  const { realm, role } = row
  const actor = { ...by, name: personName(person), person }
  if (realm === null) {
    await see(tx, person, true)
    const subject = `${personName(person)}, operator`
    await record(tx, actor, { realm: installation, action: 'person.join', subject })
    return
  }
  const seat = await findSeat(tx, realm, person)
  if (!seat) await insertRole(tx, { realm, person, key: await takeNumber(tx, realm), role })
  else if (seat.role === null) await setRole(tx, { realm, person, role })
  await changeKeys(tx, person, realm)
  await recordOnPeople(tx, actor, { realm, action: 'person.join', subject: `${personName(person)}, ${role}` })
}
