/** Enters the request's tenant in a transaction of its own, as `inTenant` of detached verbs does. */
export type Enter<Context> = <T>(fn: (t: Context) => Promise<T>) => Promise<T>

/**
 * Thrown in a transaction for work that has to be done outside of it first, because it takes long. The transaction is
 * rolled back, the work is done, and the transaction runs again, which finds its result.
 */
export class NeedsFirst<Context> extends Error {
  readonly work: (enter: Enter<Context>) => Promise<void>
  constructor(work: (enter: Enter<Context>) => Promise<void>) {
    super('this has to wait for work outside of its transaction')
    this.work = work
  }
}

/** What one piece of work finds is there for the next try; more tries are for what was removed in the meantime. */
const TRIES = 3

/** Runs a transaction, and again after the work that it needs first, which `admit` lets through in its turn. */
export async function despiteNeeds<T, Context>(
  run: () => Promise<T>,
  enter: Enter<Context>,
  admit: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (thrown) {
      if (!(thrown instanceof NeedsFirst) || tries === TRIES) throw thrown
      await admit(() => thrown.work(enter))
    }
  }
}
