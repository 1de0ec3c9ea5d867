import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Clock } from '../clock.ts'
import { isOnLoopback, type Env } from '../env.ts'
import { isDirect } from '../http/direct.ts'
import type { Log } from '../log.ts'
import type { Mail } from './mailer.ts'
import { asSent } from './smtp.ts'

/** The folder of emails that aren't sent. */
export const outboxOf = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string => resolve(DATA_DIR, 'outbox')

/**
 * That folder, for people at this machine; null where a mail server is set, others can reach the app, or the request
 * doesn't come directly from a program here.
 */
export const shownOutbox = (env: Env, request: Parameters<typeof isDirect>[0]): string | null =>
  env.SMTP_URL === undefined && isOnLoopback(env) && isDirect(request) ? outboxOf(env) : null

/**
 * Writes emails as files if no SMTP server is configured:
 * `DATA_DIR/outbox/000001-2026-11-21T10-00-00-to-ada@example.org.eml`, so that the newest is the last. The log has the
 * file's name, never the subject, which contains the code.
 */
export function outboxSender(dataDir: string, from: string, clock: Clock, log: Log): (mail: Mail) => Promise<void> {
  const folder = join(dataDir, 'outbox')
  let next: Promise<number> | undefined
  /** Numbers in the order in which it's called. What failed once is read again. */
  const nextNumber = () => {
    const number = (next ?? lastNumber(folder)).then((last) => last + 1)
    next = number
    number.catch(() => {
      if (next === number) next = undefined
    })
    return number
  }
  return async (mail) => {
    const number = await nextNumber()
    const now = clock.now()
    const name = `${String(number).padStart(6, '0')}-${now.toISOString().slice(0, 19).replaceAll(':', '-')}-to-${mail.to.replace(/[^\w.@+-]/g, '_')}.eml`
    // loaded with the first email; builds the message instead of sending it
    const { createTransport } = await import('nodemailer')
    const builder = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
    const { message } = await builder.sendMail({ from, ...asSent(mail), date: now })
    const path = join(folder, name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, message, { mode: 0o600 })
    log.info({ file: path, to: mail.to }, "email written to the outbox because SMTP_URL isn't set")
  }
}

async function lastNumber(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const numbers = names.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger)
  return Math.max(0, ...numbers)
}
