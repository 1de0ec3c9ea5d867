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

type Place = Pick<CallerProject, 'projectId' | 'channelIds' | 'zone'>
/** The items of each array as JSON, without its brackets; null if there are none. */
export type NamedPostsRow = Record<'posts' | 'channels' | 'people' | 'labels' | 'campaigns', string | null>

/**
 * The contract's NamedPosts as JSON that PostgreSQL writes: the `with` clauses of a statement, the columns to select, and
 * `written`, from which they're selected and which has the `number` of posts. `which` is the rest of a query of posts
 * (`p`) from `where` on, `order` how they're sorted. Labels and campaigns are read once for all posts; names appear once
 * next to the posts, which refer to them by position. A test
 * parses it with the contract.
 */
export function namedPosts(
  { projectId, channelIds, zone }: Place,
  which: RawBuilder<unknown>,
  order: { by: 'shown_at' | 'updated_at'; way: 'asc' | 'desc' },
  detail: Detail,
) {
  const isFull = detail === 'full'
  const isMonth = detail === 'month'
  const scope = channelIds && [...channelIds]
  const inProject = sql`org_id = current_setting('app.org_id')::uuid and project_id = ${projectId}`
  const ofListed = sql`org_id = current_setting('app.org_id')::uuid and post_id = any(array(select id from listed))`
  // the month's are stored as JSON. They aren't materialized: copying them would take longer than reading them
  const fields = isMonth
    ? sql`coalesce(p.month_item, month_item_of(p)) as item`
    : sql`p.batch_id, p.state, p.post_type, p.updated_at, p.due_at, p.excerpt, p.images, p.author_id,
      p.series_id, p.series_index, p.series_count, p.permalink, p.failure, p.origin, p.version`
  const draftChannels = sql`case when p.channel_id is null and p.draft is not null then array(
        select w.id::uuid from jsonb_array_elements_text(p.draft -> 'channelIds') with ordinality w(id, nth) order by w.nth
      ) end as draft_channels`
  const listed = sql`listed as ${isMonth ? sql`` : sql`materialized`} (
    select p.id, p.shown_at, p.zone, p.channel_id, ${fields}, ${draftChannels} from post p ${which}
  )`
  // the month's channels are found in the index alone
  const used = isMonth
    ? sql`, chosen as materialized (
    select distinct channel_id, case when channel_id is null then id end as draft_id from (select p.id, p.channel_id from post p ${which}) p
  ), used as materialized (
    select channel_id as id from chosen
    union select unnest(d.draft_channels) from (select ${draftChannels} from post p where p.org_id = current_setting('app.org_id')::uuid and p.id = any(array(select draft_id from chosen where draft_id is not null))) d
  )`
    : sql`, used as materialized (select channel_id as id from listed union select unnest(draft_channels) from listed)`
  const ctes = sql`${listed}${used}, channels as materialized (
    select id, row_number() over (order by id) - 1 as place, json_build_object('channelId', id, 'channelName', name, 'handle', handle, 'platformName', platform, 'profileUrl', ${pictureAddress('channel')}, 'simulated', simulated) as json
    from channel where ${inProject} and id in (select id from used)${scope === null ? sql`` : sql` and id = any(${scope})`}
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
  }${isMonth ? sql`, places as materialized (select jsonb_object_agg(id, ',"channel":' || place || '}') as json from channels)` : sql``}`
  const from = sql`listed r left join channels c on c.id = r.channel_id${
    isFull
      ? sql` left join people a on a.id = r.author_id
        left join (select post_id, string_agg(place::text, ',' order by place) as places from tagged join labels on id = label_id group by post_id) t on t.post_id = r.id
        left join (select post_id, string_agg(place::text, ',' order by place) as places from joined join campaigns on id = campaign_id group by post_id) k on k.post_id = r.id`
      : sql``
  }`
  const sorted = sql.raw(`r.${order.by} ${order.way}, r.id ${order.way}`)
  const names = (cte: string) =>
    sql`(select string_agg(json::text, ',' order by place) from ${sql.raw(cte)}) as ${sql.raw(cte)}`
  const none = (name: string) => sql`null as ${sql.raw(name)}`
  const beside = ['people', 'labels', 'campaigns'].map(isFull ? names : none)
  // the month's posts are read in their order already
  const written = isMonth
    ? sql`select string_agg(${monthItem(zone)}, ',') as posts, count(*) as number from listed r`
    : sql`select string_agg(${item(isFull, zone)}, ',' order by ${sorted}) as posts, count(*) as number from ${from}`
  return {
    ctes,
    columns: sql`written.posts, ${sql.join([names('channels'), ...beside])}`,
    written: sql`(${written}) written`,
  }
}

/** The answer's JSON, to which `more` fields can be added. */
export const namedPostsJson = (
  { zone }: Pick<Place, 'zone'>,
  { posts, channels, people, labels, campaigns }: NamedPostsRow,
  more = '',
): string =>
  `{"posts":[${posts ?? ''}],"channels":[${channels ?? ''}],"people":[${people ?? ''}],"labels":[${labels ?? ''}],"campaigns":[${campaigns ?? ''}],"timezone":${JSON.stringify(zone)}${more}}`

const ownZone = (zone: string) => sql`case when r.zone <> ${zone} then ',"timezone":' || to_json(r.zone)::text end`
const draftPlaces = sql`case when r.draft_channels is not null then (select ',"draftChannels":' || json_agg(d.place order by w.nth)::text from unnest(r.draft_channels) with ordinality w(id, nth) join channels d on d.id = w.id) end`

/** One PostItem of the month: what is stored of it, and what depends on the list. */
const monthItem = (zone: string): RawBuilder<string> =>
  sql`r.item || case when r.zone <> ${zone} or r.draft_channels is not null then concat(${ownZone(zone)}, ${draftPlaces}) else '' end
    || coalesce((select json from places) ->> r.channel_id::text, '}')`

/** One PostItem. Concatenated text is cheaper than json_build_object with its nulls removed; `concat` skips nulls. */
function item(isFull: boolean, zone: string): RawBuilder<string> {
  const inCalendar = sql`'{"postId":"', r.id, '","status":"', r.state, '","at":', ${sql.raw(instant('r.shown_at'))},
    case when r.due_at is null then ',"dueAt":null' when r.due_at <> r.shown_at then ',"dueAt":' || ${sql.raw(instant('r.due_at'))} end,
    ${ownZone(zone)}, ',"excerpt":', to_json(r.excerpt), ',"channel":' || c.place, ${draftPlaces},
    case when r.images > 0 then ',"images":' || r.images end${isFull ? sql`` : sql`, case when r.images > 0 then ',"version":' || r.version end`},
    case when r.series_id is not null then ',"series":' || json_build_object('seriesId', r.series_id, 'index', r.series_index, 'count', r.series_count)::text end,
    ',"failure":' || r.failure::text`
  if (!isFull) return sql`concat(${inCalendar}, '}')`
  return sql`concat(${inCalendar}, ',"version":', r.version,
    ',"batchId":"' || r.batch_id || '"', case when r.post_type <> 'post' then ',"postType":"' || r.post_type || '"' end, ',"author":' || a.place,
    ',"labels":[' || t.places || ']', ',"campaigns":[' || k.places || ']', ',"permalink":' || to_json(r.permalink)::text, case when r.origin = 'ai' then ',"ai":true' end, '}')`
}
