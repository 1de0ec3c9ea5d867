import type pg from 'pg'

/** A post with its current delivery: a follow-up's once the post is published. */
export async function postWithDelivery(owner: pg.Pool, postId: string): Promise<Record<string, unknown>> {
  const { rows } = await owner.query<Record<string, unknown>>(
    `select d.subject, d.key, d.step, d.step_at, d.wanted_at, d.fence, d.tries, d.absent_at, d.doubted, d.send_key, d.progress, d.sent_at, p.*
     from post p left join lateral (
       select * from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.subject in ('post', 'follow-up') order by d.step is null, d.subject <> 'post' limit 1
     ) d on true
     where p.id = $1`,
    [postId],
  )
  return rows[0] ?? {}
}

/** Sets columns of the post's own delivery, which is created if there is none. */
export async function putDelivery(owner: pg.Pool, postId: string, columns: Record<string, unknown>): Promise<void> {
  await owner.query(
    `insert into delivery (org_id, channel_id, subject, subject_id, wanted_at)
     select org_id, channel_id, 'post', id, coalesce(due_at, created_at) from post where id = $1 and channel_id is not null on conflict do nothing`,
    [postId],
  )
  const names = Object.keys(columns)
  if (names.length === 0) return
  await owner.query(
    `update delivery set ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')} where subject_id = $1 and subject = 'post'`,
    [postId, ...Object.values(columns)],
  )
}
