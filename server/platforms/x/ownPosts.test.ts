import { expect, it } from 'vitest'
import { scriptedFetch } from '../../testing/scriptedFetch.ts'
import { createX } from './adapter.ts'

/* X's own timeline where the simulator has no such page. */

const { ownPosts } = createX()
const secret = { accessToken: 'token', refreshToken: 'again', userId: '7', clientId: 'app', scopes: ['tweet.read'] }
const account = { remoteId: '7', handle: '@rookery', service: null }
const run = (steps: Parameters<typeof scriptedFetch>[1]) => {
  const fetch = scriptedFetch('x', steps)
  return { fetch, reach: { fetch, signal: new AbortController().signal } }
}
const post = { id: '90', text: 'One', created_at: '2026-11-21T10:00:00.000Z', edit_history_tweet_ids: ['90'] }

it('goes on by its token after a page of nothing but replies, and then below an ID again', async () => {
  const { fetch, reach } = run([
    { json: { meta: { result_count: 0, next_token: 'abc' } } },
    { json: { data: [post], meta: { result_count: 1, next_token: 'def', newest_id: '90', oldest_id: '90' } } },
    { json: { meta: { result_count: 0 } } },
  ])
  const list = async (cursor: string | null) => {
    const page = await ownPosts?.list(reach, secret, account, { cursor })
    return page?.kind === 'posts' ? page : expect.fail(JSON.stringify(page))
  }
  const first = await list(null)
  const second = await list(first.next)
  const third = await list(second.next)
  expect([first, second, third].map(({ posts }) => posts.length)).toEqual([0, 1, 0])
  expect(third.next).toBeNull()
  const asked = fetch.asked.map(({ url }) => [
    url.searchParams.get('pagination_token'),
    url.searchParams.get('until_id'),
  ])
  expect(asked).toEqual([
    [null, null],
    ['abc', null],
    [null, '90'],
  ])
})

it('asks for no more posts than wanted, since each costs money, and leaves out the rest of threads', async () => {
  const data = [
    { ...post, id: '92', conversation_id: '80' },
    { ...post, id: '91', conversation_id: '85', edit_history_tweet_ids: ['85', '91'] },
    { ...post, conversation_id: '90' },
  ]
  const { fetch, reach } = run([{ json: { data, meta: { result_count: 3, oldest_id: '90' } } }])
  const page = await ownPosts?.list(reach, secret, account, { cursor: null, atMost: 3 })
  expect(page).toMatchObject({ kind: 'posts', posts: [{ remoteId: '91' }, { remoteId: '90' }], next: null })
  expect(fetch.asked[0]?.url.searchParams.get('max_results')).toBe('5')
  expect(fetch.asked[0]?.url.searchParams.get('expansions')).toBeNull()
})
