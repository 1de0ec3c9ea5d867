import type { Transporter } from 'nodemailer'
import { MailRefused, type Mail } from './mailer.ts'

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
      await transport.sendMail({ from, ...mail })
    } catch (error) {
      throw isFinal(error) ? new MailRefused('the mail server refuses this mail', { cause: error }) : error
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
