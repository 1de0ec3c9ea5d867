import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { pictureSource } from '../channels/pictures.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { Dependencies } from '../dependencies.ts'
import { count, type Limit } from '../http/attempts.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob } from '../jobs/job.ts'
import { fetchAccountPicture } from '../media/accountPicture.ts'
import { storeKey } from '../media/keep.ts'

/*
 * Pictures of posts that were published elsewhere. Visitors of a page never contact a platform, and a platform's addresses of pictures
 * expire, so a copy is kept for as long as the page shows the post.
 */

const Payload = z.object({ orgId: z.uuid(), pageId: z.uuid(), gone: z.array(z.string()) })
const KEEP_PICTURES = 'linkInBio.pictures'
/** Fetched for one organization. */
const fetches = { name: 'bio-pictures', most: 2_000, seconds: 24 * 3600 } as const satisfies Limit
/** In pixels: a tile on a high-density screen. */
const SIDE = 640

/** Has the missing pictures of a page's posts fetched, and those under the keys `gone` deleted, once the transaction commits. */
export async function keepPictures(
  { tx, org }: { tx: Tx; org: { orgId: string } },
  pageId: string,
  gone: readonly string[] = [],
): Promise<void> {
  await enqueue(tx, { name: KEEP_PICTURES }, { orgId: org.orgId, pageId, gone: [...gone] })
}

type Missing = { number: number; post_id: string; picture_url: string }

export const pictureJob = ({ fetch, media }: Pick<Dependencies, 'fetch' | 'media'>) =>
  defineJob({
    name: KEEP_PICTURES,
    payload: Payload,
    run: async ({ databases, clock, log, signal }, { orgId, pageId, gone }) => {
      for (const key of gone) if (key.startsWith(`${orgId}/`)) await media.delete(key)
      const { rows } = await asSystem(databases.system, (tx) =>
        sql<Missing>`
          select i.number, i.post_id, m.picture_url from bio_item i join measured_post m on m.org_id = i.org_id and m.id = i.post_id
          where i.org_id = ${orgId} and i.page_id = ${pageId} and i.picture_key is null and m.elsewhere and m.picture_url is not null`.execute(
          tx,
        ),
      )
      for (const { number, post_id: postId, picture_url: url } of rows) {
        const source = pictureSource(url)
        if (signal.aborted || source === null) continue
        const { allowed } = await asSystem(databases.system, (tx) => count(tx, fetches, orgId, clock.now()))
        if (!allowed) return log.warn({ orgId }, 'one organization reached its daily limit for pictures of link in bio')
        const bytes = await fetchAccountPicture(fetch, source, orgId, { signal, side: SIDE })
        if (!bytes) continue
        const key = storeKey(orgId, randomUUIDv7())
        await media.put(key, bytes)
        const { numUpdatedRows } = await asSystem(databases.system, (tx) =>
          tx
            .updateTable('bio_item')
            .set({ picture_key: key })
            .where('org_id', '=', orgId)
            .where('page_id', '=', pageId)
            .where('number', '=', number)
            .where('post_id', '=', postId)
            .where('picture_key', 'is', null)
            .executeTakeFirstOrThrow(),
        )
        // removed in the meantime
        if (numUpdatedRows === 0n) await media.delete(key)
      }
    },
  })
