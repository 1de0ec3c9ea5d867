import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { myPermissions } from '#contract/organizations.ts'
import { listPosts, type PostChanges, type PostList } from '#contract/postLists.ts'
import { keptPosts, type HeldPosts } from './keptPosts.ts'
import type { MyPermissions } from './permissions.ts'
import { readPosts } from './postLists.ts'
import { callOptions, keyOf } from './queries.ts'

const ids = { orgId: '01a20000-0000-7000-8000-000000000001', projectId: '01a20000-0000-7000-8000-000000000002' }
const query = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', view: 'month' as const }
type PostItem = PostList['posts'][number]
const idOf = (n: number) => `01a20000-0000-7000-8000-1000000000${n}`
const item = (n: number, day: number, more: Partial<PostItem> = {}): PostItem => ({
  postId: idOf(n),
  status: 'SCHEDULED',
  at: `2026-11-${day}T10:00:00Z`,
  excerpt: `Post ${n}`,
  ...more,
})
const names = { channels: [], people: [], labels: [], campaigns: [], timezone: 'UTC' }
const revision = (n: number) => `${n}.00000000.1.aaaaaaaaaaaa`
const list = (n: number, posts: PostItem[]): PostList => ({
  ...names,
  posts,
  revision: revision(n),
  truncated: false,
  pagination: { currentPage: 1, totalPages: 1, totalCount: posts.length },
})
const changes = (n: number, more: Partial<PostChanges>): PostChanges => ({
  ...names,
  posts: [],
  gone: [],
  reset: false,
  revision: revision(n),
  ...more,
})

const mine: MyPermissions = {
  isOrgAdmin: true,
  roleId: null,
  roleName: 'Admin',
  publishing: 'full',
  channelIds: null,
  viewOnlyByPlan: null,
  organization: {},
  project: {},
  channel: {},
  rights: 'aaaaaaaaaaaa',
}

let answers: (() => Response)[]
let asked: { url: URL; tag: string | null }[]
const client = new QueryClient()
beforeEach(() => {
  answers = []
  asked = []
  client.clear()
  client.setQueryData(callOptions(myPermissions, { params: ids }).queryKey, mine)
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url: new URL(url, 'http://x'), tag: new Headers(init.headers).get('if-none-match') })
    const next = answers.shift()
    if (!next) throw new Error(`nothing answers ${url}`)
    return next()
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Reads as the hook does, and leaves the answer in the cache. */
async function read(input: CallOf<typeof listPosts> = { params: ids, query }): Promise<HeldPosts> {
  const held = await readPosts(client, listPosts, input)
  client.setQueryData(keyOf(listPosts, input), held)
  return held
}
const json = (body: unknown, etag?: string) => () => Response.json(body, etag ? { headers: { etag } } : {})
const texts = ({ posts }: HeldPosts) => posts.map(({ excerpt }) => excerpt)

describe('a range of posts', () => {
  it('is read whole once, and from then on only what changed since its revision', async () => {
    answers = [
      json(list(1, [item(11, 10), item(12, 11), item(13, 12)]), 'W/"a"'),
      json(
        changes(2, { posts: [item(11, 20, { excerpt: 'Moved' }), item(14, 11, { excerpt: 'New' })], gone: [idOf(12)] }),
      ),
      json(changes(3, {})),
    ]
    await read()
    const second = await read()
    expect(texts(second)).toEqual(['New', 'Post 13', 'Moved'])
    expect(second.pagination.totalCount).toBe(3)
    const third = await read()
    expect(third.posts).toEqual(second.posts)
    expect(asked.map(({ url }) => [url.pathname.split('/').at(-1), url.searchParams.get('since')])).toEqual([
      ['post', null],
      ['changes', revision(1)],
      ['changes', revision(2)],
    ])
    expect(asked[1]?.url.searchParams.get('view')).toBe('month')
  })

  it('is read whole again after a reset, and nothing that was held stays', async () => {
    answers = [
      json(list(1, [item(11, 10), item(12, 11)])),
      json(changes(1, { reset: true })),
      json(list(5, [item(13, 12)])),
    ]
    await read()
    expect(texts(await read())).toEqual(['Post 13'])
  })

  it('keeps a change that was shown while the answer was on its way', async () => {
    answers = [
      json(list(1, [item(11, 10), item(12, 11)])),
      () => {
        client.setQueryData<HeldPosts>(
          keyOf(listPosts, { params: ids, query }),
          (held) => held && { ...held, posts: held.posts.map((post) => ({ ...post, status: 'PROCESSING' })) },
        )
        return Response.json(changes(2, { posts: [item(12, 11)] }))
      },
    ]
    await read()
    expect((await read()).posts.map(({ status }) => status)).toEqual(['PROCESSING', 'SCHEDULED'])
  })

  it('is read whole where it was cut', async () => {
    answers = [json({ ...list(1, [item(11, 10)]), truncated: true }), json(list(2, [item(11, 10)]))]
    await read()
    expect((await read()).truncated).toBe(false)
  })
})

it("requests a page of posts with its ETag, and keeps it while it's unchanged", async () => {
  const page = { params: ids, query: { ...query, view: 'pages' as const } }
  answers = [
    json(list(1, [item(11, 10)]), 'W/"a"'),
    () => new Response(null, { status: 304, headers: { etag: 'W/"b"' } }),
    json(list(3, [item(12, 10)]), 'W/"c"'),
  ]
  const readPage = async () => {
    const held = await readPosts(client, listPosts, page)
    client.setQueryData(keyOf(listPosts, page), held)
    return held
  }
  const first = await readPage()
  expect((await readPage()).posts).toEqual(first.posts)
  expect(texts(await readPage())).toEqual(['Post 12'])
  expect(asked.map(({ tag }) => tag)).toEqual([null, 'W/"a"', 'W/"b"'])
})

describe('a range that this browser kept', () => {
  const key = keyOf(listPosts, { params: ids, query })
  const shown = () => client.getQueryData<HeldPosts>(key)?.posts.map(({ excerpt }) => excerpt)

  it('is shown before the server answers, and then with what changed', async () => {
    answers = [json(list(1, [item(11, 10), item(12, 11)]))]
    const kept = await read()
    client.removeQueries({ queryKey: key })
    const reading = vi.spyOn(keptPosts, 'read').mockResolvedValue(kept)
    const saving = vi.spyOn(keptPosts, 'save')
    let before: string[] | undefined
    answers = [
      () => {
        before = shown()
        return Response.json(changes(2, { posts: [item(12, 11, { excerpt: 'Changed' })] }))
      },
    ]
    const after = await read()
    expect(before).toEqual(['Post 11', 'Post 12'])
    expect(texts(after)).toEqual(['Post 11', 'Changed'])
    expect(asked[1]?.url.searchParams.get('since')).toBe(revision(1))
    expect(reading).toHaveBeenCalledWith(JSON.stringify(key), mine.rights)
    expect(saving).toHaveBeenCalledWith(JSON.stringify(key), ids.projectId, after)
  })

  it("isn't asked for where what the person may see is unknown", async () => {
    client.removeQueries({ queryKey: [myPermissions.path] })
    const reading = vi.spyOn(keptPosts, 'read')
    answers = [json(list(1, [item(11, 10)]))]
    expect(texts(await read())).toEqual(['Post 11'])
    expect(reading).not.toHaveBeenCalled()
  })

  it("isn't kept where someone searched", async () => {
    const saving = vi.spyOn(keptPosts, 'save')
    answers = [json(list(1, [item(11, 10)]))]
    await read({ params: ids, query: { ...query, q: 'secret' } })
    expect(saving).not.toHaveBeenCalled()
  })
})
