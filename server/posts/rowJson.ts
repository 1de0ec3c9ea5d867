import { sql, type RawBuilder } from 'kysely'

/** An instant as the contract writes it. */
export const iso = (column: string): RawBuilder<string> => sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Names of a list's channels and authors, each written once. Follows `page` (rows of post) in a `with`. */
export const namesOfPage: RawBuilder<unknown> = sql`channels as materialized (
    select id, json_build_object('channelId', id, 'channelName', name, 'handle', handle, 'platformName', platform, 'profileUrl', picture_url, 'simulated', simulated) as json
    from channel where org_id = current_setting('app.org_id')::uuid and id in (select channel_id from page)
  ), authors as materialized (
    select id, json_build_object('userId', id, 'name', trim(first_name || ' ' || last_name)) as json
    from person where id in (select author_id from page)
  )`

/**
 * The posts of `page` as the contract's PostRow, one column per field: an aggregate of these rows is the list's JSON.
 * Written by PostgreSQL and passed through; a test parses it by the contract. Rows are cheaper than json_build_object
 * (bench/listing.ts).
 */
export const postRows: RawBuilder<unknown> = sql`
  select p.id as "postId", p.batch_id as "batchId", p.state as status, p.post_type as "postType", ${iso('p.shown_at')} as at, ${iso('p.due_at')} as "dueAt",
    p.zone as timezone, p.excerpt, p.images, c.json as channel, a.json as author, p.permalink, p.failure, p.version
  from page p left join channels c on c.id = p.channel_id left join authors a on a.id = p.author_id`

/** The columns of post that postRows and its order need: the rest stays where it is. */
export const pageColumns: RawBuilder<unknown> = sql.raw(
  'p.id, p.batch_id, p.state, p.post_type, p.shown_at, p.due_at, p.zone, p.excerpt, p.images, p.channel_id, p.author_id, p.permalink, p.failure, p.version, p.updated_at',
)
