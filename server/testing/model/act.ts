import { canDo } from '#contract/postStates.ts'
import type { Action, Target } from './actions.ts'
import {
  become,
  CAP,
  countOn,
  HOUR,
  isCounted,
  leaveLine,
  publishes,
  runMachine,
  settleQueues,
  workflows,
  type Asked,
  type ModelPost,
  type Round,
  type Who,
  type ModelState,
} from './state.ts'

/** The server's refusal, or done. */
export type Answer = 'done' | 'FORBIDDEN' | 'POST_LOCKED' | 'STALE_VERSION' | 'SCHEDULE_CAP' | 'TIME_PASSED'
class Refused extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(answer)
    this.answer = answer
  }
}
const refuse = (answer: Answer): never => {
  throw new Refused(answer)
}

export type Acting = Exclude<Action, { kind: 'wait' }>

/** The index of an action's post, counted from the newest; -1 if there is none. */
export const pick = (world: ModelState, which: number): number =>
  world.posts.length === 0 ? -1 : world.posts.length - 1 - (which % world.posts.length)
/** Half past, this many hours from now. */
export const timeIn = (now: number, hours: number): number => Math.floor(now / HOUR) * HOUR + hours * HOUR + HOUR / 2
/** A text that nobody has used yet, unless it should stay. */
export const textOf = (world: ModelState, word: string, turn: number): string => `${word} ${world.now}.${turn}`

/** Applies the action to the model; a refused one changes nothing. The engine then does what is due. */
export function act(world: ModelState, action: Acting, turn: number): Answer {
  try {
    apply(world, action, turn)
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
  settleQueues(world)
  runMachine(world)
  settleQueues(world)
  return 'done'
}

function apply(world: ModelState, action: Acting, turn: number): void {
  if (action.kind === 'submit' || action.kind === 'series' || action.kind === 'ask') return submit(world, action, turn)
  if (action.kind === 'pause') {
    if (!publishes(action.who)) refuse('FORBIDDEN')
    const queue = world.queues[action.channel]
    if (queue) queue.paused = action.paused
    return
  }
  const index = pick(world, action.which)
  const post = world.posts[index]
  if (!post) throw new Error('the action has no post')
  const { who } = action
  switch (action.kind) {
    case 'edit':
      mayChange(who, post)
      mustDo('edit', post)
      if (action.stale) refuse('STALE_VERSION')
      return edit(
        world,
        index,
        post,
        action.who,
        action.changes ? { text: textOf(world, action.word, turn), word: action.word } : null,
      )
    case 'askAgain': {
      mayChange(who, post)
      mustDo('edit', post)
      if (!isCounted(post, world.now)) mustFit(world, post.channel, 1)
      takeOff(world, index)
      Object.assign(post, {
        text: textOf(world, action.word, turn),
        word: action.word,
        asked: { type: 'ONCE' },
        due: timeIn(world.now, action.hours),
      })
      return askFor(world, index, post, action.workflow)
    }
    case 'move':
      return move(world, index, post, who, action.target)
    case 'delete':
      mayChange(who, post)
      mustDo('delete', post)
      takeOff(world, index)
      if (post.state === 'NEEDS_APPROVAL') voidRound(post)
      Object.assign(post, { deletedFrom: post.state, deletedAt: world.now })
      return become(world, index, 'DELETED')
    case 'restore':
      return restore(world, index, post, who)
    case 'retry':
      if (!publishes(who)) refuse('FORBIDDEN')
      mustDo('retry', post)
      return schedule(world, index, post, { type: 'NOW' }, world.now)
    case 'settle':
      if (!publishes(who)) refuse('FORBIDDEN')
      mustDo('settle', post)
      if (action.outcome === 'send_again') return schedule(world, index, post, { type: 'NOW' }, world.now)
      return become(world, index, action.outcome === 'published' ? 'PUBLISHED' : 'FAILED')
    case 'approve':
    case 'reject':
      return decide(world, index, post, who, action.kind)
  }
}

function mayChange(who: Who, { author, state }: Pick<ModelPost, 'author' | 'state'>): void {
  if (
    !publishes(who) &&
    !(who === 'user' && author === 'user' && (state === 'DRAFTS' || state === 'REJECTED' || state === 'NEEDS_APPROVAL'))
  )
    refuse('FORBIDDEN')
}
function mustDo(what: Parameters<typeof canDo>[0], { state }: ModelPost): void {
  if (!canDo(what, state)) refuse('POST_LOCKED')
}
function mustFit(world: ModelState, channel: number, more: number): void {
  if (countOn(world, channel) + more > CAP) refuse('SCHEDULE_CAP')
}

function submit(world: ModelState, action: Extract<Action, { kind: 'submit' | 'series' | 'ask' }>, turn: number): void {
  const { who } = action
  const target: Target = action.kind === 'series' ? { type: 'ONCE', hours: action.hours } : action.target
  const isDraft = target.type === 'DRAFT'
  const asks = action.kind === 'ask' && !isDraft
  if (who === 'guest' || (!isDraft && !asks && !publishes(who))) refuse('FORBIDDEN')
  const times = action.kind === 'series' ? action.count : 1
  const takesPlaces = target.type === 'ONCE' || (target.type === 'QUEUE' && !asks)
  if (takesPlaces) for (const channel of action.channels) mustFit(world, channel, times)
  for (const channel of action.channels) {
    for (let i = 0; i < times; i++) {
      const index = world.posts.length
      const due = target.type === 'ONCE' ? timeIn(world.now, target.hours + i) : null
      const post: ModelPost = {
        channel,
        author: who,
        text: textOf(world, action.word, turn),
        word: action.word,
        state: 'DRAFTS',
        asked: askedOf(target),
        due,
        round: null,
        cleared: false,
        deletedFrom: null,
        deletedAt: 0,
        isThere: false,
      }
      world.posts.push(post)
      if (isDraft) continue
      if (action.kind === 'ask') askFor(world, index, post, action.workflow)
      else if (target.type === 'QUEUE') enqueue(world, index, post, target.position)
      else schedule(world, index, post, askedOf(target), due ?? world.now)
      if (action.kind !== 'ask') post.cleared = true
    }
  }
}

const askedOf = (target: Target): Asked => (target.type === 'ONCE' ? { type: 'ONCE' } : target)

function askFor(world: ModelState, index: number, post: ModelPost, workflow: number): void {
  post.round = { workflow, step: 0, decided: [], text: post.text, state: 'open' }
  post.cleared = false
  become(world, index, 'NEEDS_APPROVAL')
}

const voidRound = (post: ModelPost): void => {
  if (post.round && (post.round.state === 'open' || post.round.state === 'approved'))
    post.round = { ...post.round, state: 'void' }
}

function takeOff(world: ModelState, index: number): void {
  leaveLine(world, index)
}

/** Only people who may publish, and the last approval, get here. */
function schedule(world: ModelState, index: number, post: ModelPost, asked: Asked, due: number): void {
  takeOff(world, index)
  Object.assign(post, { asked, due, cleared: true })
  become(world, index, 'SCHEDULED')
}
function enqueue(world: ModelState, index: number, post: ModelPost, position: 'NEXT' | 'LAST'): void {
  takeOff(world, index)
  const line = world.queues[post.channel]?.line ?? []
  if (position === 'NEXT') line.unshift(index)
  else line.push(index)
  Object.assign(post, { asked: { type: 'QUEUE', position }, due: null, cleared: true })
  become(world, index, 'QUEUED')
}

function edit(
  world: ModelState,
  index: number,
  post: ModelPost,
  who: Who,
  says: Pick<ModelPost, 'text' | 'word'> | null,
): void {
  const isAsked = post.round?.state === 'open' || post.round?.state === 'approved'
  if (post.state === 'DRAFTS' || !says || !isAsked || !post.round) {
    Object.assign(post, says ?? {})
    if (says && post.state !== 'DRAFTS' && publishes(who)) post.cleared = true
    return
  }
  const isDated = post.asked.type === 'ONCE' && post.due !== null
  if (isDated && !isCounted(post, world.now)) mustFit(world, post.channel, 1)
  takeOff(world, index)
  Object.assign(post, says, isDated ? {} : { due: null })
  askFor(world, index, post, post.round.workflow)
}

function move(world: ModelState, index: number, post: ModelPost, who: Who, target: Target): void {
  if (target.type === 'NOW') {
    if (!publishes(who)) refuse('FORBIDDEN')
    mustDo('sendNow', post)
  } else {
    mayChange(who, post)
    mustDo('reschedule', post)
  }
  if (target.type === 'DRAFT') {
    takeOff(world, index)
    if (post.state !== 'DRAFTS') voidRound(post)
    post.asked = { type: 'DRAFT' }
    return become(world, index, 'DRAFTS')
  }
  if (post.state === 'DRAFTS' && target.type !== 'NOW') return
  const mayTakePlace = !isCounted(post, world.now)
  const due = target.type === 'ONCE' ? timeIn(world.now, target.hours) : null
  if (post.state === 'NEEDS_APPROVAL') {
    if (due !== null && mayTakePlace) mustFit(world, post.channel, 1)
    Object.assign(post, { asked: askedOf(target), due })
    return
  }
  if (target.type !== 'NOW' && mayTakePlace) mustFit(world, post.channel, 1)
  if (target.type === 'QUEUE') enqueue(world, index, post, target.position)
  else schedule(world, index, post, askedOf(target), due ?? world.now)
}

const UNDO = 60_000

function restore(world: ModelState, index: number, post: ModelPost, who: Who): void {
  if (who === 'guest') refuse('FORBIDDEN')
  const was = post.deletedFrom
  if (post.state !== 'DELETED' || was === null) throw new Refused('POST_LOCKED')
  mayChange(who, { ...post, state: was })
  if (world.now - post.deletedAt > UNDO) refuse('TIME_PASSED')
  if (was === 'PUBLISHED' && !post.isThere) refuse('POST_LOCKED')
  if (isCounted({ ...post, state: was, due: was === 'QUEUED' ? null : post.due }, world.now))
    mustFit(world, post.channel, 1)
  post.deletedFrom = null
  if (was === 'QUEUED' && post.asked.type === 'QUEUE') return enqueue(world, index, post, post.asked.position)
  if (was === 'NEEDS_APPROVAL' && post.round) return askFor(world, index, post, post.round.workflow)
  become(world, index, was)
}

function decide(world: ModelState, index: number, post: ModelPost, who: Who, verdict: 'approve' | 'reject'): void {
  if (!publishes(who)) refuse('FORBIDDEN')
  const { round } = post
  if (post.state !== 'NEEDS_APPROVAL' || !round) throw new Refused('POST_LOCKED')
  const steps = workflows[round.workflow] ?? []
  const step = steps[round.step]
  if (round.decided.includes(who)) refuse('POST_LOCKED')
  if (!step?.of.includes(who)) refuse('FORBIDDEN')
  if (verdict === 'reject') {
    post.round = { ...round, state: 'rejected' }
    return become(world, index, 'REJECTED')
  }
  const decided = [...round.decided, who]
  const isStepDone = step?.needs === 'any' || step?.of.every((one) => decided.includes(one))
  if (!isStepDone) post.round = { ...round, decided }
  else if (round.step + 1 < steps.length) post.round = { ...round, step: round.step + 1, decided: [] }
  else continuePost(world, index, post, { ...round, state: 'approved' })
}

/** After the last approval, a post continues as it was submitted; if it can't, it waits, approved, for a person. */
function continuePost(world: ModelState, index: number, post: ModelPost, round: Round): void {
  post.round = round
  const isFull = countOn(world, post.channel) >= CAP
  if (post.asked.type === 'QUEUE')
    return isFull ? become(world, index, 'APPROVED') : enqueue(world, index, post, post.asked.position)
  if (post.asked.type === 'ONCE')
    return post.due === null || post.due <= world.now
      ? become(world, index, 'APPROVED')
      : schedule(world, index, post, post.asked, post.due)
  return schedule(world, index, post, { type: 'NOW' }, world.now)
}
