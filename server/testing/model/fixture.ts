import { saying } from '../reasons.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { deletePost, editPost, reschedulePost, restorePost, retryPost, settlePost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import type { PostState } from '#contract/postStates.ts'
import { setQueueSlots, setQueueStatus } from '#contract/queues.ts'
import { approvePost, createWorkflow, rejectPost } from '#contract/workflows.ts'
import { ApiFailure } from '../client.ts'
import { contentOn } from '../content.ts'
import type { TestHome, TestPerson } from '../people.ts'
import { quietLog } from '../publishing.ts'
import { scriptedPlatform } from '../scriptedPlatform.ts'
import { publishingOf, WEEKS } from '../publishingOf.ts'
import { startApp, type TestApp } from '../startApp.ts'
import { until } from '../until.ts'
import { act, pick, textOf, timeIn, type Acting, type Answer } from './act.ts'
import type { Action, Target } from './actions.ts'
import { CHANNELS, wrongs } from './invariants.ts'
import { newModelState, passTime, QUEUE_HOURS, workflows, type ModelPost, type Who, type ModelState } from './state.ts'

/*
 * The same sequences played on the product over HTTP, with its real machine and a platform that answers as the words
 * say. After every action the product must stand where the model stands.
 */

type House = {
  home: TestHome
  as: Record<Who, TestPerson>
  channels: string[]
  workflowIds: string[]
  /** The ids of the model's posts. */ ids: string[]
}
type Sent = { text: string; at: number }

export type ModelFixture = {
  /** Plays a sequence in a new organization; throws a Difference where the product stands elsewhere than the model. */
  play: (actions: readonly Action[]) => Promise<void>
  /** How often each action had each answer, as `edit POST_LOCKED`, and how often a post came to each state. */
  tally: ReadonlyMap<string, number>
  close: () => Promise<void>
}
type Tally = Map<string, number>
const count = (tally: Tally, what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

export async function openModelFixture(): Promise<ModelFixture> {
  const sent: Sent[] = []
  const reason = saying('Not this one.', 'Change the words.')
  const platform = scriptedPlatform({
    send: async (_reach, _secret, _account, post) => {
      const text = post.contents[0]?.text ?? ''
      sent.push({ text, at: app.clock.now().getTime() })
      if (text.startsWith('refused')) return { kind: 'rejected', reason }
      if (text.startsWith('unknown')) return { kind: 'unknown', reason }
      return { kind: 'sent', remoteId: `remote ${post.sendKey}`, progress: post.progress }
    },
    reconcile: async () => ({ kind: 'unknown', reason }),
  })
  const app = await startApp({ platforms: { bluesky: platform } })
  const start = () =>
    publishingOf(app, [platform], {
      log: quietLog,
      // the clock jumps by hours, and no heartbeat comes in between
      options: { batch: { size: 50, wait: 0 } },
    })
  let machine = await start()
  let started = app.clock.now().getTime()
  const tally: Tally = new Map()
  return {
    play: async (actions) => {
      // a node whose heartbeat is that old sends nothing any more
      if (app.clock.now().getTime() - started > WEEKS) {
        await machine.stop({ drain: 5000 })
        machine = await start()
        started = app.clock.now().getTime()
      }
      await play(app, { sent, tally }, actions)
    },
    tally,
    close: async () => {
      await machine.stop({ drain: 5000 })
      await app.close()
    },
  }
}

async function play(
  app: TestApp,
  { sent, tally }: { sent: Sent[]; tally: Tally },
  actions: readonly Action[],
): Promise<void> {
  const house = await build(app)
  const world = newModelState(app.clock.now().getTime(), CHANNELS)
  sent.length = 0
  try {
    for (const [turn, action] of actions.entries()) {
      if (action.kind === 'wait') {
        for (const at of passTime(world, action.hours)) {
          app.clock.set(new Date(at))
          await rest(app, house)
        }
      } else if (!('which' in action) || pick(world, action.which) >= 0) {
        const given = textOf(world, 'word' in action ? action.word : '', turn)
        const answer = await perform(app, house, world, action, given)
        mustEqual(answer, act(world, action, turn), action, 'the answer')
        count(tally, `${action.kind} ${answer}`)
        await rest(app, house)
      }
      await compare(app, house, world, sent, action)
    }
    for (const { became } of world.moves) count(tally, became)
  } finally {
    // nothing of this house comes due in the next one
    await app.database.owner.query("update post set state = 'DRAFTS', queue_order = null where org_id = $1", [
      house.home.orgId,
    ])
    await app.database.owner.query('update delivery set step = null, step_at = null where org_id = $1', [
      house.home.orgId,
    ])
    // every house begins at a full hour
    app.clock.advance({ hours: 1 })
  }
}

async function build(app: TestApp): Promise<House> {
  const home = await app.signedInOwner()
  const [editor, user, guest] = await Promise.all([
    app.colleague(home, 'editor'),
    app.colleague(home, 'user'),
    app.colleague(home, 'none'),
  ])
  const as = { owner: home.person, editor, user, guest }
  const content = contentOn(app.parts)
  const channels: string[] = []
  for (let i = 0; i < CHANNELS; i++) {
    const channelId = await content.channel(home)
    channels.push(channelId)
    const slots = QUEUE_HOURS.flatMap((hour) =>
      [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, time: `${String(hour).padStart(2, '0')}:00` })),
    )
    await app.call(
      setQueueSlots,
      { params: { ...home.params, channelId }, body: { timezone: 'UTC', slots } },
      { as: home.person },
    )
  }
  const workflowIds: string[] = []
  for (const [i, steps] of workflows.entries()) {
    const body = {
      name: `Workflow ${i}`,
      steps: steps.map(({ needs, of }) => ({
        needs,
        approvers: of.map((who) => ({ kind: 'member' as const, userId: as[who].personId })),
      })),
    }
    workflowIds.push((await app.call(createWorkflow, { params: home.params, body }, { as: home.person })).workflowId)
  }
  return { home, as, channels, workflowIds, ids: [] }
}

/** Waits until nothing is due and nothing is being sent. */
async function rest(app: TestApp, { home }: House): Promise<void> {
  const left = async () =>
    (
      await app.database.owner.query<{ n: number }>(
        "select count(*)::int as n from post p where org_id = $1 and (state = 'PROCESSING' or (state in ('SCHEDULED', 'QUEUED') and exists (select from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.step_at <= $2)))",
        [home.orgId, app.clock.now()],
      )
    ).rows[0]?.n
  await until(async () => Number(await left()) === 0, { what: 'the machine to come to rest' })
}

async function perform(app: TestApp, house: House, world: ModelState, action: Acting, text: string): Promise<Answer> {
  try {
    await send(app, house, world, action, text)
    return 'done'
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    // a code that the model never answers is a difference, and told as one
    return error.code as Answer
  }
}

type Submitted = CallOf<typeof submitPost>['body']

async function send(
  { call, database }: TestApp,
  house: House,
  world: ModelState,
  action: Acting,
  text: string,
): Promise<void> {
  const { home, ids } = house
  const as = { as: house.as[action.who] }
  const says = [{ text, media: [] }]
  if (action.kind === 'submit' || action.kind === 'series' || action.kind === 'ask') {
    const channels = action.channels.map((channel) => ({
      channelId: house.channels[channel] ?? '',
      postType: 'post' as const,
      contents: says,
    }))
    const reply = await call(submitPost, { params: home.params, body: { channels, ...how(house, world, action) } }, as)
    // a series answers its posts by channel, in order of time: as the model made them
    ids.push(...reply.posts.map(({ postId }) => postId))
    return
  }
  if (action.kind === 'pause')
    return void (await call(
      setQueueStatus,
      { params: { ...home.params, channelId: house.channels[action.channel] ?? '' }, body: { paused: action.paused } },
      as,
    ))
  const index = pick(world, action.which)
  const params = { ...home.params, postId: ids[index] ?? '' }
  // everyone looks at the newest version, whoever they are: what they may do with it is the product's to say
  const version = await versionOf(database, ids[index] ?? '')
  switch (action.kind) {
    case 'edit': {
      const contents = action.changes ? says : [{ text: world.posts[index]?.text ?? '', media: [] }]
      return void (await call(editPost, { params, body: { version: version - (action.stale ? 1 : 0), contents } }, as))
    }
    case 'askAgain':
      return void (await call(
        editPost,
        {
          params,
          body: {
            version,
            contents: says,
            schedule: once(world, action.hours),
            workflowId: house.workflowIds[action.workflow] ?? '',
          },
        },
        as,
      ))
    case 'move':
      return void (await call(reschedulePost, { params, body: { schedule: scheduleOf(world, action.target) } }, as))
    case 'delete':
      return void (await call(deletePost, { params }, as))
    case 'restore':
      return void (await call(restorePost, { params }, as))
    case 'retry':
      return void (await call(retryPost, { params }, as))
    case 'settle':
      return void (await call(settlePost, { params, body: { outcome: action.outcome } }, as))
    case 'approve':
      return void (await call(approvePost, { params, body: { version } }, as))
    case 'reject':
      return void (await call(rejectPost, { params, body: { version, comment: 'Not like this' } }, as))
  }
}

const isoIn = (world: ModelState, hours: number): string => new Date(timeIn(world.now, hours)).toISOString()
const once = (world: ModelState, hours: number) => ({
  type: 'ONCE' as const,
  details: { utc: isoIn(world, hours), timezone: 'UTC' },
})

function scheduleOf(world: ModelState, target: Target): Submitted['schedule'] {
  if (target.type === 'ONCE') return once(world, target.hours)
  return target.type === 'QUEUE' ? { type: 'QUEUE', details: { position: target.position } } : target
}

function how(
  house: House,
  world: ModelState,
  action: Extract<Acting, { kind: 'submit' | 'series' | 'ask' }>,
): Pick<Submitted, 'intent' | 'schedule' | 'workflowId'> {
  if (action.kind === 'series')
    return {
      intent: 'SCHEDULE',
      schedule: {
        type: 'RECURRING_CUSTOM',
        details: {
          utc: Array.from({ length: action.count }, (_, i) => isoIn(world, action.hours + i)),
          timezone: 'UTC',
        },
      },
    }
  const schedule = scheduleOf(world, action.target)
  if (action.target.type === 'DRAFT') return { intent: 'DRAFT', schedule }
  if (action.kind === 'ask')
    return { intent: 'NEEDS_APPROVAL', schedule, workflowId: house.workflowIds[action.workflow] ?? '' }
  return { intent: ({ NOW: 'PUBLISH', ONCE: 'SCHEDULE', QUEUE: 'QUEUE' } as const)[action.target.type], schedule }
}

async function versionOf(database: TestApp['database'], postId: string): Promise<number> {
  return (
    (await database.owner.query<{ version: number }>('select version from post where id = $1', [postId])).rows[0]
      ?.version ?? 0
  )
}

type Row = { id: string; state: PostState; text: string; due_at: Date | null; stale: boolean }

/** Every post of the product beside that of the model, what went to the platform, and what must hold of any world. */
async function compare(
  app: TestApp,
  { home, ids }: House,
  world: ModelState,
  sent: readonly Sent[],
  action: Action,
): Promise<void> {
  const { rows } = await app.database.owner.query<Row>(
    "select id, state, contents->0->>'text' as text, due_at, month_item is distinct from month_item_of(post) as stale from post where org_id = $1",
    [home.orgId],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  mustEqual(rows.length, world.posts.length, action, 'how many posts there are')
  mustEqual(
    rows.filter(({ stale }) => stale).map(({ id }) => id),
    [],
    action,
    'posts whose stored month item is outdated',
  )
  const theirs = ids
    .map((id) => byId.get(id))
    .map((row) => row && shown(row.state, row.text, row.due_at?.getTime() ?? null))
  mustEqual(
    theirs,
    world.posts.map(({ state, text, due }) => shown(state, text, due)),
    action,
    'the posts',
  )
  mustEqual(sorted(sent), sorted(world.sent), action, 'what went to the platform, and when')
  // the same questions asked of what the product says
  mustEqual(wrongs(withStates(world, theirs)), [], action, 'what must hold')
}

/** A time is promised only while a post waits for it. */
const shown = (state: PostState, text: string, due: number | null) => ({
  state,
  text,
  due: state === 'SCHEDULED' || state === 'QUEUED' || state === 'NEEDS_APPROVAL' ? due : null,
})
const sorted = (sent: readonly Sent[]): string[] => sent.map(({ text, at }) => `${text} at ${at}`).toSorted()
const withStates = (
  world: ModelState,
  theirs: readonly ({ state: PostState; text: string } | undefined)[],
): ModelState => ({
  ...world,
  posts: world.posts.map((post, i): ModelPost => ({
    ...post,
    ...(theirs[i] && { state: theirs[i].state, text: theirs[i].text }),
  })),
})

/** The product stands elsewhere than the model. */
class Difference extends Error {
  override name = 'Difference'
}

function mustEqual(product: unknown, model: unknown, action: Action, what: string): void {
  const [theirs, ours] = [JSON.stringify(product), JSON.stringify(model)]
  if (theirs !== ours)
    throw new Difference(`After ${JSON.stringify(action)}, ${what}:\n  product ${theirs}\n  model   ${ours}`)
}
