import { afterAll, beforeAll, expect, it } from 'vitest'
import { shortCodes } from '../links/codes.ts'
import { openMedia } from '../media/open.ts'
import type { LoadedPost } from '../publishing/loaded.ts'
import { buildOutgoing } from '../publishing/outgoing.ts'
import { approvalsOn } from '../testing/approvals.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/*
 * Alt texts are published too: nobody can change them at the file without the approvers' knowledge.
 */

let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp()
  home = await app.signedInOwner()
  await app.database.owner.query("update plan set status = 'ACTIVE', plan_id = 'team' where org_id = $1", [home.orgId])
})
afterAll(() => app.close())

const describeFile = (assetId: string, words: string) =>
  app.database.owner.query('update asset set alt_text = $2 where id = $1', [assetId, words])

/** What the engine would pass to an adapter now: its claim has the columns of the post. */
async function outgoing(postId: string): Promise<string[]> {
  const { rows } = await app.database.owner.query<LoadedPost>(
    `select p.*, a.state as approval_state, a.content_hash as approved_hash
     from post p left join approval a on a.post_id = p.id where p.id = $1 order by a.sent_at desc limit 1`,
    [postId],
  )
  const post =
    rows[0] &&
    (await buildOutgoing(
      { orgId: home.orgId, postId, platform: 'bluesky', post: { ...rows[0], progress: {} } },
      openMedia(app.parts.databases.background, app.parts.media),
      shortCodes(app.parts.databases.background, app.clock),
    ))
  return post?.contents[0]?.media.map(({ altText }) => altText) ?? []
}

it('keeps the approved alt texts, and takes none that came later', async () => {
  const content = contentOn(app.parts)
  const approvals = approvalsOn(app)
  const channelId = await content.channel(home)
  const workflowId = await approvals.workflow(home, [
    { needs: 'any', approvers: [{ kind: 'member', userId: home.person.personId }] },
  ])
  const [told, silent, own] = [await content.picture(home), await content.picture(home), await content.picture(home)]
  await describeFile(told, 'A rook on an elm')
  await describeFile(own, 'A file of many posts')
  const user = await app.colleague(home, 'user')
  const postId = await approvals.ask(home, {
    channelId,
    workflowId,
    as: user,
    media: [{ assetId: told }, { assetId: silent }, { assetId: own, altText: 'Its own words' }],
  })
  await approvals.approve(home, postId, home.person)
  for (const assetId of [told, silent, own]) await describeFile(assetId, 'Slipped in')
  expect(await outgoing(postId)).toEqual(['A rook on an elm', '', 'Its own words'])
})

it("uses the file's if nobody was asked", async () => {
  const content = contentOn(app.parts)
  const assetId = await content.picture(home)
  await describeFile(assetId, 'A rook')
  const { rows } = await app.database.owner.query<{ id: string }>(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, schedule, zone, shown_at, created_at, updated_at)
     select org_id, gen_random_uuid(), project_id, channel_id, author_id, 'DRAFTS', post_type, $1, schedule, zone, shown_at, created_at, updated_at from post limit 1 returning id`,
    [JSON.stringify([{ text: 'x', media: [{ assetId }] }])],
  )
  expect(await outgoing(rows[0]?.id ?? '')).toEqual(['A rook'])
})
