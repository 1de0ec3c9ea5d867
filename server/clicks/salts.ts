import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Databases } from '../db/pools.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { addDays } from '../rangeDays.ts'
import type { Salts } from './write.ts'

const HOUR = 3_600_000

/** The first day that isn't over everywhere: in the last zone, 12 hours behind UTC, it still runs. */
const firstRunning = (now: Date): string => new Date(now.getTime() - 12 * HOUR).toISOString().slice(0, 10)

/** The salts of these days, the same on every node; none of a day that is over everywhere, or that hasn't begun anywhere. */
export async function saltsOf(tx: Tx, days: ReadonlySet<string>, now: Date): Promise<Salts> {
  const first = firstRunning(now)
  const running = [...days].filter((day) => day >= first && day <= addDays(first, 2)).toSorted()
  if (running.length === 0) return new Map()
  await sql`
    insert into visitor_salt (day, salt) select * from unnest(${running}::date[], ${running.map(() => randomBytes(32))}::bytea[]) order by 1
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ day: string; salt: Buffer }>`
    select day::text, salt from visitor_salt where day = any(${running}::date[])`.execute(tx)
  return new Map(rows.map(({ day, salt }) => [day, salt]))
}

/** Rows that are deleted in one statement. */
const AT_ONCE = 50_000

/** Deletes salts and visitors of days that are over everywhere: from then on nobody can tell who they were, not even we. */
export async function forgetVisitors({ system }: Pick<Databases, 'system'>, now: Date): Promise<void> {
  const before = firstRunning(now)
  await asSystem(system, (tx) => sql`delete from visitor_salt where day < ${before}::date`.execute(tx))
  for (let deleted = AT_ONCE; deleted >= AT_ONCE;) {
    const { numAffectedRows = 0n } = await asSystem(system, (tx) =>
      sql`delete from bio_visitor where ctid = any (array (select ctid from bio_visitor where day < ${before}::date limit ${AT_ONCE}))`.execute(
        tx,
      ),
    )
    deleted = Number(numAffectedRows)
  }
}
