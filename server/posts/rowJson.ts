import { sql, type RawBuilder } from 'kysely'
import { pictureAddress } from '../access/channels.ts'
import type { CallerProject } from '../http/route.ts'

/** An instant as the contract writes it. */
export const iso = (column: string): RawBuilder<string> =>
  sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The same in half the time and without a zero fraction, in quotes. */
const instant = (time: string) => `rtrim(to_json((${time}) at time zone 'UTC')::text, '"') || 'Z"'`

/** The fields of posts in lists: all that lists draw, or the fewer that the calendar draws. */
export type Detail = 'full' | 'calendar' | 'month'
/** Characters of a text in the month: more than its cells fit on a screen of 2,300 pixels. */
const MONTH_EXCERPT = 40

type Place = Pick<CallerProject, 'projectId' | 'channelIds' | 'zone'>
export type NamedPostsRow = { posts: string; channels: string; people: string; labels: string; campaigns: string }

/**
 * The contract's NamedPosts as JSON that PostgreSQL writes: the `with` clauses of a statement, and the columns to
 * select. `which` is the rest of a query of posts (`p`) from `where` on, `order` how they're sorted. Labels and
 * campaigns are read once for all posts; names appear once next to the posts, which refer to them by position. A test
 * parses it with the contract.
 */
export function namedPosts(
  { projectId, channelIds, zone }: Place,
  which: RawBuilder<unknown>,
  order: { by: 'shown_at' | 'updated_at'; way: 'asc' | 'desc' },
  detail: Detail,
) {
  const isFull = detail === 'full'
  const scope = channelIds && [...channelIds]
  const inProject = sql`org_id = current_setting('app.org_id')::uuid and project_id = ${projectId}`
  const ofListed = sql`org_id = current_setting('app.org_id')::uuid and post_id = any(array(select id from listed))`
  const ctes = sql`listed as materialized (
    select p.id, p.batch_id, p.state, p.post_type, p.shown_at, p.updated_at, p.due_at, p.zone, p.excerpt, p.images, p.channel_id, p.author_id,
      p.series_id, p.series_index, p.series_count, p.permalink, p.failure, p.origin, p.version,
      case when p.channel_id is null and p.draft is not null then array(
        select w.id::uuid from jsonb_array_elements_text(p.draft -> 'channelIds') with ordinality w(id, nth) order by w.nth
      ) end as draft_channels
    from post p ${which}
  ), channels as materialized (
    select id, row_number() over (order by id) - 1 as place, json_build_object('channelId', id, 'channelName', name, 'handle', handle, 'platformName', platform, 'profileUrl', ${pictureAddress('channel')}, 'simulated', simulated) as json
    from channel where ${inProject} and id in (select channel_id from listed union select unnest(draft_channels) from listed)${scope === null ? sql`` : sql` and id = any(${scope})`}
  )${
    isFull
      ? sql`, people as materialized (
    select a.id, row_number() over (order by a.id) - 1 as place, json_build_object('userId', a.id, 'name', trim(a.first_name || ' ' || a.last_name)) as json
    from member m join person a on a.id = m.person_id where m.org_id = current_setting('app.org_id')::uuid and m.person_id in (select author_id from listed)
  ), tagged as materialized (
    select post_id, label_id from post_label where ${ofListed}
  ), labels as materialized (
    select id, row_number() over (order by lower(name), id) - 1 as place, json_build_object('labelId', id, 'labelName', name, 'color', color) as json
    from label where ${inProject} and id in (select label_id from tagged)
  ), joined as materialized (
    select post_id, campaign_id from post_campaign where ${ofListed}
  ), campaigns as materialized (
    select id, row_number() over (order by lower(name), id) - 1 as place, json_build_object('campaignId', id, 'name', name) as json
    from campaign where ${inProject} and id in (select campaign_id from joined)
  )`
      : sql``
  }`
  const from = sql`listed r left join channels c on c.id = r.channel_id${
    isFull
      ? sql` left join people a on a.id = r.author_id
        left join (select post_id, string_agg(place::text, ',' order by place) as places from tagged join labels on id = label_id group by post_id) t on t.post_id = r.id
        left join (select post_id, string_agg(place::text, ',' order by place) as places from joined join campaigns on id = campaign_id group by post_id) k on k.post_id = r.id`
      : sql``
  }`
  const sorted = sql.raw(`r.${order.by} ${order.way}, r.id ${order.way}`)
  const names = (cte: string) =>
    sql`(select '[' || coalesce(string_agg(json::text, ',' order by place), '') || ']' from ${sql.raw(cte)}) as ${sql.raw(cte)}`
  const none = (name: string) => sql`'[]' as ${sql.raw(name)}`
  const beside = ['people', 'labels', 'campaigns'].map(isFull ? names : none)
  const columns = sql`
    (select '[' || coalesce(string_agg(${item(detail, zone)}, ',' order by ${sorted}), '') || ']' from ${from}) as posts,
    ${sql.join([names('channels'), ...beside])}`
  return { ctes, columns }
}

/** The answer's JSON, to which `more` fields can be added. */
export const namedPostsJson = (
  { zone }: Pick<Place, 'zone'>,
  { posts, channels, people, labels, campaigns }: NamedPostsRow,
  more = '',
): string =>
  `{"posts":${posts},"channels":${channels},"people":${people},"labels":${labels},"campaigns":${campaigns},"timezone":${JSON.stringify(zone)}${more}}`

/** One PostItem. Concatenated text is cheaper than json_build_object with its nulls removed; `concat` skips nulls. */
function item(detail: Detail, zone: string): RawBuilder<string> {
  const inMonth = detail === 'month'
  const excerpt = inMonth
    ? `case when length(r.excerpt) > ${MONTH_EXCERPT} then left(r.excerpt, ${MONTH_EXCERPT - 1}) || '…' else r.excerpt end`
    : 'r.excerpt'
  // the month shows minutes: fractions of seconds would be a tenth of its bytes
  const at = inMonth
    ? "case r.state when 'PUBLISHED' then date_trunc('second', r.shown_at) else r.shown_at end"
    : 'r.shown_at'
  const inCalendar = sql`'{"postId":"', r.id, '","status":"', r.state, '","at":', ${sql.raw(instant(at))},
    case when r.due_at is null then ',"dueAt":null' when r.due_at <> r.shown_at${inMonth ? sql` and r.state <> 'PUBLISHED'` : sql``} then ',"dueAt":' || ${sql.raw(instant('r.due_at'))} end,
    case when r.zone <> ${zone} then ',"timezone":' || to_json(r.zone)::text end, ',"excerpt":', to_json(${sql.raw(excerpt)}), ',"channel":' || c.place,
    case when r.draft_channels is not null then (select ',"draftChannels":' || json_agg(d.place order by w.nth)::text from unnest(r.draft_channels) with ordinality w(id, nth) join channels d on d.id = w.id) end,
    case when r.images > 0 then ',"images":' || r.images end${detail === 'full' ? sql`` : sql`, case when r.images > 0 then ',"version":' || r.version end`},
    case when r.series_id is not null then ',"series":' || json_build_object('seriesId', r.series_id, 'index', r.series_index, 'count', r.series_count)::text end,
    ',"failure":' || r.failure::text`
  if (detail !== 'full') return sql`concat(${inCalendar}, '}')`
  return sql`concat(${inCalendar}, ',"version":', r.version,
    ',"batchId":"' || r.batch_id || '"', case when r.post_type <> 'post' then ',"postType":"' || r.post_type || '"' end, ',"author":' || a.place,
    ',"labels":[' || t.places || ']', ',"campaigns":[' || k.places || ']', ',"permalink":' || to_json(r.permalink)::text, case when r.origin = 'ai' then ',"ai":true' end, '}')`
}
