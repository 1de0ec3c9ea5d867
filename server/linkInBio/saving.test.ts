import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import * as contract from '#contract/linkInBio/pages.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let home: TestHome
let channel: string
let params: TestHome['params'] & { pageId: string }
beforeAll(async () => {
  app = await startApp({ env: { SHORT_URL: 'https://go.example', ALLOWED_HOSTS: 'inside.example' } })
})
afterAll(() => app.close())
let made = 0
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await contentOn(app.parts).channel(home)
  const body = { name: 'Rooks', slug: `saved-${++made}` }
  const { pageId } = await app.call(contract.createBioPage, { params: home.params, body }, { as: home.person })
  params = { ...home.params, pageId }
})

type Body = CallOf<typeof contract.saveBioPage>['body']
type Item = NonNullable<Body['items']>[number]
const send = (items: Item[], version = 1) =>
  app.send(
    contract.saveBioPage,
    { params, body: { version, name: 'Rooks', theme: 'paper', live: true, items } },
    { as: home.person },
  )
const save = async (items: Item[], version = 1) => contract.BioPage.parse((await send(items, version)).json())
const errorsOf = async (items: Item[]) => (await send(items)).json<{ errors?: object }>().errors
const item = (more: Partial<Item> = {}): Item => ({
  kind: 'button',
  label: 'Shop',
  url: 'https://shop.example/',
  zone: 'Europe/Berlin',
  ...more,
})
const tile = (postId: string, more: Partial<Item> = {}) => item({ kind: 'post', postId, ...more })
const elsewhere = () => figuresOn(app.database).elsewhere(home, channel, '2026-11-20T10:00:00Z')

describe('saving a page', () => {
  it('shows a post once that was put on the page meanwhile', async () => {
    const [first, second] = [await elsewhere(), await elsewhere()]
    const add = { params, body: { postId: first, url: 'https://a.example/' } }
    const { number } = await app.call(contract.addPostToBioPage, add, { as: home.person })
    // an editor that was open before
    const { items } = await save([tile(second), tile(first, { label: 'Mine' })])
    expect(items.map((one) => [one.number, one.label, one.post?.postId])).toEqual([
      [2, 'Shop', second],
      [number, 'Mine', first],
    ])
    expect(await errorsOf([])).toBeUndefined()
    const moved = await send([tile(first, { number: 2 })], 2)
    expect(moved.json()).toMatchObject({ errors: { 'items.0.postId': ['This post is on the page already'] } })
  })

  it("keeps a post's picture with its post", async () => {
    const [first, second] = [await elsewhere(), await elsewhere()]
    await save([tile(first)])
    const key = `${home.orgId}/${first}`
    const { owner } = app.database
    await owner.query('update bio_item set picture_key = $2 where page_id = $1', [params.pageId, key])
    const keys = async () =>
      (await owner.query('select picture_key from bio_item where page_id = $1', [params.pageId])).rows
    await save([tile(first, { number: 1, label: 'Same' })], 2)
    expect(await keys()).toEqual([{ picture_key: key }])
    await save([tile(second, { number: 1 })], 3)
    expect(await keys()).toEqual([{ picture_key: null }])
  })

  it('refuses links that lead on through any of our names', async () => {
    for (const url of [
      'https://go.example/s/abcdefgh',
      'http://inside.example/b/x/1',
      'http://rookery.test./s/abcdefgh',
    ])
      expect(await errorsOf([item({ url })]), url).toHaveProperty('items.0.url')
  })

  it('refuses days whose instants the database has no room for', async () => {
    const at = (date: string, zone: string) => errorsOf([item({ starts: { date, time: '00:00' }, zone })])
    expect(await at('0001-01-01', 'Pacific/Kiritimati')).toEqual({ 'items.0.starts.date': ['Use a year from 2000 on'] })
    expect(await at('9999-12-31', 'Pacific/Honolulu')).toEqual({ 'items.0.starts.date': ['Use a year before 2100'] })
  })
})
