import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import type { Dependencies } from '../dependencies.ts'
import { count, networkOf, type Limit } from '../http/attempts.ts'
import { mail } from '../mail/template.ts'
import type { PublicPage } from './publicPage.ts'

/** Why a page is reported, and how the form says it. */
export const reportReasons = {
  phishing: 'It asks for passwords or money under false pretenses',
  malware: 'It leads to malware',
  impersonation: 'It pretends to be someone else',
  illegal: 'It leads to illegal content',
  abuse: 'It contains hate, threats or violence',
  copyright: "It uses someone else's work",
  other: 'Something else',
} as const
type Reason = keyof typeof reportReasons
// the keys of the object above
const reasonKeys = Object.keys(reportReasons) as [Reason, ...Reason[]]

/** Characters of what people write. */
export const REPORT_WORDS = 1000

export const ReportBody = z.object({
  reason: z.enum(reasonKeys, { error: 'Choose a reason' }),
  // browsers send a line break as two characters; the database stores no zero byte
  words: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').replaceAll('\0', '').trim())
    .pipe(z.string().max(REPORT_WORDS, `Use at most ${REPORT_WORDS} characters`))
    .default(''),
  email: z
    .string()
    .trim()
    .max(254, 'This email address is too long')
    .pipe(z.union([z.literal(''), z.email('Enter an email address, such as you@example.com')]))
    .default(''),
})
export type ReportBody = z.output<typeof ReportBody>

const HOUR = 3600
const perAddress = { name: 'bio-reports', most: 5, seconds: HOUR } as const satisfies Limit
const perPage = { name: 'bio-reports-page', most: 30, seconds: HOUR } as const satisfies Limit
const mails = { name: 'bio-report-mails', most: 1, seconds: 24 * HOUR } as const satisfies Limit

type Deps = Pick<Dependencies, 'env' | 'clock' | 'databases' | 'mailer' | 'log'>

/**
 * Stores what a stranger says about a page, for the operator, who gets a line in the log, and an email if there's an address: at most
 * one per page and day. False: too many reports from this address, or about this page, within an hour.
 */
export async function reportPage(
  { env, clock, databases, mailer, log }: Deps,
  { orgId, pageId, slug }: PublicPage,
  { reason, words, email }: ReportBody,
  address: string,
): Promise<boolean> {
  const now = clock.now()
  const done = await asSystem(databases.system, async (tx) => {
    if (!(await count(tx, perAddress, networkOf(address), now)).allowed) return undefined
    // what one network sends beyond its own limit doesn't keep others from reporting the page
    if (!(await count(tx, perPage, pageId, now)).allowed) return undefined
    await tx
      .insertInto('bio_report')
      .values({
        id: randomUUIDv7(),
        org_id: orgId,
        page_id: pageId,
        slug,
        reason,
        words,
        email: email === '' ? null : email,
        created_at: now,
      })
      .execute()
    return { mayMail: env.contact !== null && (await count(tx, mails, pageId, now)).allowed }
  })
  if (!done) return false
  log.warn({ slug, reason }, 'a link in bio page was reported; see npm run rookery -- link-in-bio reports')
  if (done.mayMail && env.contact !== null)
    mailer.post(
      mail(env.contact, `Reported: ${slug}`, [
        `Someone reported the page ${env.publicUrl}/b/${slug}: ${reportReasons[reason]}.`,
        // as a quote, so that a stranger's words can't be taken for ours
        ...(words === ''
          ? []
          : [
              {
                title: 'What they wrote',
                about: email === '' ? 'Without an email' : `From ${email}`,
                text: '',
                quote: words,
              },
            ]),
        `To read all reports: npm run rookery -- link-in-bio reports. To turn the page off: npm run rookery -- link-in-bio block ${slug} <reason>`,
        { small: 'We send at most one such email per page and day.' },
      ]),
    )
  return true
}

export type Report = {
  slug: string
  reason: string
  words: string
  email: string | null
  created_at: Date
  handled_at: Date | null
  /** Since when its page is off; null if it isn't, or doesn't exist anymore. */
  blocked_at: Date | null
}

/** Reports that nobody has handled, newest first, or all of the last 1,000. */
export async function listReports(databases: Deps['databases'], { all = false } = {}): Promise<Report[]> {
  return await asSystem(databases.system, async (tx) => {
    const { rows } = await sql<Report>`
      select r.slug, r.reason, r.words, r.email, r.created_at, r.handled_at, b.blocked_at
      from bio_report r left join bio_page b on b.org_id = r.org_id and b.id = r.page_id
      where ${all} or r.handled_at is null order by r.created_at desc, r.id desc limit 1000`.execute(tx)
    return rows
  })
}

/** Marks a page's reports as handled. Returns how many. */
export async function handleReports(databases: Deps['databases'], slug: string, now: Date): Promise<number> {
  return await asSystem(databases.system, async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      update bio_report set handled_at = ${now} where handled_at is null and (slug = ${slug} or page_id = (select page_id from bio_slug where slug = ${slug}))`.execute(
      tx,
    )
    return Number(numAffectedRows)
  })
}
