import { analyticsRoutes } from '#server/analytics/routes.ts'
import { analysisRoutes } from '#server/analysis/routes.ts'
import { cookieOf } from './_listing.ts'
import { median, openStage } from './_stage.ts'

/*
 * The insights of chosen posts, where a label has all of them: 60 channels, and 20,000 posts (`--posts=`) with 10 readings each over two
 * years. Of each call, how long it takes, how long the process works for it, and for how long no other call had its turn. Without a target.
 * `--data=FOLDER`: filled once, and kept for the next time. `--only=CALL`, with YEARS or MONTH as its days. `--turns=`: how often each.
 */
const argument = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const POSTS = Number(argument('posts') ?? 20_000)
const [CHANNELS, DAYS, TURNS, PART] = [60, 730, Number(argument('turns') ?? 3), 20_000]
const AGES = ['1 hour', '6 hours', '1 day', '2 days', '3 days', '7 days', '14 days', '30 days', '60 days', '90 days']
const platforms = ['facebook', 'instagram', 'linkedin', 'x', 'threads', 'bluesky']
const stage = await openStage((deps) => [...analyticsRoutes(deps), ...analysisRoutes(deps)], { kept: argument('data') })
const { builders, owner, origin } = stage
try {
  const home = await builders.signedInOwner()
  const { rows } = await owner.query<{ org_id: string; project_id: string; id: string }>(
    'select org_id, project_id, id from label limit 1',
  )
  let place = { orgId: home.orgId, projectId: home.projectId, labelId: '' }
  const [label] = rows
  if (label) {
    place = { orgId: label.org_id, projectId: label.project_id, labelId: label.id }
    await owner.query('insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, true, now())', [
      label.org_id,
      home.person.personId,
    ])
  } else place.labelId = await fill(home)
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const years = `from=${day(DAYS)}&to=${day(0)}&labelId=${place.labelId}`
  const month = `from=${day(29)}&to=${day(0)}&compareFrom=${day(59)}&compareTo=${day(30)}&labelId=${place.labelId}`
  const only = argument('only')
  for (const call of only !== undefined
    ? [only.replaceAll('YEARS', years).replaceAll('MONTH', month)]
    : [
        `summary?${years}`,
        `summary?from=${day(365)}&to=${day(0)}&compareFrom=${day(731)}&compareTo=${day(366)}&labelId=${place.labelId}`,
        `summary?${month}`,
        `series?${years}&names=viewsAndImpressions&by=channel`,
        `series?${years}&names=viewsAndImpressions,engagements,reactions&by=total`,
        `channels?${years}`,
        `posts/medians?${years}&columns=viewsAndImpressions,engagements,engagementRate,reactions,comments`,
        `posts?${years}&sort=engagements`,
        `analysis/facts?${years}`,
      ]) {
    const url = `${origin}/api/${place.orgId}/project/${place.projectId}/insights/${call}`
    const ask = async () => {
      const [started, cpu] = [performance.now(), process.cpuUsage()]
      let longest = 0
      let last = performance.now()
      const timer = setInterval(() => {
        const at = performance.now()
        longest = Math.max(longest, at - last - 5)
        last = at
      }, 5)
      const reply = await fetch(url, { headers: { cookie: cookieOf(home.person) } })
      const body = await reply.arrayBuffer()
      clearInterval(timer)
      if (!reply.ok) throw new Error(`${call}: ${reply.status} ${Buffer.from(body).toString().slice(0, 300)}`)
      const used = process.cpuUsage(cpu)
      return {
        took: performance.now() - started,
        cpu: (used.user + used.system) / 1000,
        longest,
        bytes: body.byteLength,
      }
    }
    await ask()
    const all: Awaited<ReturnType<typeof ask>>[] = []
    for (let i = 0; i < TURNS; i++) all.push(await ask())
    const of = (what: 'took' | 'cpu' | 'longest') => median(all.map((one) => one[what])).toFixed(0)
    console.log(
      `${call.replaceAll(place.labelId, '…')}: ${of('took')} ms, ${of('cpu')} ms of the process, ${of('longest')} ms at once, ${all[0]?.bytes} bytes`,
    )
  }
} finally {
  await stage.close()
}

async function fill(home: Awaited<ReturnType<typeof builders.signedInOwner>>): Promise<string> {
  await owner.query("update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1", [
    home.orgId,
  ])
  const { rows } = await owner.query<{ id: string }>(
    `insert into channel (org_id, id, project_id, platform, remote_id, name, handle, connected_at, connected_by)
     select $1, uuidv7(), $2, ($4::text[])[1 + n % $5::int], 'remote ' || n, 'Channel ' || n, '@' || n, now(), $3 from generate_series(1, $6::int) n returning id`,
    [home.orgId, home.projectId, home.person.personId, platforms, platforms.length, CHANNELS],
  )
  const channels = rows.map(({ id }) => id)
  for (const table of ['post', 'post_metric']) await owner.query(`alter table ${table} disable trigger user`)
  for (let from = 0; from < POSTS; from += PART)
    await owner.query(
      `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, shown_at, published_at, created_at, updated_at)
       select $1, uuidv7(), $2, ($3::uuid[])[1 + n % cardinality($3::uuid[])], $4, 'PUBLISHED', 'post', '[{"text":"The rooks come back in autumn","media":[]}]', 'The rooks come back to the old elms in autumn.', '{"type":"NOW"}', 'Europe/London', t.at, t.at, t.at, t.at
       from generate_series($5::int + 1, least($5::int + $6::int, $7::int)) n, lateral (select now() - n * interval '729 days' / $7::int as at) t`,
      [home.orgId, home.projectId, channels, home.person.personId, from, PART, POSTS],
    )
  await owner.query(
    `insert into measured_post (org_id, id, project_id, channel_id, elsewhere, post_type, published_at, shown_at)
     select org_id, id, project_id, channel_id, false, post_type, published_at, shown_at from post where org_id = $1`,
    [home.orgId],
  )
  await owner.query(
    `insert into post_metric (org_id, post_id, figures, read_at, since)
     select p.org_id, p.id, jsonb_build_object(case when n % 6 in (2, 3) then 'impressions' else 'views' end, (n * 7919) % 100000 * k / 10, 'reach', n % 5000, 'reactions', (n * 31) % 900 * k / 10, 'comments', n % 40 * k / 10, 'shares', n % 20 * k / 10, 'saves', case when n % 3 = 0 then n % 50 end, 'clicks', n % 70 * k / 10, 'videoViews', null), p.shown_at + age::interval, p.shown_at
     from (select *, row_number() over (order by id) as n from post where org_id = $1) p cross join unnest($2::text[]) with ordinality a(age, k) where p.shown_at + age::interval < now()`,
    [home.orgId, AGES],
  )
  const { rows: posts } = await owner.query<{ id: string }>('select id from post where org_id = $1 order by id', [
    home.orgId,
  ])
  for (let from = 0; from < posts.length; from += PART)
    await owner.query('select refresh_post_figures($1, $2::uuid[])', [
      home.orgId,
      posts.slice(from, from + PART).map(({ id }) => id),
    ])
  for (const table of ['post', 'post_metric']) await owner.query(`alter table ${table} enable trigger user`)
  const { rows: labels } = await owner.query<{ id: string }>(
    `insert into label (org_id, id, project_id, name, color, created_at) values ($1, uuidv7(), $2, 'All', 'blue', now()) returning id`,
    [home.orgId, home.projectId],
  )
  await owner.query(
    'insert into post_label (org_id, post_id, label_id) select org_id, id, $2 from post where org_id = $1',
    [home.orgId, labels[0]?.id],
  )
  await owner.query('vacuum analyze')
  return labels[0]?.id ?? ''
}
