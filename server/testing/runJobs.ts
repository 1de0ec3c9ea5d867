import type { AnyJob } from '../jobs/job.ts'
import type { Dependencies } from '../dependencies.ts'
import type { TestDatabase } from './database.ts'

/**
 * Runs the enqueued jobs with these names in this process, one after the other, regardless of their time, until nothing
 * is left; `once` only runs what is there now. Returns how many ran. Errors are thrown, so that tests see them.
 */
export async function runJobs(
  app: { parts: Dependencies; database: TestDatabase },
  jobs: readonly AnyJob[],
  { once = false } = {},
): Promise<number> {
  const { databases, clock, log } = app.parts
  const context = { databases, clock, log, signal: new AbortController().signal }
  const names = jobs.map(({ name }) => name)
  let ran = 0
  for (;;) {
    const { rows } = await app.database.owner.query<{ name: string; payload: unknown }>(
      'delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = any($1) returning t.identifier as name, j.payload',
      [names],
    )
    for (const { name, payload } of rows) await jobs.find((job) => job.name === name)?.perform(context, payload)
    ran += rows.length
    if (rows.length === 0 || once) return ran
  }
}
