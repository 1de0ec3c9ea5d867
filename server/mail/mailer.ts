export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  /** Identifies the email permanently: recipients recognize one that is sent again after a doubt as the same. */
  messageId?: string
  attachments?: readonly { filename: string; content: Buffer; contentType: string }[]
}

/** An email, or a function that writes one; null if there's none to send after all. */
export type Handed = Mail | (() => Promise<Mail | null>)

/** Accepts emails that are sent after the response, so that neither time nor failure reveals who has an account. */
export type Mailer = {
  /** Accepts an email; never throws. */
  post(handed: Handed): void
  /**
   * Sends immediately, with one try, for jobs that keep track themselves. Throws MailRefused for permanent failures,
   * MailDelayed if it certainly wasn't sent, anything else if it may have been sent or not.
   */
  send(mail: Mail): Promise<void>
  /** Resolves when everything accepted was sent or given up. */
  close(): Promise<void>
}

/** The mail server will never accept this email, such as for an address that doesn't exist. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** The mail server certainly didn't accept this email now, such as one that can't be reached: it may later. */
export class MailDelayed extends Error {
  override readonly name = 'MailDelayed'
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
