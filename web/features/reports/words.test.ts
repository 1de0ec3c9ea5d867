import { describe, expect, it } from 'vitest'
import { linkTroubles } from '#contract/reports/links.ts'
import { mailStates, pauseReasons, recipientStates, runReasons, runStates } from '#contract/reports/schedules.ts'
import { deletionText } from './list/deletionText.ts'
import { nextSending } from './list/nextSending.ts'
import { expiryText, linkTroubleText, openedText } from './share/linkWords.ts'
import {
  mailStateWords,
  pauseText,
  recipientStateWords,
  runReasonText,
  runStateWords,
  shiftText,
  waitText,
  whenText,
} from './schedules/scheduleWords.ts'

const sentence = /^[A-Z].+\.$/
const WORDS = /^[A-Z][\w' ]+$/

describe('the words of schedules and links', () => {
  it('are there for every state of a recipient, a run and a mail', () => {
    for (const state of recipientStates) expect(recipientStateWords[state].word).toMatch(WORDS)
    for (const state of recipientStates) expect(recipientStateWords[state].means).toMatch(sentence)
    for (const state of runStates) expect(runStateWords[state].word).toMatch(WORDS)
    for (const state of mailStates) expect(mailStateWords[state].word).toMatch(WORDS)
  })

  it('say why something failed, is paused or shows nothing', () => {
    for (const reason of runReasons) expect(runReasonText[reason]).toMatch(sentence)
    for (const reason of linkTroubles) expect(linkTroubleText('Ada', reason)).toMatch(sentence)
    for (const reason of pauseReasons) expect(pauseText(reason, { name: 'Ada', isYou: false })).toMatch(sentence)
    expect(pauseText('owner', { name: 'Ada', isYou: true })).toContain('You')
  })

  it('say when a report is sent', () => {
    const at = { time: '09:00', timezone: 'Europe/Berlin' }
    expect(whenText({ frequency: 'weekly', day: 1, ...at })).toBe('Every Monday at 09:00 AM')
    expect(whenText({ frequency: 'weekly', day: 0, ...at })).toBe('Every Sunday at 09:00 AM')
    expect(whenText({ frequency: 'monthly', day: 1, ...at })).toBe('On the 1st of every month at 09:00 AM')
    expect(whenText({ frequency: 'monthly', day: 22, ...at })).toBe('On the 22nd of every month at 09:00 AM')
    expect(whenText({ frequency: 'monthly', day: 30, ...at })).toBe(
      'On the 30th of every month, or its last day, at 09:00 AM',
    )
    expect(whenText({ frequency: 'monthly', day: 31, ...at })).toBe('On the last day of every month at 09:00 AM')
  })

  it('say what a clock change does to the next sending', () => {
    const schedule = {
      when: { frequency: 'weekly', day: 0, time: '02:30', timezone: 'Europe/Berlin' },
      nextDueAt: '2027-03-28T01:30:00.000Z',
    } as const
    expect(shiftText({ ...schedule, shift: 'skipped' })).toBe(
      "Clocks move forward that day, so 02:30 AM doesn't exist. It's sent at 03:30 AM.",
    )
    expect(shiftText({ ...schedule, shift: 'double' })).toBe(
      "Clocks move back that day, so 02:30 AM happens twice. It's sent the first time.",
    )
    expect(shiftText({ ...schedule, shift: null })).toBeUndefined()
    expect([waitText(0), waitText(1), waitText(3)]).toEqual(["Don't wait", 'Up to 1 day', 'Up to 3 days'])
  })

  it('say how long a link works and whether it was opened', () => {
    const now = new Date('2026-11-30T12:00:00Z')
    expect(expiryText('2026-12-07T12:00:00.000Z', 'UTC')).toBe('Works until 07 Dec 2026, 12:00 PM')
    expect(openedText({ lastOpenedAt: null }, now, 'UTC')).toBe('Not opened yet')
    expect(openedText({ lastOpenedAt: '2026-11-30T11:55:00.000Z' }, now, 'UTC')).toBe('Last opened 5 min ago')
  })

  it('say what is deleted with a report, and when it is sent next', () => {
    const due = { nextDueAt: '2026-12-07T08:00:00.000Z', timezone: 'Europe/Berlin', paused: null }
    expect(deletionText({ reportName: 'November', links: 2, schedules: [due] })).toBe(
      'November is deleted for everyone, with 2 open links, which then lead nowhere, and 1 schedule with the files already sent. The figures stay.',
    )
    expect(deletionText({ reportName: 'November', links: 0, schedules: [] })).toBe(
      'November is deleted for everyone. The figures stay.',
    )
    const later = { ...due, nextDueAt: '2026-12-08T08:00:00.000Z' }
    expect(nextSending([later, due])).toMatchObject({ text: 'Mon 07 Dec 2026, 09:00 AM', zone: 'Europe/Berlin' })
    expect(nextSending([{ ...due, paused: 'plan' }])?.paused).toBe(true)
    expect(nextSending([])).toBeUndefined()
  })
})
