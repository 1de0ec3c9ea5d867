import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { videoTypes } from './fileType.ts'
import type { InspectedDocument } from './pdf.ts'
import { NOBODYS, fairQueue } from './fairQueue.ts'
import type { InspectedVideo } from './video.ts'

/*
 * Documents and videos are read by code that follows what the file says of itself. A file can be made so that this takes
 * hours, or more memory than there is: it is done in a thread of its own, which may neither hold up requests nor take the
 * process with it.
 */

export const InWorker = z.object({ path: z.string(), type: z.enum(['application/pdf', ...videoTypes]) })
export type InWorker = z.output<typeof InWorker>

/** The thread's only message. Others share its port: under `--watch`, Node itself reports each imported file there. */
export type Inspected = { inspected: InspectedDocument | InspectedVideo }

// only apartThread.ts posts messages of this shape
const isInspected = (message: unknown): message is Inspected =>
  typeof message === 'object' && message !== null && 'inspected' in message

/** Milliseconds after which a file is taken for one that was made to keep its reader busy. */
const PATIENCE_MS = 60_000
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 } as const
/** Threads at once; organizations take turns, and their lines are bounded by unfinished uploads. */
const THREADS = 2
const inTurn = fairQueue(Infinity, THREADS)

/** What the file is, or undefined when its reader was given up. `whose`: the organization that waits for it. */
export function inspectInWorker(
  apart: InWorker,
  whose: string = NOBODYS,
  patience: number = PATIENCE_MS,
): Promise<InspectedDocument | InspectedVideo | undefined> {
  return inTurn(whose, () => lookOnce(apart, patience))
}

function lookOnce(apart: InWorker, patience: number): Promise<InspectedDocument | InspectedVideo | undefined> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL('./apartThread.ts', import.meta.url), {
      workerData: apart,
      resourceLimits: MEMORY,
    })
    const timer = setTimeout(() => end(undefined), patience)
    const end = (found: InspectedDocument | InspectedVideo | undefined) => {
      clearTimeout(timer)
      resolve(found)
      void thread.terminate()
    }
    thread.on('message', (message: unknown) => {
      if (isInspected(message)) end(message.inspected)
    })
    // out of memory, or stumbled in a way that nobody thought of: the file is none that others could read
    thread.once('error', () => end(undefined))
    thread.once('exit', () => end(undefined))
  })
}
