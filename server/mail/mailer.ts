export type Mail = { to: string; subject: string; text: string; html: string }

/** A mail, or how to write it; null when there is none to send after all. */
export type Handed = Mail | (() => Promise<Mail | null>)

/** Takes mails that are sent behind the request's back, so that neither time nor failure tells who has an account. */
export type Mailer = {
  /** Hands a mail over; never throws. */
  post(handed: Handed): void
  /** Resolves when everything handed over was sent or given up. */
  close(): Promise<void>
}

/** For tests: keeps what was posted, newest last. */
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
    close: async () => void (await Promise.all(writing)),
  }
}
