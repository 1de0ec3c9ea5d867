import { describe, expect, it } from 'vitest'
import { BIO } from '#contract/linkInBio/limits.ts'
import type { BioItem, BioPage } from '#contract/linkInBio/pages.ts'
import { bioReducer, isEdited, startOf, type BioAction, type BioState } from './bioReducer.ts'
import { bodyItemsOf, differences, withSchemes, type BioPost } from './edited.ts'
import { problemsOf, refusedFields, valueAt } from './problems.ts'
import { slugOf } from './slugOf.ts'
import { standingOf, timesText } from './standing.ts'

const ZONE = 'Europe/Berlin'
const post = (id: string): BioPost => ({
  postId: id,
  platform: 'bluesky',
  excerpt: `Post ${id}`,
  publishedAt: '2026-11-20T09:00:00.000Z',
  permalink: null,
  pictureUrl: null,
})
const item = (number: number, more: Partial<BioItem> = {}): BioItem => ({
  number,
  kind: 'button',
  label: `Button ${number}`,
  url: `https://example.com/${number}`,
  hidden: false,
  starts: null,
  ends: null,
  zone: null,
  startsAt: null,
  endsAt: null,
  post: null,
  ...more,
})
const page = (items: BioItem[], more: Partial<BioPage> = {}): BioPage => ({
  pageId: '00000000-0000-4000-8000-000000000001',
  slug: 'harbor',
  address: 'https://rookery.example/b/harbor',
  name: 'Harbor',
  about: '',
  pictureAssetId: null,
  pictureUrl: null,
  theme: 'paper',
  live: true,
  noindex: false,
  blocked: null,
  editable: true,
  earlier: [],
  version: 1,
  items,
  ...more,
})
const after = (state: BioState, ...actions: BioAction[]) => actions.reduce(bioReducer, state)
const labels = ({ edited }: BioState) => edited.buttons.map(({ label }) => label)
const change = (key: string, label: string): BioAction => ({ type: 'itemChanged', key, part: { label } })

describe('the edited page', () => {
  const start = startOf(page([item(1), item(2), item(3)]), ZONE)

  it('names what is unsaved, and nothing once it is as before', () => {
    const edited = after(start, { type: 'changed', part: { name: 'Quay' } }, change('n2', 'Shop'))
    expect(differences(edited.base, edited.edited)).toEqual(['name', 'buttons'])
    const back = after(edited, change('n2', 'Button 2'), { type: 'changed', part: { name: 'Harbor' } })
    expect(isEdited(back)).toBe(false)
    expect(isEdited(after(edited, { type: 'discarded' }))).toBe(false)
  })

  it('sends items in their order, new ones without a number, and what was removed', () => {
    const { saved, edited } = after(
      start,
      { type: 'buttonAdded' },
      { type: 'itemMoved', list: 'buttons', from: 3, to: 0 },
      { type: 'itemRemoved', key: 'n2' },
      { type: 'postsAdded', posts: [{ post: post('p1'), url: 'https://example.com/p1' }] },
    )
    const body = bodyItemsOf(saved, edited)
    expect(body.items.map(({ number, kind, postId }) => [number, kind, postId])).toEqual([
      [undefined, 'button', null],
      [1, 'button', null],
      [3, 'button', null],
      [undefined, 'post', 'p1'],
    ])
    expect(body.removed).toEqual([2])
  })

  it('leaves a post alone that this person may not see', () => {
    const { saved, edited } = startOf(
      page([item(1, { kind: 'post' }), item(2, { kind: 'post', post: post('p2') })]),
      ZONE,
    )
    const { items, removed } = bodyItemsOf(saved, edited)
    expect([items.map(({ number }) => number), removed]).toEqual([[2], []])
    expect(refusedFields({ 'items.0.url': ['No'] }, edited).problems.get('n2.url')).toBe('No')
  })

  it('puts https:// before links without a scheme', () => {
    const { edited } = startOf(page([item(1, { url: 'shop.example/a' }), item(2, { url: 'mailto:a@b.example' })]), ZONE)
    expect(withSchemes(edited).buttons.map(({ url }) => url)).toEqual(['https://shop.example/a', 'mailto:a@b.example'])
  })

  it('restores a removed item in its place', () => {
    const [, second] = start.edited.buttons
    if (!second) throw new Error('no second button')
    const removed = after(start, { type: 'itemRemoved', key: 'n2' })
    const restored = after(removed, { type: 'itemRestored', item: second, at: 1 })
    expect(labels(restored)).toEqual(['Button 1', 'Button 2', 'Button 3'])
    expect(isEdited(restored)).toBe(false)
    expect(after(restored, { type: 'itemRestored', item: second, at: 1 })).toBe(restored)
  })

  it('takes no button beyond the limit, no post twice, and no more posts than there may be', () => {
    const full = startOf(page(Array.from({ length: BIO.buttons }, (_, i) => item(i + 1))), ZONE)
    expect(after(full, { type: 'buttonAdded' })).toBe(full)
    const posts = Array.from({ length: BIO.posts + 2 }, (_, i) => ({ post: post(`p${i}`), url: 'https://example.com' }))
    const added = after(start, { type: 'postsAdded', posts: posts.slice(0, 2) }, { type: 'postsAdded', posts })
    expect(added.edited.posts).toHaveLength(BIO.posts)
    expect(new Set(added.edited.posts.map((one) => one.post?.postId)).size).toBe(BIO.posts)
    expect(new Set(added.edited.posts.map(({ key }) => key)).size).toBe(BIO.posts)
  })

  it('gives new items their numbers once they are saved, keeps their keys, and what was typed meanwhile', () => {
    const typed = after(start, { type: 'buttonAdded' }, change('new-0', 'Shop'), {
      type: 'itemMoved',
      list: 'buttons',
      from: 3,
      to: 1,
    })
    const stored = page([item(1), item(4, { label: 'Shop', url: '' }), item(2), item(3)], { version: 2 })
    const later = after(typed, change('n3', 'Typed since'), { type: 'saved', page: stored, sent: typed.edited })
    expect(later.edited.buttons.map(({ key, number }) => [key, number])).toEqual([
      ['n1', 1],
      ['new-0', 4],
      ['n2', 2],
      ['n3', 3],
    ])
    expect(differences(later.base, later.edited)).toEqual(['buttons'])
    expect(labels(later)).toContain('Typed since')
    expect(isEdited(after(typed, { type: 'saved', page: stored, sent: typed.edited }))).toBe(false)
  })

  it('follows the server where nothing is edited, and not a read that began before the save', () => {
    const newer = page([item(2)], { version: 3, name: 'Quay' })
    const followed = after(start, { type: 'read', page: newer })
    expect(followed.edited.name).toBe('Quay')
    expect(after(followed, { type: 'read', page: page([item(1)], { version: 2 }) })).toBe(followed)
  })

  it('shows a post that was added elsewhere next to what is edited', () => {
    const edited = after(start, change('n1', 'Mine'))
    const added = page([item(1), item(2), item(3), item(4, { kind: 'post', post: post('p1') })])
    const both = after(edited, { type: 'read', page: added })
    expect(labels(both)).toEqual(['Mine', 'Button 2', 'Button 3'])
    expect(both.edited.posts).toHaveLength(1)
    expect(differences(both.base, both.edited)).toEqual(['buttons'])
  })
})

describe('a page saved elsewhere meanwhile', () => {
  const start = startOf(page([item(1), item(2), item(3)]), ZONE)
  const theirs = page([item(3), item(1, { label: 'Theirs 1' }), item(5, { label: 'Added there' })], {
    version: 2,
    name: 'Quay',
    about: 'By the water',
  })
  const mine = after(
    start,
    { type: 'changed', part: { name: 'Mine' } },
    change('n2', 'Mine 2'),
    { type: 'buttonAdded' },
    change('new-0', 'Added here'),
    { type: 'read', page: theirs },
  )

  it('waits for a choice', () => {
    expect(mine.newer).toBe(theirs)
    expect(mine.edited.name).toBe('Mine')
  })

  it('keeps what was typed here on top of it, also in an item that was removed there', () => {
    const kept = after(mine, { type: 'mineKept' })
    expect(kept.newer).toBeUndefined()
    expect(kept.saved.version).toBe(2)
    expect([kept.edited.name, kept.edited.about]).toEqual(['Mine', 'By the water'])
    expect(labels(kept).toSorted()).toEqual(['Added here', 'Added there', 'Button 3', 'Mine 2', 'Theirs 1'])
    expect(labels(kept).indexOf('Button 3')).toBeLessThan(labels(kept).indexOf('Theirs 1'))
    const { items, removed } = bodyItemsOf(kept.saved, kept.edited)
    expect(removed).toEqual([])
    expect(items.find(({ label }) => label === 'Mine 2')?.number).toBeUndefined()
  })

  it('is taken as it is', () => {
    const taken = after(mine, { type: 'theirsTaken' })
    expect(labels(taken)).toEqual(['Button 3', 'Theirs 1', 'Added there'])
    expect(isEdited(taken)).toBe(false)
  })

  it('keeps the order of who changed it, and no post twice', () => {
    const sorted = after(start, { type: 'itemMoved', list: 'buttons', from: 2, to: 0 })
    const added = page([item(1), item(2), item(3), item(4, { label: 'New' })], { version: 2 })
    expect(labels(after(sorted, { type: 'read', page: added }, { type: 'mineKept' }))).toEqual([
      'Button 3',
      'New',
      'Button 1',
      'Button 2',
    ])
    const withPost = after(start, { type: 'postsAdded', posts: [{ post: post('p1'), url: 'https://example.com/a' }] })
    const same = page([item(1), item(2), item(3), item(4, { kind: 'post', post: post('p1') })], { version: 2 })
    expect(after(withPost, { type: 'read', page: same }, { type: 'mineKept' }).edited.posts).toHaveLength(1)
  })
})

describe('problems', () => {
  const of = (more: Partial<BioItem>, about: Partial<BioPage> = {}) =>
    Object.fromEntries(problemsOf(startOf(page([item(1, more)], about), ZONE).edited))

  it('names each field that the server would refuse', () => {
    expect(of({})).toEqual({})
    expect(of({ label: ' ' }, { name: '' })).toEqual({ name: 'A name is required', 'n1.label': 'A text is required' })
    expect(of({ url: 'javascript:alert(1)' })).toEqual({
      'n1.url': 'A link starts with https://, http://, mailto: or tel:',
    })
    expect(of({ url: '' })).toEqual({ 'n1.url': 'A link is required' })
    expect(of({ label: 'x'.repeat(81) }, { about: 'x'.repeat(301), name: 'x'.repeat(61) })).toEqual({
      name: 'This name is too long',
      about: 'This text is too long',
      'n1.label': 'Use at most 80 characters',
    })
  })

  it('refuses an end that is not after the start, in the zone of both', () => {
    const at = (time: string) => ({ date: '2026-10-25', time })
    expect(of({ starts: at('09:00'), ends: at('09:00'), zone: ZONE })).toEqual({
      'n1.ends': 'The end is before the start',
    })
    expect(of({ starts: at('01:30'), ends: at('03:00'), zone: ZONE })).toEqual({})
  })

  it("puts the server's messages at the fields of what was sent", () => {
    const { edited } = startOf(page([item(1), item(2)]), ZONE)
    const { problems, others } = refusedFields(
      { 'items.1.url': ['No'], name: ['Long'], pictureAssetId: ['Gone'], version: ['Old'] },
      edited,
    )
    expect(Object.fromEntries(problems)).toEqual({ 'n2.url': 'No', name: 'Long', picture: 'Gone' })
    expect(others).toEqual(['Old'])
    // until the field is changed
    const changed = after(startOf(page([item(1), item(2)]), ZONE), change('n2', 'New')).edited
    expect(valueAt(changed, 'n2.url')).not.toBe(valueAt(edited, 'n2.url'))
    expect(valueAt(changed, 'n1.url')).toBe(valueAt(edited, 'n1.url'))
  })
})

describe('when an item is shown', () => {
  const now = new Date('2026-12-03T08:00:00Z')
  const at = (time: string) => ({ date: '2026-12-03', time })
  const timed = (starts: string | null, ends: string | null, hidden = false) => ({
    hidden,
    starts: starts === null ? null : at(starts),
    ends: ends === null ? null : at(ends),
    zone: ZONE,
  })

  it('is from its start until its end, unless it is hidden', () => {
    expect(standingOf(timed(null, null), now)).toBe('shown')
    expect(standingOf(timed('09:00', null), now)).toBe('shown')
    expect(standingOf(timed('09:01', null), now)).toBe('waiting')
    expect(standingOf(timed(null, '09:00'), now)).toBe('ended')
    expect(standingOf(timed(null, '09:01'), now)).toBe('shown')
    expect(standingOf(timed(null, null, true), now)).toBe('hidden')
  })

  it('is said in words', () => {
    expect(timesText(timed(null, null), now)).toBeUndefined()
    expect(timesText(timed('08:00', null), now)).toBeUndefined()
    expect(timesText(timed('10:00', '11:00'), now)).toBe('Starts Thu 03 Dec, 10:00 AM')
    expect(timesText(timed('08:00', '11:00'), now)).toBe('Until Thu 03 Dec, 11:00 AM')
    expect(timesText(timed('07:00', '08:30'), now)).toBe('Ended Thu 03 Dec, 08:30 AM')
  })
})

it('suggests an address from a name, and none that would be refused', () => {
  expect(slugOf('Café Müller & Söhne')).toBe('cafe-muller-sohne')
  expect(slugOf("Ada's Bakery")).toBe('adas-bakery')
  expect(slugOf('Shop')).toBe('shop-links')
  expect(slugOf('A')).toBe('a-links')
  expect(slugOf('珈琲')).toBe('')
  expect(slugOf('An extraordinarily long name of a project')).toBe('an-extraordinarily-long-name-o')
})
