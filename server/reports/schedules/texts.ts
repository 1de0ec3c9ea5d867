import { spanText } from '#contract/days.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import type { Mail } from '../../mail/mailer.ts'
import { mail, type Block } from '../../mail/template.ts'
import { readerPaths, recipientToken, type ReportLinks } from './tokens.ts'

/* Emails of scheduled reports. What a report shows is only in its file. */

const list = new Intl.ListFormat('en')

/** Names that people chose, in one line. */
const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

type Sender = { ownerName: string; orgName: string; reportName: string }

export type ReportLetter = Sender & {
  mailId: string
  recipientId: string
  to: string
  /** Null for readers without an account. */
  name: string | null
  range: { from: string; to: string }
  notFinal: readonly string[]
  file: { fileName: string } & ({ pdf: Uint8Array } | { link: string; holdsDays: number | null })
}

/** The email with a report, as a file or as a link. */
export function reportMail(letter: ReportLetter, links: ReportLinks): Mail {
  const { mailId, recipientId, to, name, range, notFinal, file } = letter
  const stop = `${links.publicUrl}${readerPaths.stop(recipientToken(links, recipientId))}`
  const reportName = line(letter.reportName)
  const days = spanText(range)
  const blocks: Block[] = [
    name ? `Hello ${line(name)},` : 'Hello,',
    `Here's the report "${reportName}" from ${line(letter.orgName)} for ${days}.`,
    ...('pdf' in file
      ? ['The PDF is attached.']
      : [
          "It's too large to be attached, so you can download it here:",
          { link: file.link, label: 'Download report' },
          ...(file.holdsDays === null ? [] : [`The link works for ${file.holdsDays} days.`]),
        ]),
    ...(notFinal.length === 0
      ? []
      : [`Some figures aren't final yet and may still change: those of ${list.format(notFinal.map(line))}.`]),
    {
      small: `${line(letter.ownerName)} from ${line(letter.orgName)} has scheduled this report for you.`,
      last: { link: stop, label: 'Stop these emails' },
    },
  ]
  const written = mail(to, `${reportName}, ${days}`, blocks)
  return {
    ...written,
    messageId: messageIdOf(mailId, links),
    headers: { ...written.headers, ...stopHeaders(stop) },
    ...('pdf' in file && {
      attachments: [{ filename: file.fileName, content: Buffer.from(file.pdf), contentType: 'application/pdf' }],
    }),
  }
}

/** A mail's own Message-ID: one that's sent again after a doubt has the same, by which mail servers and programs drop it. */
export const messageIdOf = (mailId: string, { publicUrl }: ReportLinks): string =>
  `<${mailId}@${new URL(publicUrl).hostname}>`

/** RFC 2369, and RFC 8058 for one-click unsubscribing, which requires HTTPS. */
const stopHeaders = (address: string): Record<string, string> => ({
  'List-Unsubscribe': `<${address}>`,
  ...(address.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

export type AskLetter = Sender & { recipientId: string; to: string; how: string }

/** Asks an outside address whether it wants a report. */
export function askMail({ recipientId, to, how, ...sender }: AskLetter, links: ReportLinks): Mail {
  const token = recipientToken(links, recipientId)
  const [ownerName, orgName, reportName] = [line(sender.ownerName), line(sender.orgName), line(sender.reportName)]
  const stop = `${links.publicUrl}${readerPaths.stop(token)}`
  const written = mail(to, `${orgName} would like to send you a report`, [
    'Hello,',
    `${ownerName} from ${orgName} would like to send you the report "${reportName}" by email, ${how}.`,
    'Do you want to get it? Confirm on this page:',
    { link: `${links.publicUrl}${readerPaths.confirm(token)}`, label: 'Open page' },
    {
      small: `You don't need an account. The link works for ${REPORTS.confirmDays} days. If you don't want the report, do nothing: we won't send it.`,
      last: { link: stop, label: "Don't ask me again" },
    },
  ])
  return { ...written, headers: { ...written.headers, ...stopHeaders(stop) } }
}

/** How often a schedule sends: "every week" or "every month". */
export const howOften = (frequency: string): string => (frequency === 'weekly' ? 'every week' : 'every month')
