import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { postLabel } from '#contract/linkInBio/postLabel.ts'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'
import { todayIn } from '../analytics/scope.ts'
import { addDays } from '../rangeDays.ts'
import { seeded } from './random.ts'
import { brand } from './content.ts'
import type { SeededProject } from './seededProject.ts'

const buttons = [
  ['Order beans online', 'https://northlight.example/shop'],
  ['Brew guides', 'https://northlight.example/guides'],
  ['Book a cupping', 'https://northlight.example/cupping'],
  ['Write to us', 'mailto:hello@northlight.example'],
] as const
/** How many posts its grid shows, and days it has been counted. */
const [POSTS, DAYS] = [9, 120]
/** How many of a hundred visitors use each item, in their order. */
const SHARES = [21, 12, 6, 0, 9, 5, 4, 3, 3, 2, 2, 1, 1]

/** The brand's link in bio page: live, with the newest pictures, and as many visitors as its accounts may send. */
export async function seedLinkInBio(tx: Tx, project: SeededProject, now: Date): Promise<void> {
  const { orgId, projectId, zone, images, people } = project
  const today = todayIn({ now, project: { zone } })
  const pageId = randomUUIDv7()
  const newest = await sql<{ id: string; excerpt: string }>`
    select p.id, p.excerpt from post p
    where p.org_id = ${orgId} and p.project_id = ${projectId} and p.state = 'PUBLISHED' and p.images > 0 order by p.published_at desc limit ${POSTS}`.execute(
    tx,
  )
  const posts = newest.rows.map(({ id, excerpt }, nth) => ({
    kind: 'post',
    label: postLabel(excerpt),
    url: `https://northlight.example/stories/${nth + 1}`,
    post_id: id,
  }))
  const items = [...buttons.map(([label, url]) => ({ kind: 'button', label, url, post_id: null })), ...posts]
  const began = new Date(now.getTime() - DAYS * 86_400_000)
  await tx
    .insertInto('bio_page')
    .values({
      org_id: orgId,
      id: pageId,
      project_id: projectId,
      name: brand,
      about: 'Small lots, roasted on Tuesdays. Berlin and Hamburg.',
      picture_asset_id: images[0] ?? null,
      theme: 'sand',
      live: true,
      next_number: items.length + 1,
      created_at: began,
      created_by: people[0] ?? null,
      updated_at: now,
    })
    .execute()
  await tx
    .insertInto('bio_slug')
    .values({ org_id: orgId, slug: `northlight-${projectId.slice(-8)}`, project_id: projectId, page_id: pageId })
    .execute()
  await insertMany(
    tx,
    'bio_item',
    items.map((item, i) => ({ org_id: orgId, page_id: pageId, number: i + 1, position: i, ...item })),
  )
  const random = seeded(31)
  const counts = Array.from({ length: DAYS }, (_, back) => back).flatMap((back) => {
    const day = addDays(today, -back)
    const views = 60 + random.below(50) + Math.round((DAYS - back) / 3)
    const ofPage = { org_id: orgId, page_id: pageId, day, views: 0, visitors: 0, clicks: 0 }
    return [
      { ...ofPage, number: 0, views, visitors: Math.round(views * (0.68 + random.next() / 8)) },
      ...items.flatMap((_item, i) => {
        const clicks = Math.round((views * (SHARES[i] ?? 0) * (0.7 + random.next() * 0.6)) / 100)
        return clicks > 0 ? [{ ...ofPage, number: i + 1, clicks }] : []
      }),
    ]
  })
  await insertMany(tx, 'bio_count', counts)
}
