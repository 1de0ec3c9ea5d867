import { transitions } from '#contract/postStates.ts'
import { act, pick } from './act.ts'
import type { Action } from './actions.ts'
import { CAP, countOn, HOUR, newModelState, passTime, type ModelState } from './state.ts'

const MODEL_START = Date.parse('2026-11-21T10:00:00Z')
export const CHANNELS = 2

/** Everything that is wrong in a model, as text; empty if nothing is. */
export function wrongs(world: ModelState): string[] {
  const wrong: string[] = []
  for (const { post, was, became } of world.moves)
    if (!transitions[was].includes(became)) wrong.push(`post ${post} went from ${was} to ${became}`)
  for (const [channel] of world.queues.entries())
    if (countOn(world, channel) > CAP) wrong.push(`channel ${channel} holds ${countOn(world, channel)} posts`)
  for (const [index, post] of world.posts.entries()) {
    const { state, round } = post
    const isAway = state === 'SCHEDULED' || state === 'QUEUED' || state === 'PUBLISHED' || state === 'PROCESSING'
    if (isAway && !post.cleared) wrong.push(`post ${index} is ${state} and nobody who may let it has`)
    if (isAway && (round?.state === 'open' || round?.state === 'rejected'))
      wrong.push(`post ${index} is ${state} while its round is ${round.state}`)
    if (isAway && round?.state === 'approved' && round.text !== post.text)
      wrong.push(`post ${index} says something else than what was approved`)
    if (state === 'NEEDS_APPROVAL' && (round?.state !== 'open' || round.text !== post.text))
      wrong.push(`nobody is asked about the words of post ${index}`)
    const stands = world.queues[post.channel]?.line.filter((other) => other === index).length ?? 0
    if (stands !== (state === 'QUEUED' ? 1 : 0))
      wrong.push(`post ${index} is ${state} and stands ${stands} times in its queue`)
    if ((state === 'SCHEDULED' || state === 'QUEUED') && post.due !== null && post.due <= world.now)
      wrong.push(`post ${index} was due and is ${state}`)
  }
  for (const { text, due, at } of world.sent)
    if (due !== at) wrong.push(`"${text}" was due at ${due} and went at ${at}`)
  for (const post of world.posts)
    if (post.due !== null && post.due % (HOUR / 2) !== 0) wrong.push('a time that nobody chose')
  return wrong
}

/** Runs a sequence on the model alone; throws at the first broken invariant. */
export function playOnModel(actions: readonly Action[]): ModelState {
  const world = newModelState(MODEL_START, CHANNELS)
  for (const [turn, action] of actions.entries()) {
    if (action.kind === 'wait') for (const _ of passTime(world, action.hours)) mustBeRight(world, action)
    else if (!('which' in action) || pick(world, action.which) >= 0) act(world, action, turn)
    mustBeRight(world, action)
  }
  return world
}

function mustBeRight(world: ModelState, action: Action): void {
  const wrong = wrongs(world)
  if (wrong.length > 0) throw new Error(`After ${JSON.stringify(action)}: ${wrong.join('; ')}`)
}
