import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import { MailRefused, type Mail, type Mailer } from '../mail/mailer.ts'
import type { Log } from '../log.ts'
import { notificationMail, type MailFacts } from './mails.ts'
import {
  dueAddressees,
  giveUpMail,
  retryMail,
  markMailSent,
  takeMail,
  type Addressee,
  type TakenMail,
} from './takeMail.ts'

export type MailDeps = {
  databases: Pick<Databases, 'system'>
  clock: Clock
  log: Log
  mailer: Pick<Mailer, 'send'>
  facts: MailFacts
  signal: AbortSignal
}

/** After this many consecutive failures, the mail server is left alone until the next run. */
const FAILURES = 3

/**
 * Sends the emails that are due, one per person and organization. Safe next to other workers, and again after a crash.
 *
 * At least once, not at most once: an email is taken in one transaction and marked as sent in another, after the mail
 * server accepted it. If a worker dies in between, the email is sent again when its lease ends: missing that a post
 * failed is worse than reading it twice. The second one has the Message-ID of the first, by which mail servers and
 * programs drop it. Without a crash, each email is sent once.
 */
export async function sendNotificationMails(deps: MailDeps): Promise<void> {
  const { databases, clock, signal } = deps
  let failures = 0
  const failed: Addressee[] = []
  for (;;) {
    const due = await asSystem(databases.system, (tx) => dueAddressees(tx, clock.now(), failed))
    let sent = 0
    const left = await eachAlone(
      deps,
      due,
      { name: ({ orgId, personId }) => ({ orgId, personId }), failed: "notifications couldn't be put into an email" },
      async (addressee) => {
        if (failures >= FAILURES) return
        const taken = await asSystem(databases.system, (tx) => takeMail(tx, addressee, clock.now()))
        if (!taken) return
        sent += 1
        failures = (await send(deps, taken)) ? 0 : failures + 1
      },
    )
    if (signal.aborted || failures >= FAILURES) return
    failed.push(...left)
    // nobody is left, or others are handling them
    if (sent === 0 && left.length === 0) return
  }
}

/** Returns whether the mail server worked. */
async function send({ databases, clock, log, mailer, facts }: MailDeps, taken: TakenMail): Promise<boolean> {
  const mail = await writeMail({ databases, clock, log, facts }, taken)
  if (!mail) return true
  try {
    await mailer.send(mail)
  } catch (error) {
    const refused = error instanceof MailRefused
    const again = refused ? false : await asSystem(databases.system, (tx) => retryMail(tx, taken, clock.now()))
    if (refused) await asSystem(databases.system, (tx) => giveUpMail(tx, taken))
    log.warn({ err: error, to: taken.to, triesAgain: again }, "an email with notifications couldn't be sent")
    return refused
  }
  await asSystem(databases.system, (tx) => markMailSent(tx, taken, clock.now()))
  return true
}

/** Undefined for notifications that can't be worded, which isn't the mail server's fault. They're tried again for a day. */
async function writeMail(
  { databases, clock, log, facts }: Pick<MailDeps, 'databases' | 'clock' | 'log' | 'facts'>,
  taken: TakenMail,
): Promise<Mail | undefined> {
  try {
    return notificationMail(taken, facts)
  } catch (error) {
    const again = await asSystem(databases.system, (tx) => retryMail(tx, taken, clock.now()))
    log.error({ err: error, orgId: taken.orgId, triesAgain: again }, "notifications couldn't be put into an email")
    return undefined
  }
}
