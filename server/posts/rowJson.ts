import { sql, type RawBuilder } from 'kysely'

/** An instant as the contract writes it. */
export const iso = (column: string): RawBuilder<string> => sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * A row of `p` (post) as the contract's PostRow, with `c` (its channel) and `a` (its author) joined. Written by
 * PostgreSQL and passed through: a list test parses it by the contract.
 */
export const postRowJson: RawBuilder<unknown> = sql`json_build_object(
  'postId', p.id, 'batchId', p.batch_id, 'status', p.state, 'postType', p.post_type,
  'at', ${iso('p.shown_at')}, 'dueAt', ${iso('p.due_at')}, 'timezone', p.zone,
  'excerpt', p.excerpt, 'images', p.images,
  'channel', case when c.id is not null then json_build_object('channelId', c.id, 'channelName', c.name, 'handle', c.handle, 'platformName', c.platform, 'profileUrl', c.picture_url, 'simulated', c.simulated) end,
  'author', case when a.id is not null then json_build_object('userId', a.id, 'name', a.name) end,
  'permalink', p.permalink, 'failure', p.failure, 'version', p.version)`

/** Joins for postRowJson: few channels and few authors, each looked up once. */
export const postRowJoins: RawBuilder<unknown> = sql`
  left join channel c on c.org_id = p.org_id and c.id = p.channel_id
  left join authors a on a.id = p.author_id`

/** The people who wrote the posts of `page`; what belongs in front of postRowJoins. */
export const authorsOf = (page: string): RawBuilder<unknown> => sql`authors as materialized (
  select id, trim(first_name || ' ' || last_name) as name from person where id in (select author_id from ${sql.raw(page)})
)`
