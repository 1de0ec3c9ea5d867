import type pg from 'pg'
import { statementName } from '../db/statements.ts'
import { contentHash, type Content } from './content.ts'

type Row = Content & { round: string | null; content_hash: Buffer | null }

const LAST = `
  select p.contents, p.details, p.first_comment, p.mentions, p.channel_id, p.post_type, a.state as round, a.content_hash
  from post p left join lateral (select state, content_hash from approval where org_id = p.org_id and post_id = p.id order by sent_at desc, id desc limit 1) a on true
  where p.org_id = $1 and p.id = $2`

/**
 * Whether a post may go out as far as approval is concerned: it was never sent for one, was taken back from it, or says
 * exactly what was approved. The machine asks before it prepares and sends, whatever the post's state says.
 */
export async function isAsApproved(pool: pg.Pool, { orgId, postId }: { orgId: string; postId: string }): Promise<boolean> {
  const { rows } = await pool.query<Row>({ name: statementName(LAST), text: LAST, values: [orgId, postId] })
  const [post] = rows
  if (!post) return false
  if (post.round === null || post.round === 'void') return true
  return post.round === 'approved' && post.content_hash !== null && contentHash(post).equals(post.content_hash)
}
