import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Log } from '../log.ts'

/** What a job runs with. It may run more than once: look again at what is there, and do what is still to be done. */
export type JobContext = {
  databases: Databases
  clock: Clock
  log: Log
  /** Fires at a shutdown. */ signal: AbortSignal
}

/** A job as the worker knows it. */
export type AnyJob = {
  name: string
  /** Minute, hour, day, month, weekday in UTC: enqueued by the clock as well, with an empty payload. */
  every?: string
  /** Parses a stored payload and runs. */
  perform: (context: JobContext, stored: unknown) => Promise<void>
}

/** A job as whoever enqueues it knows it. */
export type Job<P> = AnyJob & { payload: z.ZodType<P> }

/** Declares a job. Its payload is data that outlives a release, so it is parsed before it runs. */
export function defineJob<P>(job: {
  name: string
  every?: string
  payload: z.ZodType<P>
  run: (context: JobContext, payload: P) => Promise<void>
}): Job<P> {
  const { run, ...known } = job
  return { ...known, perform: async (context, stored) => await run(context, job.payload.parse(stored)) }
}
