export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  /** Names the mail for good: one that is sent again after a doubt is recognized as the same by those who get it. */
  messageId?: string
}

/** A mail, or how to write it; null when there is none to send after all. */
export type Handed = Mail | (() => Promise<Mail | null>)

/** Takes mails that are sent behind the request's back, so that neither time nor failure tells who has an account. */
export type Mailer = {
  /** Hands a mail over; never throws. */
  post(handed: Handed): void
  /** Sends now, one try, for jobs that keep their own account of it. Throws MailRefused for what no other try would change, anything else when it may have gone out or not. */
  send(mail: Mail): Promise<void>
  /** Resolves when everything handed over was sent or given up. */
  close(): Promise<void>
}

/** The mail server will never take this mail, such as for an address that doesn't exist. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** For tests: keeps what was sent, newest last. */
export function keepingMailer(): Mailer & { sent: Mail[] } {
  const sent: Mail[] = []
  const writing = new Set<Promise<void>>()
  const write = async (handed: () => Promise<Mail | null>) => {
    const written = await handed()
    if (written) sent.push(written)
  }
  return {
    sent,
    post(handed) {
      if (typeof handed !== 'function') {
        sent.push(handed)
        return
      }
      const job = write(handed).finally(() => writing.delete(job))
      writing.add(job)
    },
    send: async (mail) => void sent.push(mail),
    close: async () => void (await Promise.all(writing)),
  }
}
