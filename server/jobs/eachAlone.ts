import type { JobContext } from './job.ts'

/**
 * Does the work for each, one after the other, until a shutdown: in a transaction of its own, because they're of many
 * organizations. One that fails stops none of the others: it's logged with what names it, and is done by the next run.
 * Returns those that failed; without a log, throws what they threw, after all others are done.
 */
export async function eachAlone<T>(
  { log, signal }: Partial<Pick<JobContext, 'log' | 'signal'>>,
  all: Iterable<T>,
  { name, failed: message }: { name: (one: T) => object; failed: string },
  work: (one: T) => Promise<unknown>,
): Promise<T[]> {
  const failed: T[] = []
  const errors: unknown[] = []
  for (const one of all) {
    if (signal?.aborted) break
    try {
      await work(one)
    } catch (error) {
      failed.push(one)
      errors.push(error)
      log?.error({ err: error, ...name(one) }, message)
    }
  }
  if (!log && errors.length > 0) throw new AggregateError(errors, message)
  return failed
}
