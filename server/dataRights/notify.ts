import { z } from 'zod'
import type { Tx } from '../db/kysely.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type Job } from '../jobs/job.ts'
import { MailRefused, type Mail, type Mailer } from '../mail/mailer.ts'
import { accountGone, deletionBegins, deletionTakenBack, organizationGone } from './mails.ts'

/*
 * Emails about a deletion. Nobody can request one again, and some recipients no longer have an account: each is a job
 * in the transaction it reports, so that neither exists without the other. It contains the address until it's sent.
 */

const To = z.object({ to: z.string() })
const OfOrganization = To.extend({ orgId: z.uuid(), orgName: z.string() })
export const News = z.discriminatedUnion('about', [
  OfOrganization.extend({ about: z.literal('begins'), deletesAt: z.iso.datetime(), who: z.string() }),
  OfOrganization.extend({ about: z.literal('stays'), who: z.string() }),
  OfOrganization.extend({ about: z.literal('gone') }),
  To.extend({ about: z.literal('account') }),
])
export type News = z.output<typeof News>

const TELL = { name: 'dataRights.tell' }

/** Emails each of these people once the transaction has committed. */
export async function enqueueDeletionMails(tx: Tx, news: readonly News[]): Promise<void> {
  for (const one of news) await enqueue(tx, TELL, one)
}

/** Sends one email; retried while the mail server can't be reached. */
export function deletionMailJob({ mailer, env }: { mailer: Mailer; env: { publicUrl: string } }): Job<News> {
  return defineJob({
    ...TELL,
    payload: News,
    run: async ({ log }, news) => {
      await mailer.send(written(news, env.publicUrl)).catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        log.warn({ err: error, about: news.about }, 'the mail server permanently rejected an email about a deletion')
      })
    },
  })
}

function written(news: News, publicUrl: string): Mail {
  switch (news.about) {
    case 'begins':
      return deletionBegins({ ...news, publicUrl }, new Date(news.deletesAt), news.who)
    case 'stays':
      return deletionTakenBack({ ...news, publicUrl }, news.who)
    case 'gone':
      return organizationGone({ ...news, publicUrl })
    case 'account':
    default:
      return accountGone(news.to)
  }
}
