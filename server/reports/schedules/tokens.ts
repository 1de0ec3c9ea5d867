import { createHmac } from 'node:crypto'
import { hashToken } from '../../http/session.ts'
import { installationSecret } from '../../secret.ts'
import type { Env } from '../../env.ts'

/** What the mails of reports need to know of the installation. */
export type ReportLinks = { publicUrl: string; /** Signs addresses. */ secret: string }

export const reportLinksOf = (env: Pick<Env, 'publicUrl' | 'ENCRYPTION_KEY' | 'DATA_DIR'>): ReportLinks => ({
  publicUrl: env.publicUrl,
  secret: installationSecret(env, 'report mails'),
})

const signed = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('base64url')

/**
 * The token in a recipient's links: it confirms, and ends the mails. Worked out, so that each mail can contain it, while only its hash
 * is stored.
 */
export const recipientToken = ({ secret }: ReportLinks, recipientId: string): string =>
  signed(secret, `recipient ${recipientId}`)
export const recipientHash = (links: ReportLinks, recipientId: string): Buffer =>
  hashToken(recipientToken(links, recipientId))

/** Days for which a link to a file holds. */
export const FILE_LINK_DAYS = 30

const FILE = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/
/** The token of a link to the file of a mail, for readers without an account. */
export function fileToken({ secret }: ReportLinks, mailId: string, now: Date): string {
  const until = Math.floor(now.getTime() / 1000) + FILE_LINK_DAYS * 86_400
  return `${mailId}.${until}.${signed(secret, `file ${mailId} ${until}`)}`
}
/** The mail that such a token belongs to; undefined for one that has expired or wasn't signed here. */
export function mailOfToken({ secret }: ReportLinks, token: string, now: Date): string | undefined {
  const [, mailId = '', until = '', signature = ''] = FILE.exec(token) ?? []
  // a wrong signature is as good as an unknown one: comparing hashes tells nothing about it
  const isSigned = hashToken(signature).equals(hashToken(signed(secret, `file ${mailId} ${until}`)))
  return isSigned && Number(until) * 1000 > now.getTime() ? mailId : undefined
}

/** Paths of the pages for readers, below the installation's own address. */
export const readerPaths = {
  confirm: (token: string): string => `/r/confirm/${token}`,
  stop: (token: string): string => `/r/stop/${token}`,
  file: (token: string): string => `/r/file/${token}`,
} as const
