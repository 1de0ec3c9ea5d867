import { parentPort, workerData } from 'node:worker_threads'
import { blankDescriptions } from './blankVideo.ts'
import { blankWebm } from './blankWebm.ts'
import type { VideoType } from './fileType.ts'
import { InWorker, type Done } from './inWorker.ts'
import { inspectPdf } from './pdf.ts'
import { inspectVideo } from './video.ts'

/* The thread of inWorker.ts: inspects one file and reports what it is, or removes from a video where and when it was taken. */

async function clean(path: string, type: VideoType): Promise<void> {
  if (['video/mp4', 'video/quicktime', 'video/3gpp'].includes(type)) await blankDescriptions(path)
  if (type === 'video/webm') await blankWebm(path)
}

async function done(given: InWorker): Promise<Done> {
  if (given.work === 'inspect')
    return {
      inspected:
        given.type === 'application/pdf' ? await inspectPdf(given.path) : await inspectVideo(given.path, given.type),
    }
  await clean(given.path, given.type)
  return { cleaned: true }
}

const message = await done(InWorker.parse(workerData))
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, which has no origin
parentPort?.postMessage(message)
