import { sql } from 'kysely'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Platform } from '../platforms/platform.ts'
import type { InboxReader } from './access.ts'
import { readable } from './claimReadings.ts'
import { READ } from './read.ts'
import type { Pace } from './readSooner.ts'

/** Nobody reads a channel more often than that by asking for it, in minutes. */
const LEAST = 1

/**
 * Makes due at once what the caller's channels bring, for someone who waits for it. Returns how many channels are read: not
 * those that were read a moment ago or whose platform is asked less often, that wait after a failure, or that cost money.
 */
export async function readNow(c: InboxReader, platforms: (key: PlatformKey) => Platform | undefined): Promise<number> {
  const paces = platformKeys.flatMap((platform): Pace[] => {
    const inbox = platforms(platform)?.inbox
    return inbox && !inbox.pays ? [{ platform, leastMinutes: Math.max(LEAST, inbox.leastMinutes ?? 0) }] : []
  })
  const { org, project, now } = c
  const scope = project.channelIds && [...project.channelIds]
  // locked in the order of all who lock several (lockCursors.ts); what is being read right now is held by its reader
  const { rows } = await sql<{ channel_id: string }>`
    with wanted as (
      select i.org_id, i.channel_id, i.kind from inbox_cursor i
      join channel c on c.org_id = i.org_id and c.id = i.channel_id
      join jsonb_to_recordset(${JSON.stringify(paces)}::jsonb) as r(platform text, "leastMinutes" float8) on r.platform = c.platform
      where i.org_id = ${org.orgId} and c.project_id = ${project.projectId} and ${scope === null ? sql`true` : sql`c.id = any(${scope}::uuid[])`} and ${readable}
        and i.next_at > ${now} and i.next_at < 'infinity' and i.state = 'reading' and i.trouble is null and i.tries = 0
        and (i.lease_until is null or i.lease_until <= ${now}) and i.read_at <= ${now}::timestamptz - make_interval(secs => r."leastMinutes" * 60)
      order by i.org_id, i.channel_id, i.kind for no key update of i skip locked
    )
    update inbox_cursor i set next_at = ${now} from wanted w
    where i.org_id = w.org_id and i.channel_id = w.channel_id and i.kind = w.kind returning i.channel_id`.execute(c.tx)
  if (rows.length > 0) await enqueue(c.tx, READ, { orgId: org.orgId }, { key: project.projectId })
  return new Set(rows.map((row) => row.channel_id)).size
}
