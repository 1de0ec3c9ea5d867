import type { Env } from '../env.ts'
import { mailServerProblem } from '../mail/check.ts'
import { outboxOf } from '../mail/outbox.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning, problem } = about('Mail')

/** Whether emails leave this machine: the mail server is asked, and nothing is sent. */
export async function lookAtMail(env: Env): Promise<Finding[]> {
  if (env.SMTP_URL === undefined)
    return [
      warning(
        `SMTP_URL isn't set, so emails are written to ${outboxOf(env)} and nobody gets them.`,
        'Set SMTP_URL to your mail server, such as smtp://user:password@mail.example:587, and MAIL_FROM to a sender that it accepts.',
      ),
    ]
  const why = await mailServerProblem(env.SMTP_URL)
  if (why !== null) return [problem(why, 'Until then, codes, invitations and approvals reach nobody.')]
  if (/@localhost>?$/.test(env.MAIL_FROM))
    return [
      warning(
        `The mail server accepts our login, but the sender is ${env.MAIL_FROM}, which most servers refuse.`,
        'Set MAIL_FROM, such as Rookery <hello@rookery.example>.',
      ),
    ]
  return [ok(`The mail server accepts our login; the sender is ${env.MAIL_FROM}. Nothing was sent.`)]
}
