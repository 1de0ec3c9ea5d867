import { parentPort, workerData } from 'node:worker_threads'
import { InWorker, type Inspected } from './inWorker.ts'
import { inspectPdf } from './pdf.ts'
import { inspectVideo } from './video.ts'

/* The thread of inWorker.ts: inspects one file and reports what it is. */

const { path, type } = InWorker.parse(workerData)
const message: Inspected = {
  inspected: type === 'application/pdf' ? await inspectPdf(path) : await inspectVideo(path, type),
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, which has no origin
parentPort?.postMessage(message)
