import { sql } from 'kysely'
import { PRESENCE_SECONDS, type Editor } from '#contract/presence.ts'
import type { Tx } from '../db/kysely.ts'
import { pictureAddress } from '../people/person.ts'

/** What someone works on: a post that they edit, a conversation that they answer. */
export type Workplace = { kind: 'post' | 'conversation'; id: string }

type Viewer = { tx: Tx; org: { orgId: string }; caller: { personId: string }; now: Date }

const tables = {
  post: { table: sql.table('post_editor'), column: sql.ref('post_id') },
  conversation: { table: sql.table('conversation_editor'), column: sql.ref('conversation_id') },
} as const

/** Notes that the caller works there, for 30 seconds, or has stopped. Answers whether that's news. */
export async function notePresence(c: Viewer, at: Workplace, present: boolean): Promise<boolean> {
  return present ? await arrive(c, at) : await leave(c, at)
}

/** Answers whether the person was not there before. */
async function arrive({ tx, org, caller, now }: Viewer, { kind, id }: Workplace): Promise<boolean> {
  const { table, column } = tables[kind]
  const until = new Date(now.getTime() + PRESENCE_SECONDS * 1000)
  await sql`delete from ${table} where org_id = ${org.orgId} and ${column} = ${id} and until <= ${now}`.execute(tx)
  const { rows } = await sql<{ fresh: boolean }>`
    insert into ${table} (org_id, ${column}, person_id, until) values (${org.orgId}, ${id}, ${caller.personId}, ${until})
    on conflict (org_id, ${column}, person_id) do update set until = excluded.until
    returning xmax = 0 as fresh`.execute(tx)
  return rows[0]?.fresh ?? false
}

async function leave({ tx, org, caller }: Viewer, { kind, id }: Workplace): Promise<boolean> {
  const { table, column } = tables[kind]
  const { rows } =
    await sql`delete from ${table} where org_id = ${org.orgId} and ${column} = ${id} and person_id = ${caller.personId} returning 1`.execute(
      tx,
    )
  return rows.length > 0
}

/** Who else works there. */
export async function othersAt({ tx, org, caller, now }: Viewer, { kind, id }: Workplace): Promise<Editor[]> {
  const { table, column } = tables[kind]
  const { rows } = await sql<{ id: string; name: string; picture_id: string | null }>`
    select p.id, trim(p.first_name || ' ' || p.last_name) as name, p.picture_id
    from ${table} e join person p on p.id = e.person_id
    where e.org_id = ${org.orgId} and e.${column} = ${id} and e.person_id <> ${caller.personId} and e.until > ${now}
    order by name, p.id`.execute(tx)
  return rows.map(({ id: userId, name, picture_id: pictureId }) => ({
    userId,
    name,
    profileUrl: pictureAddress(pictureId),
  }))
}
