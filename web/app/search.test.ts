import { expect, test } from 'vitest'
import { CalendarSearch, ComposeSearch, OAuthSearch, readSearch, VerifySearch, writeSearch } from './search.ts'

const id = '0190a000-0000-7000-8000-000000000001'

test('an address is readable and comes back as it was', () => {
  const search = {
    view: 'week',
    date: '2026-11-20',
    status: ['FAILED', 'SCHEDULED'],
    channelIds: [id],
    post: undefined,
  }
  const written = writeSearch(search)
  expect(written).toBe(`?view=week&date=2026-11-20&status=FAILED,SCHEDULED&channelIds=${id}`)
  expect(CalendarSearch.parse(readSearch(written))).toEqual({
    view: 'week',
    date: '2026-11-20',
    status: ['FAILED', 'SCHEDULED'],
    channelIds: [id],
  })
})

test('nonsense in an address is dropped', () => {
  expect(CalendarSearch.parse(readSearch('?view=year&date=2026-02-30&status=LOST&channelIds=x'))).toEqual({})
  expect(ComposeSearch.parse({ time: '25:00', draft: 'x' })).toEqual({})
})

test('nothing is guessed to be a number', () => {
  expect(VerifySearch.parse(readSearch('?email=007'))).toEqual({ email: '007' })
})

test('special characters survive', () => {
  const search = { redirect: '/a/project/b/calendar?view=week&status=A,B', email: 'a+b@c.example' }
  expect(readSearch(writeSearch(search))).toEqual(search)
})

test('keeps every parameter that a platform sends a browser back with', () => {
  expect(OAuthSearch.parse({ state: 's', error_reason: 'user_denied', error_message: 'No' })).toEqual({
    state: 's',
    error_reason: 'user_denied',
    error_message: 'No',
  })
})
