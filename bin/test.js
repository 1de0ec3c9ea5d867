import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureBlueskyServer } from './lib/blueskyServer.js'
import { ensureChromium } from './lib/chromium.js'
import { ensureInstalled } from './lib/install.js'
import { at, main, Problem, root } from './lib/places.js'
import { runNode } from './lib/run.js'
import { ensureWebBuilt } from './lib/web.js'

// The only meaning of green. Everything runs even when something failed before it; the last line is the sum.
// npm test -- api faults: only those stages. npm test -- browser -g 'labels:': what begins with the first - is Playwright's.

/** At most so many files of failed tests are run once more, one at a time. A slow machine fails a few; a defect, more. */
const FILES_RUN_AGAIN = 10

const bin = (path) => at('node_modules', ...path.split('/'))

/** One tool, one verdict: its output is shown when it fails. */
const check =
  (...args) =>
  async () => {
    const { code, output } = await runNode(args, { capture: true })
    if (code !== 0) process.stdout.write(`${output.trim()}\n`)
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
  }

const tsc = (project) => check(bin('typescript/bin/tsc'), '--noEmit', '-p', project)

const stages = {
  format: check(bin('oxfmt/bin/oxfmt'), '--check', '.'),
  lockfile: check(at('bin', 'complete-lockfile.js'), '--check'),
  'types of the server': tsc('tsconfig.json'),
  'types of the web': tsc('web/tsconfig.json'),
  'types of the browser tests': tsc('e2e/tsconfig.json'),
  lint: check(bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'),
  'import rules': check(at('bin', 'import-rules.js')),
  'plain English': check(at('bin', 'plain-english.js')),
  // what nobody imports, and packages that nobody uses or that package.json doesn't name
  'unused code': check(bin('knip/bin/knip.js'), '--no-progress', '--no-config-hints'),
  unit: vitest('unit'),
  api: vitest('api'),
  'object store': vitest('objects'),
  faults: vitest('faults'),
  bluesky: async () => {
    await preparing
    return await vitest('bluesky')()
  },
  browser: async () => {
    const chromium = await ensureChromium()
    await preparing
    await ensureWebBuilt()
    const file = reportOf('browser')
    const { code } = await runNode(
      [bin('@playwright/test/cli.js'), 'test', '-c', 'e2e', '--reporter=list,json', ...playwrightOptions],
      {
        env: {
          CHROMIUM_PATH: chromium,
          PLAYWRIGHT_JSON_OUTPUT_FILE: file,
          // someone looks at the pictures of journeys that were chosen
          ...(playwrightOptions.length === 0 && { SCREENSHOTS: 'none' }),
        },
      },
    )
    return fromPlaywright(file, code)
  },
}

let preparing = Promise.resolve()
let playwrightOptions = []

await main(async () => {
  const given = process.argv.slice(2)
  const option = given.findIndex((word) => word.startsWith('-'))
  const asked = given.slice(0, option < 0 ? undefined : option)
  playwrightOptions = given.slice(asked.length)
  const unknown = asked.find((name) => !(name in stages))
  if (unknown) throw new Problem(`Unknown stage "${unknown}". Available: ${Object.keys(stages).join(', ')}.`)
  await ensureInstalled()
  const chosen = Object.keys(stages).filter((name) => asked.length === 0 || asked.includes(name))
  if (chosen.includes('bluesky') || chosen.includes('browser')) preparing = prepareBeside()
  const results = []
  for (const name of chosen) results.push(await runStage(name))
  report(results)
})

/** Installing and building takes minutes on a fresh machine and mostly waits, so it runs next to the first stages. */
function prepareBeside() {
  const preparation = ensureBlueskyServer()
  // its failure belongs to the stage that waits for it
  preparation.catch(() => {})
  return preparation
}

async function runStage(name) {
  process.stdout.write(`\n# ${name}\n`)
  const began = performance.now()
  const result = await stages[name]().catch((error) => {
    process.stdout.write(`${error instanceof Problem ? error.message : error.stack}\n`)
    return { passed: 0, failed: 1 }
  })
  return { name, ...result, seconds: (performance.now() - began) / 1000 }
}

/**
 * A vitest project; a file that doesn't load and an error outside every test count as failures too. What failed in a
 * few files is run once more, one file at a time: tests that pass then are named "unsteady" with their first failure instead of
 * failing the gate, because each needs a cause found and not a second run by hand.
 */
function vitest(project) {
  return async () => {
    const first = await runVitest(project, [])
    const files = [...new Set(first.failures.map(({ file }) => file))]
    if (first.broken || files.length === 0 || files.length > FILES_RUN_AGAIN)
      return { passed: first.passed, failed: first.failed, failures: first.failures }
    const again = await runVitest(project, ['--no-file-parallelism', ...files])
    const stillFails = ({ file, name }) =>
      again.broken || again.failures.some((failure) => failure.file === file && failure.name === name)
    const failures = [
      ...first.failures.filter(stillFails),
      ...again.failures.filter(
        ({ file, name }) => !first.failures.some((failure) => failure.file === file && failure.name === name),
      ),
    ]
    const unsteady = first.failures.filter((failure) => !stillFails(failure))
    return { passed: first.passed + unsteady.length, failed: failures.length, failures, unsteady }
  }
}

async function runVitest(project, more) {
  const file = reportOf(project)
  const options = ['--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code } = await runNode([bin('vitest/vitest.mjs'), 'run', '--project', project, ...options, ...more])
  return fromReport(file, code)
}

function fromReport(file, code) {
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

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // no test ran, or vitest itself broke: its exit code tells which
    return {}
  }
}

/** Where a stage's tool reports to; the report of the run before is gone. */
function reportOf(stage) {
  const file = at('node_modules', '.cache', `report-${stage}.json`)
  mkdirSync(at('node_modules', '.cache'), { recursive: true })
  rmSync(file, { force: true })
  return file
}

/** Playwright plays again, alone, what failed. What it couldn't load or never played counts as one failure. */
function fromPlaywright(file, code) {
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

function report(results) {
  const width = Math.max(...results.map(({ name }) => name.length))
  const line = (name, passed, failed, seconds) =>
    `${name.padEnd(width)}  ${passed.padStart(7)}  ${failed.padStart(7)}  ${seconds.padStart(8)}\n`
  process.stdout.write(`\n${line('stage', 'passed', 'failed', 'seconds')}`)
  for (const { name, passed, failed, seconds } of results)
    process.stdout.write(line(name, String(passed), String(failed), seconds.toFixed(1)))
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  for (const { name, failures = [], unsteady = [] } of results) {
    for (const failure of unsteady) process.stdout.write(described('unsteady', name, failure))
    for (const failure of failures) process.stdout.write(described('failed', name, failure))
  }
  process.stdout.write(`\nin ${Math.round(sum('seconds'))} s\n${sum('passed')} passed, ${sum('failed')} failed\n`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
}

/** A failure at the end of the output, where it's found even when only the end was kept. */
function described(verdict, stage, { file, name, message }) {
  const lines = message.split('\n').slice(0, 6)
  return `\n${verdict} in ${stage}: ${file} "${name}"\n${lines.map((text) => `  ${text.slice(0, 300)}\n`).join('')}`
}
