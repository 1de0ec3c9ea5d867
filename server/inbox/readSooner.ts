import { sql } from 'kysely'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { AFTER_A_POST, PUSHED_WITHIN, WHILE_WATCHED } from './cadence.ts'
import { readable, WATCHED_MS } from './claimReadings.ts'

/** How often a platform's channels may be read (`leastMinutes`). */
export type Pace = { platform: PlatformKey; leastMinutes: number }

/**
 * Makes readings due sooner whose channel has published a post, or whose organization is watched again, since their next
 * time was set: what `readingInterval` says of them now. Those that wait for something else keep their time: what failed,
 * what costs too much, and what the platform sends by itself.
 *
 * It begins with the posts of two hours and the sessions of an hour, by `post_published` and `session_seen`, and looks only
 * at cursors of theirs: it costs what was published and who is there, and not how many channels there are.
 */
export async function readSooner(tx: Tx, paces: readonly Pace[], now: Date): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const waits = sql<boolean>`i.next_at > ${now} and i.next_at < 'infinity' and i.state = 'reading' and i.trouble is null and i.tries = 0
    and (i.pushed_at is null or i.pushed_at <= ${ago(PUSHED_WITHIN)})`
  // "offset 0" has each channel's cursors looked up, instead of all read; locked in the order of all who lock several
  // (lockCursors.ts), and what someone else holds is looked at in a minute
  await sql`
    with wanted as (
      select w.org_id, w.channel_id, w.kind, ${AFTER_A_POST.every}::float8 as every
      from (select distinct org_id, channel_id from post where state = 'PUBLISHED' and remote_id is not null and published_at > ${ago(AFTER_A_POST.within)}) p
      cross join lateral (select i.org_id, i.channel_id, i.kind from inbox_cursor i where i.org_id = p.org_id and i.channel_id = p.channel_id and ${waits} offset 0) w
      union all
      select w.org_id, w.channel_id, w.kind, ${WHILE_WATCHED.every}::float8
      from (select distinct m.org_id from session n join member m on m.person_id = n.person_id and m.removed_at is null where n.last_seen_at > ${ago(WATCHED_MS)}) m
      cross join lateral (select i.org_id, i.channel_id, i.kind from inbox_cursor i where i.org_id = m.org_id and ${waits} offset 0) w
    ), soonest as (
      select org_id, channel_id, kind, min(every) as every from wanted group by org_id, channel_id, kind
    ), sooner as (
      select i.org_id, i.channel_id, i.kind, t.due_at
      from soonest w
      join inbox_cursor i on i.org_id = w.org_id and i.channel_id = w.channel_id and i.kind = w.kind
      join channel c on c.org_id = i.org_id and c.id = i.channel_id
      join jsonb_to_recordset(${JSON.stringify(paces)}::jsonb) as r(platform text, "leastMinutes" float8) on r.platform = c.platform
      cross join lateral (select date_trunc('minute', i.read_at + make_interval(secs => greatest(w.every / 1000, r."leastMinutes" * 60))) as due_at) t
      where ${waits} and t.due_at < i.next_at and ${readable}
      order by i.org_id, i.channel_id, i.kind for no key update of i skip locked
    )
    update inbox_cursor i set next_at = s.due_at from sooner s
    where i.org_id = s.org_id and i.channel_id = s.channel_id and i.kind = s.kind`.execute(tx)
}
