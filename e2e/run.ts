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
const { stage, close } = await openStage()
let failed = 0
try {
  const waiting = [...journeys]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let journey = waiting.shift(); journey; journey = waiting.shift()) await playAndTell(journey)
    }),
  )
} finally {
  await close()
}
console.log(`${journeys.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

async function playAndTell(journey: Journey): Promise<void> {
  const began = performance.now()
  const error = await play(stage, journey).then(
    () => undefined,
    (thrown: unknown) => thrown ?? new Error('failed'),
  )
  const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`
  console.log(`${error ? styleText('red', 'failed') : styleText('green', 'passed')}  ${journey.name} (${seconds})`)
  if (!error) return
  failed += 1
  console.log(error)
}

async function allJourneys(): Promise<Journey[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).toSorted()
  const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<{ journeys: Journey[] }>)) // each file of the folder exports its journeys
  return modules.flatMap((module) => module.journeys)
}
