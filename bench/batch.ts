import { randomUUIDv7 } from 'node:crypto'
import { postRoutes } from '#server/posts/routes.ts'
import { cookieOf } from './_listing.ts'
import { median, openStage } from './_stage.ts'

/*
 * A submit to 10 channels compared with a submit to one, over HTTP, one request at a time, in turns. Each creates its
 * posts, deliveries, history, events and audit entry in one transaction. Ten may cost three times as much as one.
 */
const TARGET = 3
const PAIRS = process.argv.includes('--short') ? 60 : 250
const CHANNELS = 10

const stage = await openStage((deps) => postRoutes(deps))
try {
  const home = await stage.builders.signedInOwner()
  await stage.owner.query(
    "update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
    [home.orgId],
  )
  const channels = await Promise.all(Array.from({ length: CHANNELS + 1 }, () => stage.content.channel(home)))
  const headers = { cookie: cookieOf(home.person), 'content-type': 'application/json' }
  const submit = async (channelIds: readonly string[]): Promise<number> => {
    const utc = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const body = JSON.stringify({
      intent: 'SCHEDULE',
      channels: channelIds.map((channelId) => ({
        channelId,
        postType: 'post',
        contents: [{ text: `The rooks come back to the old elms in autumn. ${randomUUIDv7()}`, media: [] }],
      })),
      schedule: { type: 'ONCE', details: { utc, timezone: 'Europe/London' } },
    })
    const begun = performance.now()
    const response = await fetch(`${stage.origin}/api/${home.orgId}/project/${home.projectId}/post`, {
      method: 'POST',
      headers,
      body,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`answered ${response.status}: ${text.slice(0, 300)}`)
    return performance.now() - begun
  }
  const [one, ten] = [channels.slice(CHANNELS), channels.slice(0, CHANNELS)]
  for (let i = 0; i < 20; i++) await submit(i % 2 === 0 ? one : ten)
  const ratios: number[] = []
  const [alone, together]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = await submit(pair % 2 === 0 ? one : ten)
    const second = await submit(pair % 2 === 0 ? ten : one)
    const [single, batch] = pair % 2 === 0 ? [first, second] : [second, first]
    alone.push(single)
    together.push(batch)
    ratios.push(batch / single)
  }
  console.log(`one channel ${median(alone).toFixed(1)} ms, ${CHANNELS} channels ${median(together).toFixed(1)} ms`)
  console.log(
    `a batch of ${CHANNELS} channels: ${median(ratios).toFixed(2)} times a batch of one (median of ${PAIRS}), target at most ${TARGET}`,
  )
  if (median(ratios) > TARGET) process.exitCode = 1
} finally {
  await stage.close()
}
