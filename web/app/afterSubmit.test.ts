import { describe, expect, it } from 'vitest'
import { noteOrigin, originOfComposer, placeAfterSubmit, sideOfToast } from './afterSubmit.ts'

const project = '/org/project/one'
const planned = { day: '2026-12-24', status: 'SCHEDULED', isWaiting: false } as const
const waiting = { day: '2026-11-29', status: 'NEEDS_APPROVAL', isWaiting: true } as const

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

  it("a list that the post isn't in, such as Drafts, gives way to where it is", () => {
    const lists = (result: typeof planned | typeof waiting | { day: string; status: 'PUBLISHED'; isWaiting: false }) =>
      Object.fromEntries(
        ['posts', 'draft', 'scheduled', 'published', 'failed', 'rejected', 'sent-for-approvals'].map((tab) => [
          tab,
          placeAfterSubmit(`${project}/posts/${tab}?q=rye`, project, result).slice(project.length + 1),
        ]),
      )
    const calendar = 'calendar?date=2026-12-24'
    expect(lists(planned)).toEqual({
      posts: 'posts/posts?q=rye',
      draft: calendar,
      scheduled: 'posts/scheduled?q=rye',
      published: calendar,
      failed: calendar,
      rejected: calendar,
      'sent-for-approvals': calendar,
    })
    expect(lists(waiting)).toMatchObject({
      posts: 'posts/posts?q=rye',
      draft: 'posts/sent-for-approvals',
      'sent-for-approvals': 'posts/sent-for-approvals?q=rye',
    })
    // the text of a published post was changed
    expect(lists({ ...planned, status: 'PUBLISHED' })).toMatchObject({
      published: 'posts/published?q=rye',
      scheduled: calendar,
    })
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
