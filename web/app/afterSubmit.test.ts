import { describe, expect, it } from 'vitest'
import { noteOrigin, originOfComposer, placeAfterSubmit, sideOfToast } from './afterSubmit.ts'

const project = '/org/project/one'
const planned = { day: '2026-12-24', isWaiting: false }
const waiting = { day: '2026-11-29', isWaiting: true }

describe('after a submit', () => {
  it('people return to where they came from, with their filters and without an open post', () => {
    expect(placeAfterSubmit(`${project}/posts/scheduled?q=rye&post=1&panel=notes`, project, planned)).toBe(
      `${project}/posts/scheduled?q=rye`,
    )
    expect(placeAfterSubmit(`${project}/dashboard`, project, planned)).toBe(`${project}/dashboard`)
    expect(placeAfterSubmit(`${project}/post/1?panel=activity`, project, planned)).toBe(`${project}/post/1`)
  })

  it("the calendar that they came from shows the post's day in the same view", () => {
    expect(placeAfterSubmit(`${project}/calendar?view=week&date=2026-12-01&post=1`, project, planned)).toBe(
      `${project}/calendar?view=week&date=2026-12-24`,
    )
  })

  it("otherwise the calendar opens at the post's day", () => {
    for (const from of [undefined, `${project}/inbox?c=1`, '/login', '/org/project/two/posts/posts'])
      expect(placeAfterSubmit(from, project, planned)).toBe(`${project}/calendar?date=2026-12-24`)
  })

  it('a post that waits without a time is shown among the waiting ones instead of an empty calendar', () => {
    for (const from of [undefined, `${project}/inbox`, `${project}/calendar?view=week`])
      expect(placeAfterSubmit(from, project, waiting)).toBe(`${project}/posts/sent-for-approvals`)
    expect(placeAfterSubmit(`${project}/dashboard`, project, waiting)).toBe(`${project}/dashboard`)
  })
})

it('the composer knows the page that it was opened from, also once its URL names the draft', () => {
  const compose = { pathname: `${project}/compose`, href: `${project}/compose` }
  noteOrigin({ toLocation: compose })
  expect(originOfComposer()).toBeUndefined()
  noteOrigin({
    fromLocation: { pathname: `${project}/calendar`, href: `${project}/calendar?view=week` },
    toLocation: compose,
  })
  noteOrigin({ fromLocation: compose, toLocation: compose })
  expect(originOfComposer()).toBe(`${project}/calendar?view=week`)
})

it("the message keeps away from the day's column", () => {
  expect(['2026-11-22', '2026-11-25', '2026-11-26', '2026-11-28', undefined].map(sideOfToast)).toEqual([
    'right',
    'right',
    'left',
    'left',
    'left',
  ])
})
