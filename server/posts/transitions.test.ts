import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postStates, transitions, type PostState } from '#contract/postStates.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let home: TestHome
let postId: string
beforeAll(async () => {
  app = await startApp()
  home = await app.signedInOwner()
  const channel = await contentOn(app.parts).channel(home, { handle: '@rook.example' })
  postId = await postsOn(app, app.database).post(home, channel)
})
afterAll(() => app.close())

const putState = (state: PostState) =>
  app.database.owner.query('update post set state = $2 where id = $1', [postId, state])
const change = (tx: Tx, state: PostState) =>
  sql`update post set state = ${state} where org_id = ${home.params.orgId} and id = ${postId}`.execute(tx)

const pairs = postStates.flatMap((was) =>
  postStates.filter((becomes) => becomes !== was).map((becomes) => ({ was, becomes })),
)

it('allows the changes of status that the contract lists, and no others', async () => {
  for (const { was, becomes } of pairs) {
    await putState(was)
    const written = await asSystem(app.parts.databases.system, (tx) => change(tx, becomes)).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ constraint: 'post_transition' })
        return false
      },
    )
    expect({ was, becomes, written }).toEqual({ was, becomes, written: transitions[was].includes(becomes) })
  }
})

it("refuses the same in a request's transaction", async () => {
  await putState('PUBLISHED')
  const refused = asTenant(app.parts.databases.web, home.params.orgId, (tx) => change(tx, 'DRAFTS'))
  await expect(refused).rejects.toMatchObject({ constraint: 'post_transition' })
  expect(await postsOn(app, app.database).row(postId)).toMatchObject({ state: 'PUBLISHED' })
})
