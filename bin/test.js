import { randomInt } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { ensureBlueskyServer } from './lib/blueskyServer.js'
import { aboutChange, changedSince } from './lib/changed.js'
import { ensureChromium } from './lib/chromium.js'
import { ensureInstalled } from './lib/install.js'
import { at, main, Problem } from './lib/places.js'
import { run, runNode } from './lib/run.js'
import { runStage } from './lib/runStage.js'
import { fromPlaywright, fromVitest, printSum, reportOf } from './lib/testReports.js'
import { ensureServerBuilt } from './lib/server.js'
import { ensureWebBuilt } from './lib/web.js'

// The only meaning of green. Everything runs even when something failed before it; the last line is the sum.
// npm test -- api faults: only those stages. npm test -- browser -g 'labels:': what begins with the first - is
// Playwright's. npm test -- long: all models play their full numbers. npm test -- changed main: what the change since
// that commit touches.

/** At most so many files of failed tests are run once more, one at a time. A slow machine fails a few; a defect, more. */
const FILES_RUN_AGAIN = 10

const bin = (path) => at('node_modules', ...path.split('/'))

/** What this run was asked for. */
const asked = readArguments(process.argv.slice(2))

/** A run's own, also for files that are run once more: what a model found once, it finds again. */
const MODEL_SEED = process.env.MODEL_SEED ?? String(randomInt(2 ** 31))

/**
 * For tools written in Go: threads that check types each derive what the others have derived, so that two of them take
 * half as much again of both cores.
 */
const ONE_THREAD = { GOMAXPROCS: '1', GOGC: '200' }

/** One tool, one verdict: its output is shown when it fails. */
const check =
  (...args) =>
  async (quiet) => {
    const { code, output } = await runNode(args, { capture: true, env: together ? ONE_THREAD : {} })
    const said = code === 0 ? '' : `${output.trim()}\n`
    if (!quiet) process.stdout.write(said)
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output: said }
  }

const format = (files) => check(bin('oxfmt/bin/oxfmt'), '--check', ...files)
const typesAndLint = (files) =>
  check(bin('oxlint/bin/oxlint'), '--type-aware', '--type-check', '--deny-warnings', ...files)

const stages = {
  format: format(['.']),
  lockfile: check(at('bin', 'complete-lockfile.js'), '--check'),
  // each folder by the nearest tsconfig.json
  'types and lint': typesAndLint([]),
  'import rules': check(at('bin', 'import-rules.js')),
  'plain English': check(at('bin', 'plain-english.js')),
  // what nobody imports, and packages that nobody uses or that package.json doesn't name
  'unused code': check(bin('knip/bin/knip.js'), '--no-progress', '--no-config-hints'),
  unit: vitest('unit'),
  api: vitest('api'),
  'object store': vitest('objects'),
  browser: (quiet) => playwright(asked.playwright, quiet),
  faults: vitest('faults'),
  bluesky: vitest('bluesky'),
}

/** Rows of stages that run at the same time, the longest as evenly as they can be shared out. */
const LANES = [
  ['format', 'lockfile', 'import rules', 'plain English', 'unused code', 'unit', 'api'],
  ['browser'],
  ['types and lint', 'faults', 'bluesky', 'object store'],
]

/** They need more than the packages: Bluesky's server, or the built web app. */
const NEED_MORE = ['browser', 'faults', 'bluesky']

/** Appears when a row without the journeys ends, which is when a second worker may play journeys (e2e/harness.ts). */
const ROW_ENDED = at('node_modules', '.cache', 'row-ended')

let preparing = Promise.resolve()

/**
 * Stages that aren't alone take one process each: more would wait for each other and make all of them slower. Journeys,
 * the longest row, take another one when a row has ended.
 */
let together = false

await main(async () => {
  await ensureInstalled()
  const began = performance.now()
  const chosen = asked.changed === undefined ? stagesOf(asked.stages) : await changedStages(asked.changed)
  if (NEED_MORE.some((name) => name in chosen)) preparing = prepareBeside()
  const lanes = LANES.map((names) => names.filter((name) => name in chosen)).filter((names) => names.length > 0)
  if (lanes.length > 1) together = true
  rmSync(ROW_ENDED, { force: true })
  const results = await Promise.all(
    lanes.map(async (names, lane) => {
      const inLane = []
      for (const name of names) inLane.push(await runStage(name, chosen[name], lane > 0))
      if (!names.includes('browser')) writeFileSync(ROW_ENDED, '')
      return inLane
    }),
  )
  printSum(results.flat(), (performance.now() - began) / 1000)
})

function readArguments(given) {
  const option = given.findIndex((word) => word.startsWith('-'))
  const words = given.slice(0, option < 0 ? undefined : option)
  const rest = given.slice(words.length)
  if (words[0] === 'changed') return { stages: [], playwright: rest, changed: words[1] ?? 'HEAD', long: false }
  const long = words[0] === 'long'
  return { stages: long ? words.slice(1) : words, playwright: rest, changed: undefined, long }
}

function stagesOf(names) {
  const unknown = names.find((name) => !(name in stages))
  if (unknown) throw new Problem(`Unknown stage "${unknown}". Available: ${Object.keys(stages).join(', ')}.`)
  return Object.fromEntries(Object.entries(stages).filter(([name]) => names.length === 0 || names.includes(name)))
}

/** The stages for a change: what it touches, nearest first, as far as some three minutes reach. */
async function changedStages(commit) {
  const { files, checked, tests, journeys, left } = await changedSince(commit)
  if (files.length === 0) throw new Problem(`Nothing changed since ${commit}.`)
  process.stdout.write(`${aboutChange(commit, files.length)}${left.map((line) => `\n${line}`).join('')}\n`)
  const projects = Object.entries(tests).map(([project, names]) => [project, vitest(project, names)])
  return {
    ...(checked.format.length > 0 && { format: format(checked.format) }),
    ...(checked.lint.length > 0 && { 'types and lint': typesAndLint(checked.lint) }),
    'import rules': stages['import rules'],
    'plain English': stages['plain English'],
    ...Object.fromEntries(projects),
    ...(journeys.length > 0 && {
      browser: (quiet) => playwright(['-g', journeys.join('|'), ...asked.playwright], quiet),
    }),
  }
}

/** Installing and building mostly waits on a fresh machine, so it runs next to the first stages, and once for all. */
function prepareBeside() {
  const preparation = Promise.all([ensureBlueskyServer(), ensureWebBuilt().then(ensureServerBuilt)])
  // its failure belongs to the stages that wait for it
  preparation.catch(() => {})
  return preparation
}

/**
 * A vitest project; a file that doesn't load and an error outside every test count as failures too. What failed in a
 * few files is run once more, one file at a time: tests that pass then are named "unsteady" with their first failure
 * instead of failing the gate, because each needs a cause found and not a second run by hand.
 */
function vitest(project, chosen = []) {
  return async (quiet) => {
    if (NEED_MORE.includes(project)) await preparing
    const first = await runVitest(project, chosen, quiet)
    const files = [...new Set(first.failures.map(({ file }) => file))]
    if (first.broken || files.length === 0 || files.length > FILES_RUN_AGAIN) return first
    const again = await runVitest(project, ['--no-file-parallelism', ...files], quiet, `${project}-again`)
    const stillFails = ({ file, name }) =>
      again.broken || again.failures.some((failure) => failure.file === file && failure.name === name)
    const failures = [
      ...first.failures.filter(stillFails),
      ...again.failures.filter(
        ({ file, name }) => !first.failures.some((failure) => failure.file === file && failure.name === name),
      ),
    ]
    const unsteady = first.failures.filter((failure) => !stillFails(failure))
    const output = first.output + again.output
    return { passed: first.passed + unsteady.length, failed: failures.length, failures, unsteady, output }
  }
}

async function runVitest(project, more, quiet, report = project) {
  const file = reportOf(report)
  const options = ['--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  if (together) options.push('--maxWorkers=1')
  const { code, output } = await runNode([bin('vitest/vitest.mjs'), 'run', '--project', project, ...options, ...more], {
    capture: quiet,
    env: await modelRuns(),
  })
  return { ...fromVitest(file, code), output }
}

/** How much models play (server/testing/modelRuns.ts): samples, and one of them, chosen by the commit, in full. */
async function modelRuns() {
  if (asked.long) return { MODEL_SEED, MODEL_RUNS: 'full' }
  const { code, output } = await run('git', ['rev-parse', 'HEAD'], { capture: true })
  return { MODEL_SEED, ...(code === 0 && asked.changed === undefined && { MODEL_CHOICE: output.trim() }) }
}

async function playwright(options, quiet) {
  const chromium = await ensureChromium()
  await preparing
  const file = reportOf('browser')
  const { code, output } = await runNode(
    [bin('@playwright/test/cli.js'), 'test', '-c', 'e2e', '--reporter=list,json', ...options],
    {
      capture: quiet,
      env: {
        CHROMIUM_PATH: chromium,
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        // Node strips the types itself, in a quarter of the time
        PW_DISABLE_TS_ESM: '1',
        ...(together && { SECOND_WORKER_AFTER: ROW_ENDED }),
        // someone looks at the pictures of journeys that were chosen; only all of them visit every screen
        ...(options.length === 0 && { SCREENSHOTS: 'none', JOURNEYS: 'all' }),
      },
    },
  )
  return { ...fromPlaywright(file, code), output }
}
