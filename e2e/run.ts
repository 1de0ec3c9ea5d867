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

/** What each journey failed with at first, told again at the end, where it's found even when only the end was kept. */
const firstErrors = new Map<string, unknown>()

let failed = await playAll(journeys, AT_ONCE)
let unsteady: Journey[] = []
if (failed.length > 0 && failed.length <= MOST_AGAIN) {
  const first = failed
  failed = await playAll(first, 1, 'played again, alone: ')
  unsteady = first.filter((journey) => !failed.includes(journey))
}
for (const { name } of unsteady)
  console.log(
    `${styleText('yellow', 'unsteady')} ${name}: failed at first. Either the journey relies on timing, or the product sometimes loses something.\n${firstLines(name)}`,
  )
for (const { name } of failed) console.log(`${styleText('red', 'failed')} ${name}\n${firstLines(name)}`)
console.log(`${journeys.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Plays them on a stage of their own and answers those that failed. */
async function playAll(all: readonly Journey[], atOnce: number, note = ''): Promise<Journey[]> {
  const { stage, close } = await openStage()
  const broken: Journey[] = []
  const waiting = [...all]
  try {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let journey = waiting.shift(); journey; journey = waiting.shift())
          if (!(await playAndTell(stage, journey, note))) broken.push(journey)
      }),
    )
  } finally {
    await close()
  }
  return broken
}

/** Whether it passed. */
async function playAndTell(stage: Parameters<typeof play>[0], journey: Journey, note: string): Promise<boolean> {
  const began = performance.now()
  const error = await play(stage, journey).then(
    () => undefined,
    (thrown: unknown) => thrown ?? new Error('failed'),
  )
  const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`
  console.log(
    `${error ? styleText('red', 'failed') : styleText('green', 'passed')}  ${note}${journey.name} (${seconds})`,
  )
  if (error) console.log(error)
  if (error && !firstErrors.has(journey.name)) firstErrors.set(journey.name, error)
  return !error
}

async function allJourneys(): Promise<Journey[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).toSorted()
  const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<{ journeys: Journey[] }>)) // each file of the folder exports its journeys
  return modules.flatMap((module) => module.journeys)
}

/** What it says and what that came from, the beginning of each. */
function firstLines(name: string): string {
  const lines: string[] = []
  let error = firstErrors.get(name)
  for (; error instanceof Error && lines.length < 12; error = error.cause)
    lines.push(...error.message.split('\n').slice(0, 4))
  if (typeof error === 'string') lines.push(error)
  return lines.map((line) => `  ${line.slice(0, 300)}`).join('\n')
}
