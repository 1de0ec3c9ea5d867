import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { Handed, Mail, Mailer } from './mailer.ts'

/**
 * Waits between tries, in milliseconds. An email that still fails then is given up: people request a new code or link.
 */
const WAITS = [1_000, 5_000, 30_000, 120_000]

/**
 * A mailer in this process: emails are sent after the response, with a few tries each. One that wasn't sent when the
 * process dies is lost: its reader can request every such email again. Jobs send the ones that nobody would request
 * again, and keep track of them.
 */
export function queuedMailer(send: (mail: Mail) => Promise<void>, log: Log, waits: readonly number[] = WAITS): Mailer {
  const running = new Set<Promise<void>>()
  const closing = new AbortController()

  async function deliver(handed: Handed): Promise<void> {
    const mail = typeof handed === 'function' ? await handed() : handed
    if (!mail) return
    for (const wait of [...waits, null]) {
      try {
        return await send(mail)
      } catch (error) {
        log.warn({ err: error, to: mail.to, triesAgain: wait !== null }, "an email couldn't be sent")
        if (wait === null || closing.signal.aborted) return
        await pause(wait, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  return {
    post(handed) {
      const job = deliver(handed)
        .catch((error: unknown) => log.error({ err: error }, "an email couldn't be prepared"))
        .finally(() => running.delete(job))
      running.add(job)
    },
    async send(mail) {
      const job = send(mail)
      const settled = job.catch(() => undefined).finally(() => running.delete(settled))
      running.add(settled)
      await job
    },
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}
