import { describe, expect, it } from 'vitest'
import { testClock } from '../clock.ts'
import { notFound } from './refused.ts'
import type { StepContext } from './stepContext.ts'

const NOW = new Date('2026-03-01T10:00:00Z')

/** What the second look at a lost post needs, with a journal that answers or fails. */
const context = (query: () => Promise<unknown>) =>
  // notFound() reads nothing else of it
  ({
    pool: { query },
    claimed: {
      subject: 'post',
      subject_id: 'post',
      org_id: 'org',
      key: '',
      step: 'reconcile',
      tries: 1,
      failure: null,
    },
    subject: { unresolved: () => null },
    operations: { sendIsRepeatable: true },
    clock: testClock(NOW),
    options: { backoff: 1000, absenceGap: 60_000, random: () => 0.5 },
    log: { error: () => {} },
  }) as unknown as StepContext

describe('a post that was looked for and is not there', () => {
  it('is sent again, unless the platform refused it as a repeat: then a person looks', async () => {
    const journal = (outcome: string) => context(async () => ({ rows: [{ outcome }] }))
    expect(await notFound(journal('unknown'))).toMatchObject({ kind: 'absent', step: 'send' })
    expect(await notFound(journal('repeat'))).toMatchObject({ kind: 'unresolved', step: null })
  })

  it('is looked for once more, and left to nobody, while the database is away', async () => {
    const away = context(() => Promise.reject(new Error('Connection terminated unexpectedly')))
    expect(await notFound(away)).toMatchObject({ kind: 'unresolved-yet', step: 'reconcile' })
  })
})
