import { sql } from 'kysely'
import { PRESENCE_SECONDS, type Editor, type editingPost } from '#contract/presence.ts'
import type { Context } from '../http/route.ts'
import { pictureAddress } from '../people/person.ts'
import { fail } from '../errors.ts'
import { findPost, mayChange, type PostRecord } from './access.ts'

/**
 * Notes that the caller is editing a post, for 30 seconds, or has stopped. Answers who else is, and what has become of the
 * post. Open screens are notified when somebody comes or goes, not on each repetition; who falls silent is no longer listed.
 * Throws NOT_FOUND, and FORBIDDEN for a post of somebody else that the caller may not edit.
 */
export async function sayPresence(
  c: Context<typeof editingPost>,
): Promise<{ editors: Editor[]; status: PostRecord['state'] }> {
  const post = await findPost(c, c.params.postId)
  const { editing } = c.body
  const mayEdit = mayChange(c, post, 'edit')
  // the author's composer may still be open on what somebody published meanwhile: it learns the status
  if (!mayEdit && post.author_id !== c.caller.personId) throw fail('FORBIDDEN')
  const isNews = editing && mayEdit ? await arrive(c, post.id) : await leave(c, post.id)
  if (isNews) await c.emit({ kind: 'presence', ref: post.id })
  return { editors: await othersAt(c, post.id), status: post.state }
}

type Visit = Context<typeof editingPost>

/** Answers whether the person was not there before. */
async function arrive({ tx, org, caller, now }: Visit, postId: string): Promise<boolean> {
  const until = new Date(now.getTime() + PRESENCE_SECONDS * 1000)
  await sql`delete from post_editor where org_id = ${org.orgId} and post_id = ${postId} and until <= ${now}`.execute(tx)
  const { rows } = await sql<{ fresh: boolean }>`
    insert into post_editor (org_id, post_id, person_id, until) values (${org.orgId}, ${postId}, ${caller.personId}, ${until})
    on conflict (org_id, post_id, person_id) do update set until = excluded.until
    returning xmax = 0 as fresh`.execute(tx)
  return rows[0]?.fresh ?? false
}

async function leave({ tx, org, caller }: Visit, postId: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('post_editor')
    .where('org_id', '=', org.orgId)
    .where('post_id', '=', postId)
    .where('person_id', '=', caller.personId)
    .returning('post_id')
    .execute()
  return gone.length > 0
}

async function othersAt({ tx, org, caller, now }: Visit, postId: string): Promise<Editor[]> {
  const { rows } = await sql<{ id: string; name: string; picture_id: string | null }>`
    select p.id, trim(p.first_name || ' ' || p.last_name) as name, p.picture_id
    from post_editor e join person p on p.id = e.person_id
    where e.org_id = ${org.orgId} and e.post_id = ${postId} and e.person_id <> ${caller.personId} and e.until > ${now}
    order by name, p.id`.execute(tx)
  return rows.map(({ id, name, picture_id: pictureId }) => ({
    userId: id,
    name,
    profileUrl: pictureAddress(pictureId),
  }))
}
