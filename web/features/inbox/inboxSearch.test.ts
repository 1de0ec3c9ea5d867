import { expect, it } from 'vitest'
import { listConversations } from '#contract/inbox/conversations.ts'
import { isFiltering, isWidened, noFilters, opening, queryOf, staysIn, type InboxFilters } from './inboxSearch.ts'
import { inboxViews } from './inboxViews.ts'

const id = '0190a000-0000-7000-8000-000000000001'
const everything: Required<{ [Name in keyof InboxFilters]: NonNullable<InboxFilters[Name]> }> = {
  channelIds: [id],
  platforms: ['bluesky'],
  kinds: ['comment'],
  status: ['CLOSED'],
  assignees: ['me', id],
  labels: [id],
  sentiments: ['unknown'],
  unread: 'yes',
  answered: 'no',
  about: id,
  from: '2026-11-20',
  to: '2026-11-23',
  q: 'opening hours',
}

it.each(inboxViews)('asks for the view %s with every filter in words that the server takes', (view) => {
  expect(listConversations.query.safeParse(queryOf(view, 'newest', everything, 'Europe/Berlin')).error).toBeUndefined()
})

it('counts a day from its first to its last moment in the zone', () => {
  expect(queryOf('all', 'oldest', { from: '2026-11-20', to: '2026-11-20' }, 'Europe/Berlin')).toEqual({
    sort: 'oldest',
    from: '2026-11-19T23:00:00.000Z',
    to: '2026-11-20T23:00:00.000Z',
  })
})

it('lets the view decide what it is about', () => {
  expect(queryOf('waiting', 'newest', { status: ['CLOSED'] }, 'UTC')).toEqual({
    sort: 'waiting',
    status: ['OPEN', 'FOLLOWUP'],
  })
})

it('searches conversations of any status, unless some are chosen', () => {
  expect(queryOf('open', 'newest', { q: 'plum' }, 'UTC')).toEqual({ sort: 'newest', q: 'plum' })
  expect(queryOf('mine', 'newest', { q: 'plum', status: ['CLOSED'] }, 'UTC')).toEqual({
    sort: 'newest',
    q: 'plum',
    assignee: ['me'],
    status: ['CLOSED'],
  })
  expect(isWidened('open', { q: 'plum' })).toBe(true)
  expect(isWidened('open', { q: 'plum', status: ['OPEN'] })).toBe(false)
  expect(isWidened('open', {})).toBe(false)
  expect(isWidened('all', { q: 'plum' })).toBe(false)
})

it.each([
  ['open', {}, []],
  ['waiting', {}, ['FOLLOWUP']],
  ['follow-up', {}, ['FOLLOWUP']],
  ['closed', {}, ['CLOSED']],
  ['not-sent', {}, ['FOLLOWUP', 'CLOSED']],
  ['all', {}, ['FOLLOWUP', 'CLOSED']],
  ['all', { status: ['OPEN'] }, []],
  ['open', { q: 'plum' }, ['FOLLOWUP', 'CLOSED']],
] as const)('knows what stays in %s with %j after it was closed or put off', (view, filters, stays) => {
  const kept = (['FOLLOWUP', 'CLOSED'] as const).filter((status) =>
    staysIn(
      view,
      { ...('status' in filters && { status: [...filters.status] }), ...('q' in filters && { q: filters.q }) },
      status,
    ),
  )
  expect(kept).toEqual(stays)
})

it('opens another conversation without the notes of the one before', () => {
  expect(opening('b')({ view: 'all', c: 'a', notes: 'open' })).toEqual({
    view: 'all',
    c: 'b',
    at: undefined,
    notes: undefined,
  })
})

it('knows whether anything is filtered', () => {
  expect(isFiltering(noFilters)).toBe(false)
  expect(isFiltering({ labels: [] })).toBe(false)
  expect(isFiltering({ unread: 'yes' })).toBe(true)
})
