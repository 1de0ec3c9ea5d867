import type { PlatformKey } from '#contract/platforms/rules.ts'
import { inDatabase } from './database.ts'
import type { Person } from './people.ts'
import type { Product } from './product.ts'

/** A connected channel of Bluesky, inserted straight into the tables: it does everything except reach its account. */
export async function addChannel(
  stage: Pick<Product, 'dataDir'>,
  { ids }: Pick<Person, 'ids'>,
  account = 'rook',
): Promise<void> {
  await inDatabase(stage, ({ system }) =>
    system.query(
      `with made as (
         insert into channel (org_id, id, project_id, platform, remote_id, name, handle, check_at, connected_at, connected_by)
         select $1, uuidv7(), $2, 'bluesky', 'did:plc:' || uuidv7(), $3, '@' || $3, now() + interval '1 day', now(), o.created_by from organization o where o.org_id = $1
         returning org_id, id, platform)
       insert into lane (org_id, channel_id, platform) select org_id, id, platform from made`,
      [ids.orgId, ids.projectId, `${account}.test`],
    ),
  )
}

/**
 * Connected channels of platforms that journeys can't sign in to, inserted straight into the tables: composers and
 * drafts accept them, but nothing can be published on them. The ID of the nth ends with n; its name is `Northlight` and
 * the given one.
 */
export async function addChannels(
  stage: Pick<Product, 'dataDir'>,
  { ids }: Pick<Person, 'ids'>,
  channels: readonly { platform: PlatformKey; name: string }[],
): Promise<string[]> {
  const made = channels.map(({ platform, name }, i) => ({
    id: `019a0000-0000-7000-8000-${ids.projectId.slice(-10)}${String(i).padStart(2, '0')}`,
    platform,
    name: `Northlight ${name}`,
    handle: `@northlight.${platform}`,
    remote: `northlight-${i}`,
  }))
  await inDatabase(stage, async ({ system }) => {
    await system.query(
      `insert into channel (org_id, id, project_id, platform, remote_id, name, handle, simulated, check_at, connected_at, connected_by)
       select $1, c.id, $2, c.platform, c.remote, c.name, c.handle, true, now() + interval '1 day', now(), m.person_id
       from jsonb_to_recordset($3) as c(id uuid, platform text, remote text, name text, handle text)
       cross join (select person_id from member where org_id = $1 and is_admin limit 1) m`,
      [ids.orgId, ids.projectId, JSON.stringify(made)],
    )
    await system.query(
      'insert into lane (org_id, channel_id, platform) select org_id, id, platform from channel where org_id = $1 and id = any($2)',
      [ids.orgId, made.map(({ id }) => id)],
    )
  })
  return made.map(({ id }) => id)
}
