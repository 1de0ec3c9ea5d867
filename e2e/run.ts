import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { openStage, play, type Journey } from './harness.ts'

// node e2e/run.ts [words]: plays the journeys whose names hold the words, all without any. The last line is the sum.

const folder = join(import.meta.dirname, 'journeys')
const words = process.argv.slice(2).join(' ').toLowerCase()
const journeys = (await allJourneys()).filter(({ name }) => name.toLowerCase().includes(words))
/** Journeys share nothing but the stage, and mostly wait: two at a time use a machine of two cores. */
const AT_ONCE = 2
/** A machine that stands still for a moment spoils a few journeys. When more fail, something is wrong. */
const MOST_AGAIN = 3
const { stage, close } = await openStage()
const unsteady: Journey[] = []
let failed: Journey[] = []
try {
  const waiting = [...journeys]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let journey = waiting.shift(); journey; journey = waiting.shift()) if (!(await playAndTell(journey))) failed.push(journey)
    }),
  )
  if (failed.length <= MOST_AGAIN) {
    const again = failed
    failed = []
    for (const journey of again) (await playAndTell(journey, 'played again, alone: ') ? unsteady : failed).push(journey)
  }
} finally {
  await close()
}
for (const { name } of unsteady) console.log(`${styleText('yellow', 'unsteady')} ${name}: failed at first, see above. Either the journey counts on what is faster, or the product loses something now and then.`)
console.log(`${journeys.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Whether it passed. */
async function playAndTell(journey: Journey, note = ''): Promise<boolean> {
  const began = performance.now()
  const error = await play(stage, journey).then(
    () => undefined,
    (thrown: unknown) => thrown ?? new Error('failed'),
  )
  const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`
  console.log(`${error ? styleText('red', 'failed') : styleText('green', 'passed')}  ${note}${journey.name} (${seconds})`)
  if (error) console.log(error)
  return !error
}

async function allJourneys(): Promise<Journey[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).toSorted()
  const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<{ journeys: Journey[] }>)) // each file of the folder exports its journeys
  return modules.flatMap((module) => module.journeys)
}
