import { figuresOn } from '#server/testing/figures.ts'
import { inDatabase } from './database.ts'
import type { Person } from './people.ts'
import type { Product } from './product.ts'

const DAY = 86_400_000
const texts = [
  'The winter roast is back: cocoa, dried fig, a little smoke. #winterroast',
  'Latte art night on Thursday. Bring a friend.',
  'How we brew: 15 grams, 250 grams of water, three minutes. #brewguide',
  'Meet Maya, who roasts your beans since 2019.',
  'New on the shelf: the oat flat white.',
] as const

/**
 * What platforms would have reported about posts and channels over these many days, without the time it takes. The days
 * are UTC's, so the project must be in UTC for these to be its days at any hour.
 */
export async function addFigures(
  stage: Pick<Product, 'dataDir'>,
  { ids, email }: Pick<Person, 'ids' | 'email'>,
  channels: readonly { channelId: string; post: (i: number) => Record<string, number>; followers: number }[],
  { days = 60, campaignId, labelId }: { days?: number; campaignId?: string; labelId?: string } = {},
): Promise<{ postIds: string[] }> {
  return await inDatabase(stage, async ({ system: owner }) => {
    const figures = figuresOn({ owner })
    const person = await owner.query<{ id: string }>('select id from person where email = $1', [email])
    const home = { ...ids, person: { personId: person.rows[0]?.id ?? '' } }
    // their posts of these days are known, and of those before
    await owner.query("update channel set connected_at = connected_at - interval '1 year' where project_id = $1", [
      ids.projectId,
    ])
    const postIds: string[] = []
    const at = (daysAgo: number, hour: number) =>
      new Date(Math.floor(Date.now() / DAY) * DAY - daysAgo * DAY + hour * 3_600_000).toISOString()
    for (const [c, { channelId, post, followers }] of channels.entries()) {
      for (let daysAgo = days; daysAgo >= 1; daysAgo -= 1) {
        if ((daysAgo + c) % 2 === 0) {
          const postId = await figures.published(home, channelId, at(daysAgo, 8 + ((daysAgo * 5) % 10)), {
            text: texts[(daysAgo + c) % texts.length] ?? '',
          })
          postIds.push(postId)
          const told = post(daysAgo)
          for (const [after, part] of [
            [0, 0.45],
            [1, 0.8],
            [7, 1],
          ] as const)
            if (daysAgo - after >= 0)
              await figures.reading(
                postId,
                at(daysAgo - after, 20),
                Object.fromEntries(Object.entries(told).map(([name, value]) => [name, Math.round(value * part)])),
              )
        }
        // the platform said nothing for three days: a gap
        if (daysAgo >= 4 && daysAgo <= 6 && c === 0) continue
        await figures.channelDay(
          channelId,
          at(daysAgo, 0).slice(0, 10),
          {
            followers: followers + (days - daysAgo) * (7 + c) + ((daysAgo * 13) % 9),
            followersGained: 9 + ((daysAgo * 7) % 11),
            profileViews: 40 + ((daysAgo * 29) % 37),
            // the channel's own days, of the figures that its platform reports by day
            ...Object.fromEntries(Object.entries(post(daysAgo + 1)).map(([name, value]) => [name, value * 2])),
          },
          new Date().toISOString(),
        )
      }
    }
    // every third post is in the campaign, every fourth has the label
    if (campaignId)
      await owner.query('insert into post_campaign (org_id, post_id, campaign_id) select $1, unnest($2::uuid[]), $3', [
        ids.orgId,
        postIds.filter((_, i) => i % 3 === 0),
        campaignId,
      ])
    if (labelId)
      await owner.query('insert into post_label (org_id, post_id, label_id) select $1, unnest($2::uuid[]), $3', [
        ids.orgId,
        postIds.filter((_, i) => i % 4 === 0),
        labelId,
      ])
    return { postIds }
  })
}
