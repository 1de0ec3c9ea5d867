import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { sendReply } from '#contract/inbox/replies.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import { replySubject } from '../inbox/replies/subject.ts'
import { openMedia } from '../media/open.ts'
import { createNotification } from '../notifications/create.ts'
import { startPublishing } from '../publishing/start.ts'
import type { TestPerson } from './people.ts'
import { quietLog } from './publishing.ts'
import type { TestApp } from './startApp.ts'
import { until } from './until.ts'

/** How a reply ended: what the platform knows it by, or why it wasn't sent. */
export type Answered = {
  platform: PlatformKey
  kind: string
  account: string
  text: string
  state: string
  remoteId: string | null
  failure: unknown
}

type Open = { id: string; orgId: string; projectId: string; platform: PlatformKey; kind: string; account: string }

/**
 * Answers the newest conversation that may be answered, of every platform and kind that the database has, through the
 * API and the engine, and waits until each reply is sent or has failed. The clock stands still.
 */
export async function answerEveryKind(app: TestApp, person: TestPerson): Promise<Answered[]> {
  const { databases, clock, secrets, apps, platforms, media, fetch } = app.parts
  const open = await asSystem(
    databases.system,
    async (tx) =>
      (
        await sql<Open>`
      select c.id, c.org_id as "orgId", c.project_id as "projectId", h.platform, c.kind, h.remote_id as account
      from conversation c join channel h on h.org_id = c.org_id and h.id = c.channel_id
      order by h.platform, c.kind, c.last_at desc`.execute(tx)
      ).rows,
  )
  const sent = new Map<string, string>()
  const done = new Set<string>()
  for (const { id, orgId, projectId, platform, kind } of open) {
    const place = `${platform} ${kind}`
    if (done.has(place)) continue
    const params = { orgId, projectId, conversationId: id }
    const replyId = randomUUID()
    const body = { replyId, text: `Thank you from ${place}`, assetIds: [] }
    const { statusCode } = await app.send(sendReply, { params, body }, { as: person })
    // the platform's window for answers is over, or the channel can't answer there
    if (statusCode !== 200) continue
    done.add(place)
    sent.set(replyId, place)
  }
  const node = await startPublishing({
    isAsApproved: () => true,
    subjects: [replySubject()],
    databases,
    clock,
    platforms: [...new Set(open.map(({ platform }) => platform))].flatMap((key) => platforms(key) ?? []),
    secrets,
    apps,
    media: openMedia(databases.background, media),
    fetch,
    notify: createNotification,
    log: quietLog,
    options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: 600_000 },
  })
  const { owner } = app.database
  const ids = [...sent.keys()]
  const query = `select r.id, h.platform, c.kind, h.remote_id as account, r.text, r.state, r.remote_id as "remoteId", r.failure
    from reply r join conversation c on c.org_id = r.org_id and c.id = r.conversation_id
    join channel h on h.org_id = c.org_id and h.id = c.channel_id where r.id = any($1) order by h.platform, c.kind`
  const all = async () => (await owner.query<Answered>(query, [ids])).rows
  const isOver = async () => (await all()).every(({ state }) => state === 'SENT' || state === 'FAILED')
  try {
    await until(isOver, { what: 'every reply to be sent or to fail' })
  } finally {
    await node.stop({ drain: 1000 })
  }
  return await all()
}
