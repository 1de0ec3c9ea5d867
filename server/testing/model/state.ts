import type { PostState } from '#contract/postStates.ts'

/* Posts as their users see them, as plain data: no SQL, no zones, no engine. Nothing here reads the server. */

export const HOUR = 3_600_000
export const CAP = 10
/** The queue's times, in UTC. Scheduled posts are at half past, so the two never coincide. */
export const QUEUE_HOURS = [0, 6, 12, 18]

export const people = ['owner', 'editor', 'user', 'guest'] as const
export type Who = (typeof people)[number]
export const publishes = (who: Who): boolean => who === 'owner' || who === 'editor'

/** How the platform will respond to this text. */
export const words = ['live', 'refused', 'unknown'] as const
type Word = (typeof words)[number]

/** Who approves, step by step; one of them is enough, or all are needed. */
export const workflows: readonly (readonly { needs: 'any' | 'all'; of: readonly Who[] }[])[] = [
  [{ needs: 'any', of: ['owner'] }],
  [
    { needs: 'any', of: ['owner'] },
    { needs: 'any', of: ['editor'] },
  ],
  [{ needs: 'all', of: ['owner', 'editor'] }],
]

export type Asked =
  | { type: 'NOW' }
  | { type: 'ONCE' }
  | { type: 'QUEUE'; position: 'NEXT' | 'LAST' }
  | { type: 'DRAFT' }
export type Round = {
  workflow: number
  step: number
  decided: Who[]
  /** The text that was reviewed. */ text: string
  state: 'open' | 'approved' | 'rejected' | 'void'
}
export type ModelPost = {
  channel: number
  author: Who
  text: string
  word: Word
  state: PostState
  asked: Asked
  due: number | null
  round: Round | null
  /** Someone who may publish, or every approver, approved this text. */
  cleared: boolean
  deletedFrom: PostState | null
  deletedAt: number
  /** The platform has it under a known ID. */
  isThere: boolean
}

/** Something was sent to the platform. */
type Sending = { text: string; due: number; at: number }
export type ModelState = {
  now: number
  posts: ModelPost[]
  /** For each channel: its queued posts in order. */
  queues: { paused: boolean; line: number[] }[]
  sent: Sending[]
  /** Every change of status, in order. */
  moves: { post: number; was: PostState; became: PostState }[]
}

export const newModelState = (now: number, channels: number): ModelState => ({
  now,
  posts: [],
  queues: Array.from({ length: channels }, () => ({ paused: false, line: [] })),
  sent: [],
  moves: [],
})

export function become(world: ModelState, index: number, state: PostState): void {
  const post = world.posts[index]
  if (!post || post.state === state) return
  world.moves.push({ post: index, was: post.state, became: state })
  post.state = state
}

/** Whether a post counts toward the cap. */
export function isCounted({ state, due }: ModelPost, now: number): boolean {
  if (state === 'QUEUED') return due === null || due > now
  return (state === 'SCHEDULED' || state === 'NEEDS_APPROVAL') && due !== null && due > now
}
export const countOn = (world: ModelState, channel: number): number =>
  world.posts.filter((post) => post.channel === channel && isCounted(post, world.now)).length

/** Every queued post whose slot hasn't passed has the slot of its position. */
export function settleQueues(world: ModelState): void {
  for (const { paused, line } of world.queues) {
    let next = Math.floor(world.now / HOUR) * HOUR
    for (const index of line) {
      const post = world.posts[index]
      if (!post || (!paused && post.due !== null && post.due <= world.now)) continue
      if (paused) {
        post.due = null
        continue
      }
      do next += HOUR
      while (!QUEUE_HOURS.includes(new Date(next).getUTCHours()))
      post.due = next
    }
  }
}

const outcome: Record<Word, PostState> = { live: 'PUBLISHED', refused: 'FAILED', unknown: 'UNCONFIRMED' }

/** The engine sends what is due. */
export function runMachine(world: ModelState): void {
  for (const [index, post] of world.posts.entries()) {
    if ((post.state !== 'SCHEDULED' && post.state !== 'QUEUED') || post.due === null || post.due > world.now) continue
    leaveLine(world, index)
    become(world, index, 'PROCESSING')
    world.sent.push({ text: post.text, due: post.due, at: world.now })
    become(world, index, outcome[post.word])
    if (post.word === 'live') post.isThere = true
  }
}

export function leaveLine(world: ModelState, index: number): void {
  for (const queue of world.queues) queue.line = queue.line.filter((other) => other !== index)
}

/** Hours pass while the engine runs: it handles everything that comes due. */
export function* passTime(world: ModelState, hours: number): Generator<number> {
  const end = world.now + hours * HOUR
  for (;;) {
    const coming = world.posts.flatMap(({ state, due }) =>
      (state === 'SCHEDULED' || state === 'QUEUED') && due !== null && due > world.now && due <= end ? [due] : [],
    )
    world.now = Math.min(end, ...coming)
    runMachine(world)
    settleQueues(world)
    yield world.now
    if (world.now === end) return
  }
}
