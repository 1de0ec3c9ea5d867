import { expect, it } from 'vitest'
import { ApiFailure } from '#web/lib/failure.ts'
import { sortRefusal } from './serverErrors.ts'

const channels = ['a', 'b']

it('shows each message at its channel', () => {
  const failure = new ApiFailure({
    code: 'POST_REFUSED',
    status: 422,
    title: 'x',
    detail: "This post can't be published yet. Check each channel for errors.",
    errors: { 'channels.1.contents.0.text': ['too long'], 'channels.1.channelId': ['disabled'] },
  })
  expect(sortRefusal(failure, channels)).toEqual({
    byChannel: { b: ['too long', 'disabled'] },
    schedule: undefined,
    workflow: undefined,
    cap: undefined,
    other: undefined,
  })
})

it('shows a passed time at the time, and a full channel in place of the scheduler', () => {
  expect(
    sortRefusal(
      new ApiFailure({
        code: 'TIME_PASSED',
        status: 422,
        title: 'x',
        detail: 'd',
        errors: { schedule: ['This time has passed. Choose a later one.'] },
      }),
      channels,
    ).schedule,
  ).toBe('This time has passed. Choose a later one.')
  const cap = sortRefusal(
    new ApiFailure({
      code: 'SCHEDULE_CAP',
      status: 422,
      title: 'x',
      detail: 'd',
      errors: { 'channels.0.channelId': ['full'] },
      meta: { limit: 10, channels: [{ channelId: 'a', channelName: 'A', handle: '@a' }] },
    }),
    channels,
  )
  expect(cap).toMatchObject({ cap: { limit: 10, channelIds: ['a'] }, byChannel: {}, other: undefined })
})

it('shows problems with a recurrence or workflow there', () => {
  const bad = (errors: Record<string, string[]>) =>
    sortRefusal(new ApiFailure({ code: 'BAD_INPUT', status: 422, title: 'x', detail: 'd', errors }), channels)
  expect(bad({ 'schedule.details.utcEndDate': ['too long'] })).toMatchObject({
    schedule: 'too long',
    byChannel: {},
    other: undefined,
  })
  expect(bad({ 'channels.1.schedule.details.utc': ['twice'] })).toMatchObject({ schedule: 'twice', byChannel: {} })
  expect(bad({ workflowId: ['Please select a workflow before sending for approval.'] })).toMatchObject({
    workflow: 'Please select a workflow before sending for approval.',
    other: undefined,
  })
  expect(bad({ 'labels.0': ['This label is archived.'] }).other).toBe('This label is archived.')
})

it('keeps what has no field', () => {
  expect(
    sortRefusal(new ApiFailure({ code: 'NOT_FOUND', status: 404, title: 'x', detail: 'gone' }), channels).other,
  ).toBe('gone')
})
