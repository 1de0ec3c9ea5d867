import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Log } from '../log.ts'

/** What a job runs with. It may run more than once: check what is there, and do what is still to be done. */
export type JobContext = {
  databases: Databases
  clock: Clock
  log: Log
  /** Fires at a shutdown. */ signal: AbortSignal
}

/** A job as the worker knows it. */
export type AnyJob = {
  name: string
  /** Minute, hour, day, month, weekday in UTC: also enqueued on schedule, with an empty payload. */
  every?: string
  /** Parses a stored payload and runs. */
  perform: (context: JobContext, stored: unknown) => Promise<void>
}

/** A job as its callers know it. */
export type Job<P> = AnyJob & { payload: z.ZodType<P> }

/** Declares a job. Its payload is data that survives a release, so it's parsed before it runs. */
export function defineJob<P>(job: {
  name: string
  every?: string
  payload: z.ZodType<P>
  run: (context: JobContext, payload: P) => Promise<void>
}): Job<P> {
  const { run, ...known } = job
  return { ...known, perform: async (context, stored) => await run(context, job.payload.parse(stored)) }
}
