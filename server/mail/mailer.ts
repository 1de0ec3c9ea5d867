export type Mail = { to: string; subject: string; text: string; html: string }

/** Takes mails that are sent behind the request's back, so that neither time nor failure tells who has an account. */
export type Mailer = {
  /** Hands a mail over; never throws. */
  post(mail: Mail): void
  /** Resolves when everything handed over was sent or given up. */
  close(): Promise<void>
}

/** For tests: keeps what was posted, newest last. */
export function keepingMailer(): Mailer & { sent: Mail[] } {
  const sent: Mail[] = []
  return { sent, post: (mail) => void sent.push(mail), close: async () => {} }
}
