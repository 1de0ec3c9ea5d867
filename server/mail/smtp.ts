import type { Transporter } from 'nodemailer'
import { MailDelayed, MailRefused, type Mail } from './mailer.ts'

/**
 * Milliseconds. A server that is silent for this long is given up, well before another try of the same email may start.
 */
const PATIENCE = { connectionTimeout: 30_000, greetingTimeout: 30_000, socketTimeout: 60_000 }

/** Sends through the SMTP server in SMTP_URL (smtp://user:password@host:587, smtps:// for TLS from the start). */
export function smtpSender(url: string, from: string): (mail: Mail) => Promise<void> {
  let transport: Transporter | undefined
  return async (mail) => {
    // loaded with the first email
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport({ url, ...PATIENCE })
    try {
      await transport.sendMail({ from, ...asSent(mail) })
    } catch (error) {
      if (isFinal(error)) throw new MailRefused('the mail server refuses this mail', { cause: error })
      throw isUnsent(error) ? new MailDelayed("the mail server didn't accept this mail", { cause: error }) : error
    }
  }
}

/**
 * A 5xx reply to the recipient or the message (RFC 5321, 4.2.1). For the login or the sender, it's about our settings,
 * not about this email.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const [code, command, answer]: unknown[] = ['code', 'command', 'responseCode'].map((name) => Reflect.get(error, name))
  return (
    (code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO')) &&
    typeof answer === 'number' &&
    answer >= 500
  )
}

/** Failures before anything was handed over, by the library's codes and messages. */
const UNSENT = new Set<unknown>(['EDNS', 'EAUTH', 'ENOAUTH', 'ETLS'])
const UNSENT_MESSAGES = new Set(['Connection timeout', 'Greeting never received'])

/**
 * Whether the mail server certainly didn't accept the email: it said so, or wasn't reached. A connection that ends while the email is
 * under way isn't among these: the server may have accepted it.
 */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const [code, answer, call]: unknown[] = ['code', 'responseCode', 'syscall'].map((name) => Reflect.get(error, name))
  return (
    (typeof answer === 'number' && answer >= 400) ||
    call === 'connect' ||
    UNSENT.has(code) ||
    UNSENT_MESSAGES.has(error.message)
  )
}

/** As the library takes it: it changes the list that it's given. */
export const asSent = ({ attachments, ...mail }: Mail) => ({
  ...mail,
  ...(attachments && { attachments: attachments.map((one) => ({ ...one })) }),
})
