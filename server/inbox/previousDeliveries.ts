import { sql } from 'kysely'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import type { Platform } from '../platforms/platform.ts'
import { storePush } from './pushChannels.ts'
import { Told, toldIn } from './told.ts'

type Stored = {
  platform: string
  app_key: string
  org_id: string | null
  digest: Buffer
  body: string
  received_at: Date
}
const MOST = 100

/**
 * Takes over what nodes of the previous version stored: whole bodies, of which only what they tell is kept. To be removed
 * with the table inbox_delivery, in the version after the next.
 */
export async function takeOverPrevious(
  { platforms }: { platforms: (key: PlatformKey) => Platform | undefined },
  { databases, signal }: Pick<JobContext, 'databases' | 'signal'>,
): Promise<void> {
  for (let taken = MOST; taken === MOST && !signal.aborted;) {
    taken = await asSystem(databases.system, async (tx) => {
      const { rows } = await sql<Stored>`
        delete from inbox_delivery where id in (
          select id from inbox_delivery where done_at is null order by id limit ${MOST} for update skip locked
        ) returning platform, app_key, org_id, digest, body, received_at`.execute(tx)
      for (const {
        platform: stored,
        app_key: clientId,
        org_id: orgId,
        digest,
        body,
        received_at: receivedAt,
      } of rows) {
        const platform = PlatformKey.safeParse(stored).data
        const told = platform === undefined ? [] : toldBy(platforms(platform), body)
        if (platform && told.length > 0)
          await storePush(tx, { platform, clientId }, [orgId], { digest, told, receivedAt })
      }
      return rows.length
    })
  }
}

/** What makes no sense tells nothing: the readings of every few hours find what it was about. */
function toldBy(platform: Platform | undefined, body: string): Told {
  try {
    // of Web Push, they kept what this version keeps of all
    const parse = platform?.webPush ? (raw: string) => Told.parse([JSON.parse(raw)]) : platform?.push?.parse
    return parse ? toldIn({ parse }, body) : []
  } catch {
    return []
  }
}
