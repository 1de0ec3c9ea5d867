import * as fc from 'fast-check'
import { people, words, workflows } from './state.ts'

/*
 * People's actions, with numbers that choose their objects: `which` counts from the newest post, modulo how many there
 * are.
 */

const who = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('owner' as const, 'editor' as const) },
  { weight: 3, arbitrary: fc.constantFrom(...people) },
)
const which = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, { weight: 2, arbitrary: fc.nat({ max: 200 }) })
const word = fc.oneof(
  { weight: 5, arbitrary: fc.constant('live' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...words) },
)
const hours = fc.integer({ min: 1, max: 60 })
const workflow = fc.nat({ max: workflows.length - 1 })
const position = fc.constantFrom('NEXT' as const, 'LAST' as const)
const channels = fc.uniqueArray(fc.nat({ max: 1 }), { minLength: 1, maxLength: 2 })
const target = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('ONCE' as const), hours }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('QUEUE' as const), position }) },
  { weight: 1, arbitrary: fc.constant({ type: 'NOW' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'DRAFT' as const }) },
)

const submit = fc.record({ kind: fc.constant('submit' as const), who, channels, word, target })
const series = fc.record({
  kind: fc.constant('series' as const),
  who,
  channels,
  word,
  count: fc.integer({ min: 2, max: 7 }),
  hours,
})
const ask = fc.record({
  kind: fc.constant('ask' as const),
  who: fc.constantFrom(...people),
  channels,
  word,
  target,
  workflow,
})
const edit = fc.record({
  kind: fc.constant('edit' as const),
  who,
  which,
  word,
  changes: fc.boolean(),
  stale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})
const askAgain = fc.record({ kind: fc.constant('askAgain' as const), who, which, word, hours, workflow })
const move = fc.record({ kind: fc.constant('move' as const), who, which, target })
const onPost = <K extends 'delete' | 'restore' | 'retry' | 'approve' | 'reject'>(kind: K) =>
  fc.record({ kind: fc.constant(kind), who, which })
const settle = fc.record({
  kind: fc.constant('settle' as const),
  who,
  which,
  outcome: fc.constantFrom('published' as const, 'send_again' as const, 'failed' as const),
})
const pause = fc.record({ kind: fc.constant('pause' as const), who, channel: fc.nat({ max: 1 }), paused: fc.boolean() })
const wait = fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 20 }) })

const action = fc.oneof(
  { weight: 6, arbitrary: submit },
  { weight: 3, arbitrary: series },
  { weight: 6, arbitrary: ask },
  { weight: 5, arbitrary: edit },
  { weight: 2, arbitrary: askAgain },
  { weight: 4, arbitrary: move },
  { weight: 2, arbitrary: onPost('delete') },
  { weight: 2, arbitrary: onPost('restore') },
  { weight: 2, arbitrary: onPost('retry') },
  { weight: 7, arbitrary: onPost('approve') },
  { weight: 2, arbitrary: onPost('reject') },
  { weight: 2, arbitrary: settle },
  { weight: 1, arbitrary: pause },
  { weight: 4, arbitrary: wait },
)
export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never
/** In total less than the fourteen days of a trial, whose cap of ten should be reached. */
export const sequence = fc.array(action, { minLength: 5, maxLength: 16 })
export type Target = Extract<Action, { kind: 'move' }>['target']
