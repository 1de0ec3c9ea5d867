import type { Tx } from '../../db/kysely.ts'
import type { Claimed } from './claim.ts'
import { recipientsOf, stateOf, type RecipientRow } from './recipients.ts'
import { rightsKey, rightsOf, type Rights } from './rights.ts'
import type { RunOrder } from './run.ts'
import { obstacle, peopleOf, readerStanding } from './standings.ts'

/** Those who get the same file, and one of them, or the owner, with whose rights it's made. */
export type Audience = { personId: string; rights: Rights; recipients: readonly Reader[] }
type Reader = { row: RecipientRow; name: string | null; email: string }
/** Someone who doesn't get it, and why. */
export type LeftOut = { row: RecipientRow; email: string; reason: 'asked' | 'lapsed' | 'ended' | 'noRight' }

export type Readers = {
  /** Why nothing may be sent now at all. */
  obstacle: 'plan' | 'owner' | null
  audiences: readonly Audience[]
  leftOut: readonly LeftOut[]
}

/** Who gets a run's report now, by the rights with which each sees it: members their own, outside addresses the owner's. */
export async function findReaders(tx: Tx, run: Claimed, order: RunOrder, now: Date): Promise<Readers> {
  const of = { orgId: run.orgId, projectId: run.projectId, now }
  const recipients = await recipientsOf(tx, run.orgId, [run.scheduleId])
  const people = await peopleOf(
    tx,
    run.orgId,
    recipients.flatMap((row) => row.person_id ?? []),
  )
  const rightsBy = new Map<string, Rights | null>()
  const rightsFor = async (personId: string): Promise<Rights | null> => {
    const known = rightsBy.get(personId)
    if (known !== undefined) return known
    const standing = await readerStanding(tx, personId, order.content, of)
    const rights = standing && rightsOf(standing)
    rightsBy.set(personId, rights)
    return rights
  }
  const audiences = new Map<string, { personId: string; rights: Rights; recipients: Reader[] }>()
  const leftOut: LeftOut[] = []
  for (const row of recipients) {
    const personId = row.person_id ?? order.ownerId
    const rights = await rightsFor(personId)
    const person = row.person_id === null ? undefined : people.get(row.person_id)
    const email = row.email ?? person?.email
    // someone who left has no address here
    if (email === undefined) continue
    const state = stateOf(row, rights !== null, now)
    if (state === 'gets' && rights) {
      const key = rightsKey(rights)
      const audience = audiences.get(key) ?? { personId, rights, recipients: [] }
      audience.recipients.push({ row, name: person?.name ?? null, email })
      audiences.set(key, audience)
    } else leftOut.push({ row, email, reason: state === 'gets' ? 'noRight' : state })
  }
  return {
    obstacle: await obstacle(tx, order.ownerId, order.content, of),
    audiences: [...audiences.values()],
    leftOut,
  }
}
