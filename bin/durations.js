import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { DURATIONS } from './lib/durations.js'
import { at, main, Problem, root } from './lib/places.js'

// Notes which files of tests took long in the last `npm test` on a quiet machine: later runs begin with them.

/** Shorter files can come in any order. */
const WORTH_NOTING = 2

const STAGES = ['unit', 'api', 'objects', 'faults', 'bluesky']

await main(async () => {
  const reports = STAGES.map((stage) => at('node_modules', '.cache', `report-${stage}.json`)).filter(existsSync)
  if (reports.length === 0) throw new Problem('There is no report of a run: npm test')
  const results = reports.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).testResults)
  const seconds = new Map(Object.entries(DURATIONS))
  for (const { name, startTime, endTime } of results) {
    const path = relative(root, name)
    seconds.delete(path)
    const took = Math.round((endTime - startTime) / 1000)
    if (took >= WORTH_NOTING) seconds.set(path, took)
  }
  const kept = [...seconds].filter(([path]) => existsSync(at(path))).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(at('bin', 'lib', 'durations.json'), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
})
