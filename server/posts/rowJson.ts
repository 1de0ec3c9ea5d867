import { sql, type RawBuilder } from 'kysely'
import { pictureAddress } from '../channels/pictureAddress.ts'
import type { CallerProject } from '../http/route.ts'

/** An instant as the contract writes it. */
export const iso = (column: string): RawBuilder<string> =>
  sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Names of the channels that the caller reaches, of people, labels and campaigns, each written once. What stands in front of postRows. */
export const names = ({
  projectId,
  channelIds,
}: Pick<CallerProject, 'projectId' | 'channelIds'>): RawBuilder<unknown> =>
  sql`channels as materialized (
    select id, json_build_object('channelId', id, 'channelName', name, 'handle', handle, 'platformName', platform, 'profileUrl', ${pictureAddress('channel')}, 'simulated', simulated) as json
    from channel where org_id = current_setting('app.org_id')::uuid and project_id = ${projectId}${channelIds === null ? sql`` : sql` and id = any(${[...channelIds]}::uuid[])`}
  ), authors as materialized (
    select a.id, json_build_object('userId', a.id, 'name', trim(a.first_name || ' ' || a.last_name)) as json
    from member m join person a on a.id = m.person_id where m.org_id = current_setting('app.org_id')::uuid
  ), labels as materialized (
    select id, lower(name) as sorts, json_build_object('labelId', id, 'labelName', name, 'color', color) as json
    from label where org_id = current_setting('app.org_id')::uuid and project_id = ${projectId}
  ), campaigns as materialized (
    select id, lower(name) as sorts, json_build_object('campaignId', id, 'name', name) as json
    from campaign where org_id = current_setting('app.org_id')::uuid and project_id = ${projectId}
  )`

/**
 * Posts (`p`) as the contract's PostRow, one column per field: an aggregate of these rows is the list's JSON. Written
 * by PostgreSQL and passed through; a test parses it by the contract. Rows are cheaper than json_build_object
 * (bench/listing.ts).
 */
export const postRows: RawBuilder<unknown> = sql`
  select p.id as "postId", p.batch_id as "batchId", p.state as status, p.post_type as "postType", ${iso('p.shown_at')} as at, ${iso('p.due_at')} as "dueAt",
    p.zone as timezone, p.excerpt, p.images, c.json as channel, a.json as author,
    case when p.channel_id is null and p.draft is not null then coalesce((select json_agg(d.json order by w.place) from jsonb_array_elements_text(p.draft -> 'channelIds') with ordinality w(id, place) join channels d on d.id = w.id::uuid), '[]') else '[]' end as "draftChannels",
    coalesce((select json_agg(l.json order by l.sorts, l.id) from post_label pl join labels l on l.id = pl.label_id where pl.org_id = p.org_id and pl.post_id = p.id), '[]') as labels,
    coalesce((select json_agg(k.json order by k.sorts, k.id) from post_campaign pc join campaigns k on k.id = pc.campaign_id where pc.org_id = p.org_id and pc.post_id = p.id), '[]') as campaigns,
    case when p.series_id is not null then json_build_object('seriesId', p.series_id, 'index', p.series_index, 'count', p.series_count) end as series, p.permalink, p.failure, p.origin = 'ai' as ai, p.version
  from post p left join channels c on c.id = p.channel_id left join authors a on a.id = p.author_id`
