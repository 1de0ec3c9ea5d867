import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { at, root } from './places.js'

/**
 * What the tools of stages report.
 * @typedef {{ file: string, name: string, message: string }} Failure
 * @typedef {{ passed: number, failed: number, failures?: Failure[], unsteady?: Failure[] }} Result
 */

/** Where a stage's tool reports to; the report of the run before is gone. */
export function reportOf(stage) {
  const file = at('node_modules', '.cache', `report-${stage}.json`)
  mkdirSync(at('node_modules', '.cache'), { recursive: true })
  rmSync(file, { force: true })
  return file
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // no test ran, or the tool itself broke: its exit code tells which
    return {}
  }
}

/** Vitest's report. `broken`: an error outside every test, or in vitest itself. */
export function fromVitest(file, code) {
  const { numPassedTests = 0, testResults = [] } = readReport(file)
  const failures = testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const inFile = relative(root, path)
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ file: inFile, name: test.fullName, message: test.failureMessages?.[0] ?? '' }))
    return status === 'failed' && tests.length === 0 ? [{ file: inFile, name: '(did not load)', message }] : tests
  })
  // an error outside every test, or vitest itself: nothing that running a file again could clear
  const broken = code !== 0 && failures.length === 0
  return { passed: numPassedTests, failed: broken ? 1 : failures.length, failures, broken }
}

/** Playwright plays again, alone, what failed. What it couldn't load or never played counts as one failure. */
export function fromPlaywright(file, code) {
  const { suites = [], errors = [], stats = { expected: 0 } } = readReport(file)
  const failuresOf = (wanted) =>
    suites.flatMap(specsOf).flatMap(({ file: inFile, title, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ results }) => ({
          file: inFile,
          name: title,
          message: results[0].errors.map((error) => stripVTControlCharacters(error.message)).join('\n'),
        })),
    )
  const unsteady = failuresOf('flaky')
  const failures = failuresOf('unexpected')
  for (const { message } of errors) failures.push({ file: 'e2e', name: '(outside every journey)', message })
  const failed = Math.max(failures.length, code === 0 ? 0 : 1)
  return { passed: stats.expected + unsteady.length, failed, failures, unsteady }
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

/**
 * Prints the sum of a run, and each failure at the end, where it's found even when only the end was kept.
 * @param {(Result & { name: string, seconds: number })[]} results
 * @param {number} seconds of the whole run: stages run beside each other
 */
export function printSum(results, seconds) {
  const width = Math.max(...results.map(({ name }) => name.length))
  const line = (name, passed, failed, took) =>
    `${name.padEnd(width)}  ${passed.padStart(7)}  ${failed.padStart(7)}  ${took.padStart(8)}\n`
  process.stdout.write(`\n${line('stage', 'passed', 'failed', 'seconds')}`)
  for (const { name, passed, failed, seconds: took } of results)
    process.stdout.write(line(name, String(passed), String(failed), took.toFixed(1)))
  for (const { name, failures = [], unsteady = [] } of results) {
    for (const failure of unsteady) process.stdout.write(described('unsteady', name, failure))
    for (const failure of failures) process.stdout.write(described('failed', name, failure))
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  process.stdout.write(`\nin ${Math.round(seconds)} s\n${sum('passed')} passed, ${sum('failed')} failed\n`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
}

function described(verdict, stage, { file, name, message }) {
  const lines = message.split('\n').slice(0, 6)
  return `\n${verdict} in ${stage}: ${file} "${name}"\n${lines.map((text) => `  ${text.slice(0, 300)}\n`).join('')}`
}
