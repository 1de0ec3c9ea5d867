import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asSystem } from '../db/system.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { isVisibleTo, visibleTo } from './visiblePosts.ts'

const id = (n: number) => `01920000-0000-7000-8000-00000000000${n}`
const [one, other, me, stranger] = [id(1), id(2), id(3), id(4)]

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('decides alike for a query and for a post at hand', async () => {
  const callers = [null, [], [one], [one, other]].flatMap((channelIds) =>
    [{ post: ['view'] }, { channel: ['view'] }].map((permissions) => ({
      project: { channelIds, permissions },
      caller: { personId: me },
    })),
  )
  const posts = [null, one, other].flatMap((channel_id) =>
    [null, me, stranger].map((author_id) => ({ channel_id, author_id })),
  )
  for (const caller of callers)
    for (const post of posts) {
      const { rows } = await asSystem(app.parts.databases.system, (tx) =>
        sql<{ visible: boolean | null }>`
          select ${visibleTo(caller)} as visible
          from (select ${post.channel_id}::uuid as channel_id, ${post.author_id}::uuid as author_id) p`.execute(tx),
      )
      expect({ caller, post, visible: rows[0]?.visible ?? false }).toEqual({
        caller,
        post,
        visible: isVisibleTo(caller, post),
      })
    }
})
