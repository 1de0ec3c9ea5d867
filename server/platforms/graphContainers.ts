import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { unsure } from './jsonCalls.ts'
import type { PrepareAnswer, Refusal, SendAnswer, ReconcileAnswer } from './platform.ts'
import { reconciledAs, type Found } from './findSent.ts'
import { codeWord } from './quotes.ts'

/*
 * Instagram and Threads publish containers: the platform fetches and converts a post's files into a container, which is
 * then published by its ID. Containers can be read, so a lost response to publishing can be reconciled, and expire
 * after 24 hours (Instagram Platform, content publishing; Threads, posts).
 */

export const containerStates = ['IN_PROGRESS', 'FINISHED', 'PUBLISHED', 'EXPIRED', 'ERROR'] as const
type ContainerState = (typeof containerStates)[number]
export type Form = Record<string, string | undefined>

export type ContainerApi = {
  label: string
  create: (form: Form) => Promise<{ kind: 'created'; id: string } | Refusal>
  look: (id: string) => Promise<{ kind: 'state'; state: ContainerState; problem: string } | { kind: 'gone' } | Refusal>
  /** What an ERROR means: a refusal, or that a new container may succeed. */
  problem: (problem: string) => Refusal | 'again'
  /** Seconds between checks. */
  everySeconds: number
}

/** The containers of a post: children first if it has several files. */
type ContainerPlan = { children: readonly Form[]; post: (children: readonly string[]) => Form }
/** The plan, or why there is none, such as files that the platform couldn't fetch. */
export type Planned = { kind: 'plan'; plan: ContainerPlan } | Refusal

const Saved = z.object({
  children: z.array(z.string()).catch([]),
  container: z.string().nullable().catch(null),
  /** How often this round's containers were checked. */
  looks: z.int().catch(0),
  /** How many containers failed. */
  failed: z.int().catch(0),
  /** The container was found to be published: a send succeeded although its response was lost. */
  published: z.boolean().catch(false),
})
export type Saved = z.infer<typeof Saved>
/** What earlier checks stored; empty at first. */
export const savedIn = (progress: Record<string, unknown>): Saved => Saved.parse(progress)

/**
 * How long a container may be in progress: a long video takes many minutes, and a second container would fetch and
 * convert it again.
 */
const LONGEST_SECONDS = 3600
/** How many rounds of containers are tried before a post fails. */
const ROUNDS = 3
const empty: Saved = { children: [], container: null, looks: 0, failed: 0, published: false }

/**
 * One step of preparing a container: creates what is missing and checks the platform's progress. Everything done is
 * stored, so no step is repeated; a container that expired or failed for a temporary reason is created again.
 */
export async function prepareContainer(
  api: ContainerApi,
  planned: Planned,
  progress: Record<string, unknown>,
): Promise<PrepareAnswer> {
  if (planned.kind !== 'plan') return planned
  const { plan } = planned
  const before = savedIn(progress)
  const children =
    before.container === null ? await createChildren(api, plan, before) : { kind: 'children' as const, saved: before }
  if (children.kind !== 'children') return children
  const unready = before.container === null ? await firstUnready(api, children.saved, progress) : undefined
  if (unready) return unready
  const whole = await createPost(api, plan, children.saved)
  if (whole.kind !== 'whole') return whole
  const { saved, container } = whole
  const state = judge(api, await api.look(container), saved, progress)
  if (state === 'FINISHED' || state === 'PUBLISHED')
    return { kind: 'prepared', progress: { ...progress, ...saved, ...(state === 'PUBLISHED' && { published: true }) } }
  return state
}

async function createChildren(
  api: ContainerApi,
  plan: ContainerPlan,
  saved: Saved,
): Promise<{ kind: 'children'; saved: Saved } | Refusal> {
  const children = [...saved.children]
  for (const form of plan.children.slice(children.length)) {
    const child = await api.create(form)
    if (child.kind !== 'created') return child
    children.push(child.id)
  }
  return { kind: 'children', saved: { ...saved, children } }
}

/**
 * Why not all files of a post are ready; undefined if they are. All are checked, because they're processed in parallel.
 */
async function firstUnready(
  api: ContainerApi,
  saved: Saved,
  progress: Record<string, unknown>,
): Promise<PrepareAnswer | undefined> {
  let waiting: PrepareAnswer | undefined
  for (const id of saved.children) {
    const state = judge(api, await api.look(id), saved, progress)
    if (typeof state !== 'string' && state.kind !== 'preparing') return state
    if (typeof state !== 'string') waiting ??= state
  }
  return waiting
}

async function createPost(
  api: ContainerApi,
  plan: ContainerPlan,
  saved: Saved,
): Promise<{ kind: 'whole'; saved: Saved; container: string } | Refusal> {
  if (saved.container !== null) return { kind: 'whole', saved, container: saved.container }
  const made = await api.create(plan.post(saved.children))
  return made.kind === 'created'
    ? { kind: 'whole', saved: { ...saved, container: made.id, looks: 0 }, container: made.id }
    : made
}

/** Whether a container is ready or published, or what happens instead. */
function judge(
  api: ContainerApi,
  seen: Awaited<ReturnType<ContainerApi['look']>>,
  saved: Saved,
  progress: Record<string, unknown>,
): 'FINISHED' | 'PUBLISHED' | PrepareAnswer {
  const preparing = (next: Saved): PrepareAnswer => ({
    kind: 'preparing',
    progress: { ...progress, ...next },
    checkAfterSeconds: api.everySeconds,
  })
  const afresh = (failed: number, why: string): PrepareAnswer =>
    failed < ROUNDS ? preparing({ ...empty, failed }) : gaveUp(api.label, why)
  if (seen.kind === 'gone') return preparing({ ...empty, failed: saved.failed })
  if (seen.kind !== 'state') return seen
  switch (seen.state) {
    case 'FINISHED':
    case 'PUBLISHED':
      return seen.state
    case 'EXPIRED':
      return preparing({ ...empty, failed: saved.failed })
    case 'IN_PROGRESS':
      // never a new container while one is in progress
      return (saved.looks + 1) * api.everySeconds < LONGEST_SECONDS
        ? preparing({ ...saved, looks: saved.looks + 1 })
        : gaveUp(api.label, seen.state)
    case 'ERROR':
    default: {
      const refusal = api.problem(seen.problem)
      return refusal === 'again' ? afresh(saved.failed + 1, seen.problem || seen.state) : refusal
    }
  }
}

const gaveUp = (label: string, platformCode: string): Refusal => ({
  kind: 'rejected',
  reason: { ...because('files-not-finished', { platform: label }), platformCode: codeWord(platformCode) || 'ERROR' },
})

export const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-prepared'), platformCode: 'not-prepared' },
}

/**
 * Publishes the prepared container. If it was already published and only the response was lost, that is reconciled
 * instead.
 */
export async function publishContainer(
  label: string,
  progress: Record<string, unknown>,
  reconcile: () => Promise<ReconcileAnswer>,
  publish: (container: string) => Promise<SendAnswer>,
): Promise<SendAnswer> {
  const saved = savedIn(progress)
  if (saved.container === null) return notPrepared
  if (!saved.published) return await publish(saved.container)
  const settled = await reconcile()
  return settled.kind === 'absent'
    ? {
        kind: 'unknown',
        reason: { ...because('published-not-shown', { platform: label }), platformCode: 'PUBLISHED' },
      }
    : settled
}

/**
 * After a lost response: PUBLISHED means that it was sent, and `find` returns its ID. A container that is FINISHED or
 * in progress wasn't published. For one that failed, expired or is gone, only the account knows.
 */
export async function settleContainer(
  api: ContainerApi,
  progress: Record<string, unknown>,
  find: () => Promise<Found>,
): Promise<ReconcileAnswer> {
  const { container } = savedIn(progress)
  const seen = container === null ? ({ kind: 'gone' } as const) : await api.look(container)
  if (seen.kind !== 'state' && seen.kind !== 'gone') return unsure(seen)
  if (seen.kind === 'state' && (seen.state === 'FINISHED' || seen.state === 'IN_PROGRESS')) return { kind: 'absent' }
  const found = await find()
  if (found.kind === 'none' && seen.kind === 'state' && seen.state === 'PUBLISHED')
    return {
      kind: 'unknown',
      reason: { ...because('published-not-shown', { platform: api.label }), platformCode: 'PUBLISHED' },
    }
  return reconciledAs(found, progress)
}
