import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../db/kysely.ts'
import { campaigns, hashtagGroups, labels, notes } from './content.ts'
import { seeded } from './random.ts'

export type ShelvedProject = { orgId: string; projectId: string; people: readonly string[] }

const DAY = 86_400_000
/** Campaigns are created so many days before they begin. */
const PLANNED_DAYS = 14
const dateOf = (now: Date, days: number): string => new Date(now.getTime() + days * DAY).toISOString().slice(0, 10)

/** Labels, campaigns, hashtag groups and a few notes on the posts of a seeded project. */
export async function seedTaxonomy(tx: Tx, { orgId, projectId, people }: ShelvedProject, now: Date): Promise<void> {
  const random = seeded(people.length * 104_729)
  const [owner = ''] = people
  const own = () => ({
    org_id: orgId,
    id: randomUUIDv7(),
    project_id: projectId,
    created_at: new Date(now.getTime() - 40 * DAY),
  })
  const labelRows = labels.map(({ name, color, ...standing }) => ({
    ...own(),
    name,
    color,
    state: 'archived' in standing ? 'ARCHIVED' : 'ACTIVE',
  }))
  const campaignRows = campaigns.map(({ name, description, color, from, to, ...standing }) => ({
    ...own(),
    name,
    description,
    color,
    starts_on: dateOf(now, from),
    ends_on: dateOf(now, to),
    created_by: owner,
    created_at: new Date(now.getTime() + Math.min(from - PLANNED_DAYS, -1) * DAY),
    completed_at: 'completed' in standing ? new Date(now.getTime() + (to + 1) * DAY) : null,
    state: 'archived' in standing ? 'ARCHIVED' : 'ACTIVE',
    enabled: true,
  }))
  await tx.insertInto('label').values(labelRows).execute()
  await tx.insertInto('campaign').values(campaignRows).execute()
  await tx
    .insertInto('hashtag_group')
    .values(hashtagGroups.map(({ name, hashTags }) => ({ ...own(), name, hash_tags: [...hashTags] })))
    .execute()

  const posts = await tx
    .selectFrom('post')
    .select(['id', 'state', 'shown_at'])
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .orderBy('shown_at')
    .orderBy('id')
    .execute()
  const tagged = posts.flatMap(({ id }) =>
    random.next() < 0.6
      ? [...new Set([random.pick(labelRows).id, ...(random.next() < 0.3 ? [random.pick(labelRows).id] : [])])].map(
          (label_id) => ({ org_id: orgId, post_id: id, label_id }),
        )
      : [],
  )
  // every other post of a campaign's days, on whatever day this runs
  const seen = new Map<string, number>()
  const joined = posts.flatMap(({ id, shown_at }) => {
    const day = shown_at.toISOString().slice(0, 10)
    const campaign = campaignRows
      .filter(({ starts_on, ends_on }) => starts_on <= day && day <= ends_on)
      .filter((one) => {
        const before = seen.get(one.id) ?? 0
        seen.set(one.id, before + 1)
        return before % 2 === campaignRows.indexOf(one) % 2
      })[0]
    return campaign ? [{ org_id: orgId, post_id: id, campaign_id: campaign.id }] : []
  })
  if (tagged.length > 0) await tx.insertInto('post_label').values(tagged).execute()
  if (joined.length > 0) await tx.insertInto('post_campaign').values(joined).execute()

  const waiting = posts.filter(({ state }) => state === 'NEEDS_APPROVAL' || state === 'SCHEDULED')
  for (const [i, post] of waiting.slice(0, notes.length).entries()) {
    const { text, reply } = notes[i] ?? { text: '', reply: null }
    const note = {
      ...own(),
      post_id: post.id,
      author_id: people[i % people.length] ?? owner,
      body: text,
      created_at: new Date(now.getTime() - (i + 2) * 3_600_000),
    }
    await tx.insertInto('note').values(note).execute()
    if (reply)
      await tx
        .insertInto('note')
        .values({
          ...note,
          id: randomUUIDv7(),
          parent_id: note.id,
          author_id: people[(i + 1) % people.length] ?? owner,
          body: reply,
          created_at: new Date(now.getTime() - (i + 1) * 3_600_000),
        })
        .execute()
  }
}
