import { createTransport } from 'nodemailer'
import type { Mail } from './mailer.ts'

/** Sends by the SMTP server of SMTP_URL (smtp://user:password@host:587, smtps:// for TLS from the start). */
export function smtpSender(url: string, from: string): (mail: Mail) => Promise<void> {
  const transport = createTransport(url)
  return async (mail) => {
    await transport.sendMail({ from, ...mail })
  }
}
