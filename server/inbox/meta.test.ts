import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectSimulated } from '#contract/connect.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import { subscribedFields } from '../simulators/facebookInbox.ts'
import { startPlatforms, type RunningPlatforms } from '../simulators/start.ts'
import type { SimulatedPost } from '../simulators/world.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { deliveriesJob } from './deliveries.ts'
import { readDueInboxes } from './read.ts'

/*
 * People write, edit, delete and hide on the simulated Facebook; its signed webhooks are lost, doubled, late and out of order,
 * and readings come in between. In the end the inbox is what stands on the platform.
 */

let outside: RunningPlatforms
let app: TestApp
let channelId: string
let page: string
beforeAll(async () => {
  outside = await startPlatforms({ now: () => app.clock.now().getTime() })
  const platforms = composePlatforms({ plcDirectory: outside.base, publicUrl: 'https://rookery.test' })
  const facebook = platforms('facebook')
  app = await startApp({
    env: { SIMULATED_CHANNELS: '1', SIMULATED_PLATFORMS: outside.base },
    platforms: facebook ? { facebook } : {},
    fetch: simulated(createSafeFetch({ allow: [outside.allow] }), hostsOf(platforms), outside.base),
  })
  const home = await app.signedInOwner()
  const params = { ...home.params, platform: 'facebook' as const }
  const connected = await app.call(connectSimulated, { params }, { as: home.person })
  channelId = connected.channel.channelId
  const { rows } = await app.database.owner.query<{ remote_id: string }>(
    'select remote_id from channel where id = $1',
    [channelId],
  )
  page = rows[0]?.remote_id ?? ''
})
afterAll(async () => {
  await app.close()
  await outside.stop()
})

const world = () => outside.platform('facebook').state
const context = () => ({
  databases: app.parts.databases,
  clock: app.clock,
  log: quietLog,
  signal: new AbortController().signal,
})
const read = () => readDueInboxes({ ...app.parts, env: { publicUrl: 'https://rookery.test' } }, context())
const apply = () => deliveriesJob({ platforms: app.parts.platforms }).perform(context(), {})

/** What Meta sends of it: which account, and which field. */
async function deliver(field: 'feed' | 'messages', nonce: number): Promise<void> {
  const said = field === 'feed' ? { changes: [{ field, value: { nonce } }] } : { messaging: [{ nonce }] }
  const payload = JSON.stringify({ object: 'page', entry: [{ id: page, time: nonce, ...said }] })
  const signature = createHmac('sha256', 'simulated').update(payload).digest('hex')
  const answer = await app.app.inject({
    method: 'POST',
    url: '/api/public/inbox/facebook/simulated',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    payload,
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('comment' as const), nth: fc.nat(), ours: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('message' as const), nth: fc.nat(), ours: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), nth: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hide' as const), nth: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('read' as const), minutes: fc.integer({ min: 1, max: 400 }) }),
  },
)
/** What becomes of a webhook. */
const fate = fc.constantFrom('lost', 'once', 'twice', 'late')
const steps = fc.array(fc.tuple(action, fate), { minLength: 10, maxLength: 40 })

it('is what stands on Facebook, whatever becomes of its webhooks', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      world().posts.clear()
      for (const table of ['conversation', 'inbox_tombstone', 'inbox_person', 'inbox_cursor', 'inbox_delivery'])
        await app.database.owner.query(`delete from ${table}`)
      const [nora, otis] = world().accounts
      const people = [nora?.id ?? '', otis?.id ?? '']
      const now = () => app.clock.now().getTime()
      const post = world().publish(
        { id: `${page}_${world().nextId()}`, account: page, kind: 'post', text: 'Our post' },
        now(),
      ).id
      const late: ('feed' | 'messages')[] = []
      let nonce = 0
      const said = () => world().live(({ kind }) => kind === 'comment' || kind === 'message')
      // of a conversation that is empty, Facebook lists nothing that could be missing
      const isFollowed = ({ id, more }: SimulatedPost): boolean =>
        said().some(
          (other) => other.kind === 'message' && other.more.with === more.with && BigInt(other.id) > BigInt(id),
        )
      for (const [step, becomes] of played) {
        app.clock.advance({ minutes: 1 })
        if (step.kind === 'read') {
          app.clock.advance({ minutes: step.minutes })
          for (const field of late.splice(0).toReversed()) await deliver(field, (nonce += 1))
          await apply()
          await read()
          continue
        }
        const person = people[step.nth % 2] ?? ''
        const theirs = said().filter(({ account }) => account !== page)
        const one = theirs[step.nth % Math.max(1, theirs.length)]
        let field: 'feed' | 'messages' = 'feed'
        if (step.kind === 'message') {
          field = 'messages'
          const account = step.ours && one ? page : person
          const more = { page, with: person }
          world().publish({ account, kind: 'message', text: `message ${nonce}`, more }, now())
        } else if (step.kind === 'comment') {
          const parent = one?.kind === 'comment' ? one.id : post
          // what the Page says by itself is no conversation
          const account = step.ours && parent !== post ? page : person
          world().publish({ account, kind: 'comment', text: `comment ${nonce}`, parent }, now())
        } else if (!one) continue
        else if (step.kind === 'edit') one.text = `${one.text}, edited`
        else if (step.kind === 'delete') one.deleted = one.kind === 'comment' || isFollowed(one)
        else if (one.kind === 'comment') one.more.hidden = one.more.hidden !== true
        if (becomes === 'late') late.push(field)
        for (let times = 0; times < { lost: 0, once: 1, twice: 2, late: 0 }[becomes]; times++)
          await deliver(field, nonce)
        nonce += 1
      }
      // whatever was lost, a reading comes
      app.clock.advance({ hours: 7 })
      await apply()
      await read()
      const { rows } = await app.database.owner.query<{ id: string; text: string; hidden: boolean }>(
        'select remote_id as id, text, hidden from inbox_item where channel_id = $1 and deleted_at is null order by remote_id',
        [channelId],
      )
      const stands = said().map(({ id, text, more }) => ({ id, text, hidden: more.hidden === true }))
      expect(rows).toEqual(stands.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      expect(subscribedFields(world(), page, 'simulated')).toEqual(expect.arrayContaining(['feed', 'messages']))
    }),
    { numRuns: 12, seed: 26 },
  )
  expect(outside.platform('facebook').violations).toEqual([])
})
