import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { videoTypes } from './fileType.ts'
import type { InspectedDocument } from './pdf.ts'
import { NOBODYS, fairQueue } from './fairQueue.ts'
import type { InspectedVideo } from './video.ts'

/*
 * Code that reads documents and videos follows what the file says about itself. A file can be crafted so that this
 * takes hours, or more memory than there is: it runs in its own thread, which can't delay requests or crash the
 * process.
 */

export const InWorker = z.object({ path: z.string(), type: z.enum(['application/pdf', ...videoTypes]) })
export type InWorker = z.output<typeof InWorker>

/** The thread's only message. Others share its port: under `--watch`, Node itself reports each imported file there. */
export type Inspected = { inspected: InspectedDocument | InspectedVideo }

// only inspectThread.ts posts messages of this shape
const isInspected = (message: unknown): message is Inspected =>
  typeof message === 'object' && message !== null && 'inspected' in message

/** Milliseconds after which we assume that a file was crafted to keep its reader busy. */
const PATIENCE_MS = 60_000
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 } as const
/** Threads at once; organizations take turns, and unfinished uploads limit their lines. */
const THREADS = 2
const inTurn = fairQueue(Infinity, THREADS)

/** What the file is, or undefined if its reader was stopped. `whose`: the organization that waits for it. */
export function inspectInWorker(
  apart: InWorker,
  whose: string = NOBODYS,
  patience: number = PATIENCE_MS,
): Promise<InspectedDocument | InspectedVideo | undefined> {
  return inTurn(whose, () => lookOnce(apart, patience))
}

function lookOnce(apart: InWorker, patience: number): Promise<InspectedDocument | InspectedVideo | undefined> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL('./inspectThread.ts', import.meta.url), {
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
    // out of memory, or failed in an unforeseen way: others can't read the file either
    thread.once('error', () => end(undefined))
    thread.once('exit', () => end(undefined))
  })
}
