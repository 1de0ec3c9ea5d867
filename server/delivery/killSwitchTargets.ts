import { sql } from 'kysely'
import { platformKeys } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { KillSwitchScope } from './killSwitch.ts'

/** How many names an error lists. */
const LISTED = 50

/**
 * Throws an error that lists the existing names unless `name` is one of them: a pause with a misspelled name would
 * stop nothing. A paused name counts as existing, so that it can be resumed after its channels are gone.
 */
export async function assertKillSwitchTarget(tx: Tx, scope: KillSwitchScope, name: string): Promise<void> {
  if (scope === 'all') return
  const held = await tx.selectFrom('kill_switch').select('name').where('scope', '=', scope).execute()
  if (held.some((hold) => hold.name === name)) return
  if (scope === 'organization') return await assertOrganization(tx, name)
  const names = scope === 'platform' ? [...platformKeys] : await credentialsInUse(tx)
  if (names.includes(name)) return
  const list = names.length > 0 ? `There are: ${names.slice(0, LISTED).join(', ')}` : 'No channel is connected yet'
  throw new Error(`There is no ${scope === 'platform' ? 'platform' : 'set of credentials'} "${name}". ${list}`)
}

async function assertOrganization(tx: Tx, id: string): Promise<void> {
  const all = await tx
    .selectFrom('organization')
    .select([sql<string>`org_id::text`.as('id'), 'name'])
    .orderBy('name')
    .execute()
  if (all.some((organization) => organization.id === id)) return
  const list = all.slice(0, LISTED).map((organization) => `\n  ${organization.id}  ${organization.name}`)
  const more = all.length > LISTED ? `\n  and ${all.length - LISTED} more` : ''
  throw new Error(
    `There is no organization with the id "${id}". ${all.length > 0 ? `There are:${list.join('')}${more}` : 'None exists yet'}`,
  )
}

/** As the claim compares them: the platform, and the app that its calls count against. */
async function credentialsInUse(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('lane')
    .select(sql<string>`platform || ':' || credentials`.as('name'))
    .distinct()
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
