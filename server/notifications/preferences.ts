import { alwaysMailed, defaultWays, noticeTopics, type NoticePreferences, type NoticeTopic } from '#contract/notices.ts'
import type { Tx } from '../db/kysely.ts'
import { kindsOf } from '#contract/notifications/catalog.ts'

export type Choice = { topic: NoticeTopic; inApp: boolean; mail: boolean }

/** How the person is notified about each topic, by default (`defaultWays`) or as they chose. In a system transaction. */
export async function readPreferences(tx: Tx, personId: string): Promise<NoticePreferences> {
  const chosen = await tx.selectFrom('notice_preference').selectAll().where('person_id', '=', personId).execute()
  const topics = noticeTopics.map((topic) => {
    const own = chosen.find((row) => row.topic === topic)
    const { inApp, mail } = defaultWays(topic)
    return { topic, inApp: own?.in_app ?? inApp, mail: alwaysMailed.includes(topic) || (own?.mail ?? mail) }
  })
  return { topics }
}

/**
 * Sets one topic's preferences, from the next notification on. Visible ones stay until they're read; the topic's
 * pending emails aren't sent if they're turned off. In a system transaction.
 */
export async function choose(tx: Tx, personId: string, { topic, inApp, mail }: Choice): Promise<void> {
  const mailed = mail || alwaysMailed.includes(topic)
  await tx
    .insertInto('notice_preference')
    .values({ person_id: personId, topic, in_app: inApp, mail: mailed })
    .onConflict((oc) => oc.columns(['person_id', 'topic']).doUpdateSet({ in_app: inApp, mail: mailed }))
    .execute()
  if (!mailed) await forgetMails(tx, personId, [topic])
}

async function forgetMails(tx: Tx, personId: string, topics: readonly NoticeTopic[]): Promise<void> {
  const kinds = topics.flatMap(kindsOf)
  if (kinds.length > 0)
    await tx
      .updateTable('notice')
      .set({ mail_due_at: null })
      .where('person_id', '=', personId)
      .where('mail_due_at', 'is not', null)
      .where('kind', 'in', kinds)
      .execute()
}
