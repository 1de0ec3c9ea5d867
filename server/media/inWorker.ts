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

export const InWorker = z.discriminatedUnion('work', [
  z.object({ work: z.literal('inspect'), path: z.string(), type: z.enum(['application/pdf', ...videoTypes]) }),
  z.object({ work: z.literal('clean'), path: z.string(), type: z.enum(videoTypes) }),
])
export type InWorker = z.output<typeof InWorker>
type Work<W extends InWorker['work']> = Omit<Extract<InWorker, { work: W }>, 'work'>

/** The thread's only message. Others share its port: under `--watch`, Node itself reports each imported file there. */
export type Done = { inspected: InspectedDocument | InspectedVideo } | { cleaned: boolean }

// only inspectThread.ts posts messages of these shapes
const isDone = (message: unknown): message is Done =>
  typeof message === 'object' && message !== null && ('inspected' in message || 'cleaned' in message)

/** Milliseconds after which we assume that a file was crafted to keep its reader busy. */
const PATIENCE_MS = 60_000
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 } as const
/** Threads at once; organizations take turns, and unfinished uploads limit their lines. */
const THREADS = 2
const inTurn = fairQueue(Infinity, THREADS)

/** What the file is, or undefined if its reader was stopped. `whose`: the organization that waits for it. */
export async function inspectInWorker(
  file: Work<'inspect'>,
  whose: string = NOBODYS,
  patience: number = PATIENCE_MS,
): Promise<InspectedDocument | InspectedVideo | undefined> {
  const done = await inTurn(whose, () => runOnce({ work: 'inspect', ...file }, patience))
  return done && 'inspected' in done ? done.inspected : undefined
}

/**
 * Removes where and when a video was taken, in the file itself. Returns whether it's clean: false if its reader was stopped
 * or failed, and then the file must not be used.
 */
export async function cleanInWorker(file: Work<'clean'>, whose: string): Promise<boolean> {
  const done = await inTurn(whose, () => runOnce({ work: 'clean', ...file }, PATIENCE_MS))
  return done !== undefined && 'cleaned' in done && done.cleaned
}

function runOnce(workerData: InWorker, patience: number): Promise<Done | undefined> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL('./inspectThread.ts', import.meta.url), { workerData, resourceLimits: MEMORY })
    let found: Done | undefined
    const stop = () => void thread.terminate()
    const timer = setTimeout(stop, patience)
    // not before it can change the file no more
    thread.once('exit', () => {
      clearTimeout(timer)
      resolve(found)
    })
    thread.on('message', (message: unknown) => {
      if (!isDone(message)) return
      found = message
      stop()
    })
    // out of memory, or failed in an unforeseen way: others can't read the file either. It exits by itself
    thread.once('error', () => {})
  })
}
