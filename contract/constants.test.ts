import { describe, expect, it } from 'vitest'
import * as constants from './constants.ts'

// Exactly as in section 9 of the specification's three documents: a change here changes the product.
describe('the business constants of the specification', () => {
  it('cache lifetimes and retries', () => {
    expect(constants.STALE_TIME).toEqual({ default: 600_000, projects: 300_000 })
    expect(constants.QUERY_RETRIES).toBe(1)
  })
  it('toasts: 3 s success, 5 s error and warning, 25rem, 0.3 s; with an action 10 s', () => {
    expect(constants.TOAST).toEqual({
      success: 3000,
      error: 5000,
      warning: 5000,
      withAction: 10_000,
      width: '25rem',
      animation: 300,
    })
    expect(constants.UNDO_FOR).toBe(10_000)
  })
  it('pages start at 1; transactions come by 10; a range lists at most 2,000', () => {
    expect(constants.FIRST_PAGE).toBe(1)
    expect(constants.PAGE_SIZE).toEqual({ default: 20, transactions: 10, rangeMost: 2000 })
  })
  it('a chips list shows 2 items', () => expect(constants.CHIPS_SHOWN).toBe(2))
  it('the month grid covers 35 days from Sunday, the draft list the last 7', () => {
    expect(constants.CALENDAR).toEqual({ days: 35, weekStartsOn: 0, draftsListDays: 7 })
  })
  it('accounts, organizations and projects', () => {
    expect(constants.ACCOUNT).toEqual({
      password: { min: 8, max: 32 },
      email: 64,
      firstName: { min: 3, max: 50 },
      lastName: { min: 1, max: 50 },
    })
    expect(constants.ORGANIZATION).toEqual({
      name: { min: 3, max: 30 },
      defaultName: 'My Workspace',
      individualSize: '1',
    })
    expect(constants.PROJECT).toEqual({ name: { min: 3, max: 30 }, description: 250 })
    expect(constants.TEAM_SIZES).toEqual([
      '2-10',
      '11-50',
      '51-100',
      '101-200',
      '201-500',
      '501-1,000',
      '1,000-5,000',
      '5,000-10,000',
      '10,000+',
    ])
    expect(constants.TRIAL_DAYS).toBe(14)
  })
  it('codes: 6 digits, 15 minutes, 5 attempts, one a minute, 5 an hour', () => {
    expect(constants.CODE).toEqual({ digits: 6, minutes: 15, attempts: 5, perMinute: 1, perHour: 5 })
  })
  it('scheduling', () => {
    expect(constants.SCHEDULE).toEqual({
      weeklyDays: { min: 7, max: 60 },
      monthlyDays: { min: 28, max: 90 },
      customEntries: 25,
      cap: { limited: 10, paid: 300 },
      nextSlotMinutes: 30,
      pastMinutes: 60,
      latenessMinutes: 60,
    })
    expect(constants.HASHTAG_GROUP_MOST).toBe(30)
    expect(constants.LABEL_COLORS).toEqual([
      'purple',
      'pink',
      'red',
      'orange',
      'yellow',
      'green',
      'cyan',
      'dark-blue',
      'black',
      'blue',
    ])
  })
  it('media', () => {
    expect(constants.MEDIA_FALLBACK).toEqual({ images: 4, videos: 1, imageBytes: 8_000_000, videoBytes: 100_000_000 })
    expect(constants.MEDIA_BEFORE_CHANNEL).toEqual({ imageBytes: 5_000_000, videoBytes: 500_000_000 })
    expect(constants.TEXT_LIMIT_DEFAULT).toBe(60_000)
  })
  it('AI posts are asked for again after 1, 2, 4, 8 and 16 s', () => {
    expect(constants.AI_RETRY_DELAYS).toEqual([1000, 2000, 4000, 8000, 16_000])
    expect(constants.AI_RETRY_CAP).toBe(45_000)
  })
})
