import type pg from 'pg'
import type { TestClock } from '../clock.ts'
import { until } from './until.ts'

/**
 * Advances the clock until the condition is true: from one due step of publishing to the next, and never while one is
 * due or in progress, so that a slow machine is never late, and a step that is tried again later gets its time. Each
 * step has the full deadline of until().
 */
export async function passesUntil(
  { owner, clock }: { owner: pg.Pool; clock: TestClock },
  isSo: () => Promise<boolean>,
  what?: string,
): Promise<void> {
  const asked = async () => {
    if (await isSo()) return 'so'
    const { rows } = await owner.query<{ busy: boolean; next: Date | null }>(`
      select exists (select from delivery where lease_id is not null)
          or exists (select from attempt a join delivery d on d.org_id = a.org_id and d.subject_id = a.subject_id and d.subject = a.subject and d.key = a.key and d.fence = a.fence where a.finished_at is null) as busy,
        min(wake_at) as next
      from lane`)
    const [lanes] = rows
    if (!lanes?.next || lanes.busy || lanes.next <= clock.now()) return undefined
    // a step may have finished between the first check and reading the lanes; from here on nothing moves
    if (await isSo()) return 'so'
    clock.set(lanes.next)
    return 'later'
  }
  while ((await until(asked, { what })) === 'later');
}
