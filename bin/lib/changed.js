import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, withoutComments } from './circles.js'
import { DURATIONS } from './durations.js'
import { at, Problem, root } from './places.js'
import { run } from './run.js'

/*
 * What a change touches, nearest first: tests by how many imports are between them and a changed file, journeys by how
 * near their screens are to it. Both as far as a minute or so of two cores reaches; what is left is said.
 */

const FOLDERS = ['bin', 'charts', 'contract', 'server', 'web', 'e2e', 'bench']
/** Seconds of tests, and how many journeys, that are played. */
const MOST_SECONDS = 100
const MOST_JOURNEYS = 6
/** What a test takes that isn't among the slow ones. */
const USUAL_SECONDS = 1
const PROJECTS = [
  ['faults', /^server\/.*\.fault\.test\.ts$/],
  ['bluesky', /^server\/.*\.pds\.test\.ts$/],
  ['api', /^server\/.*\.test\.ts$/],
  ['unit', /\.test\.(?:tsx?|js)$/],
]

/**
 * @param {string} commit compared with the files as they are now, committed or not
 * @returns {Promise<{
 *   files: string[],
 *   checked: { format: string[], lint: string[] },
 *   tests: Record<string, string[]>, by vitest project
 *   journeys: string[], patterns for Playwright's -g
 *   left: string[], sentences about what isn't run
 * }>}
 */
export async function changedSince(commit) {
  return touchedBy(await changedFiles(commit), sourcesOf(FOLDERS))
}

/** The first line of such a run. */
export const aboutChange = (commit, files) =>
  `This tests the working tree: ${files === 1 ? 'one file that differs' : `${files} files that differ`} from ${commit}, committed or not.`

/**
 * The same for these files.
 * @param {string[]} files
 * @param {Map<string, string>} sources every file of code that exists, with its text
 */
export function touchedBy(files, sources) {
  const present = files.filter((file) => sources.has(file) || existsSync(at(file)))
  const users = usersIn(sources)
  const distances = distancesFrom(files, users)
  const direct = present.filter((file) => sources.has(file))
  const importers = [...distances].filter(([, distance]) => distance === 1).map(([file]) => file)
  const tests = nearestTests(files, distances, sources)
  const journeys = nearestJourneys(files, distances, sources)
  return {
    files,
    checked: {
      format: present.filter((file) => /\.(?:[jt]sx?|json|css|html|md|ya?ml)$/.test(file)),
      // what uses a changed file may no longer fit it
      lint: [...new Set([...direct, ...importers])],
    },
    tests: tests.chosen,
    journeys: journeys.chosen,
    left: [...tests.left, ...journeys.left],
  }
}

async function changedFiles(commit) {
  const diff = await run('git', ['diff', '--name-only', '--no-renames', commit], { capture: true })
  if (diff.code !== 0) throw new Problem(`git doesn't know "${commit}".`)
  const added = await run('git', ['ls-files', '--others', '--exclude-standard'], { capture: true })
  return `${diff.output}${added.output}`.split('\n').filter(Boolean).toSorted()
}

/** Each source file with its text. */
function sourcesOf(folders) {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:tsx?|js)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''))
      .filter((path) => !path.includes('node_modules/')),
  )
  return new Map(found.map((path) => [path, readFileSync(at(path), 'utf8')]))
}

/** Each file with those that import it. */
function usersIn(sources) {
  const users = new Map()
  for (const [path, source] of sources)
    for (const { target } of importsOf(path, withoutComments(source)))
      users.set(target, [...(users.get(target) ?? []), path])
  return users
}

/** How many imports are between a file and the nearest of these: 0 for themselves. */
function distancesFrom(files, users) {
  const distances = new Map(files.map((file) => [file, 0]))
  const queue = [...files]
  for (const file of queue)
    for (const user of users.get(file) ?? [])
      if (!distances.has(user)) {
        distances.set(user, distances.get(file) + 1)
        queue.push(user)
      }
  return distances
}

const roomOf = (path) => path.split('/').slice(0, -1).join('/')

function nearestTests(files, distances, sources) {
  const rooms = new Set(files.map(roomOf))
  const near = [...sources.keys()]
    .filter((path) => PROJECTS.some(([, pattern]) => pattern.test(path)))
    // a test beside a changed file is about it even if it reaches it through the app
    .map((path) => [path, Math.min(distances.get(path) ?? Infinity, rooms.has(roomOf(path)) ? 1.5 : Infinity)])
    .filter(([, distance]) => distance < Infinity)
    .toSorted(([a, nearA], [b, nearB]) => nearA - nearB || secondsOf(a) - secondsOf(b))
  const chosen = {}
  let seconds = 0
  let left = 0
  for (const [path, distance] of near) {
    seconds += secondsOf(path)
    if (distance > 0 && seconds > MOST_SECONDS) left += 1
    else (chosen[projectOf(path)] ??= []).push(path)
  }
  return { chosen, left: left === 0 ? [] : [`${left} more files of tests reach them through other files.`] }
}

const secondsOf = (path) => DURATIONS[path] ?? USUAL_SECONDS
const projectOf = (path) => PROJECTS.find(([, pattern]) => pattern.test(path))[0]

/** Journeys that changed, use a changed file of e2e, or open a screen that a change reaches. */
function nearestJourneys(files, distances, sources) {
  const screens = screensOf(sources.get('web/app/router.tsx') ?? '')
  const nearness = screens
    .map(({ name, file }) => [name, roomDistance(name, files) ?? distances.get(file) ?? Infinity])
    .filter(([, distance]) => distance < Infinity)
  const all = [...sources]
    .filter(([path]) => path.startsWith('e2e/journeys/'))
    .flatMap(([path, source]) =>
      journeysIn(source).map(({ title, text }) => ({
        title,
        distance: Math.min(
          files.includes(path) ? 0 : Infinity,
          ...nearness.filter(([name]) => opens(text, name)).map(([, distance]) => distance),
        ),
      })),
    )
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance)
  const chosen = all.slice(0, MOST_JOURNEYS).map(({ title }) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const left = all.length - chosen.length
  return { chosen, left: left === 0 ? [] : [`${left} more journeys open screens that it reaches.`] }
}

/** The server's room of that name, as of labels, serves the screen. */
const roomDistance = (name, files) =>
  files.some((file) => file.startsWith(`server/${name}/`) || file === `contract/${name}.ts`) ? 1.5 : undefined

/** The routes of the web app: the last fixed word of each path, and the screen that it shows. */
function screensOf(router) {
  return [...router.matchAll(/path: '([^']+)',[\s\S]*?import\('\.\/([^']+)'\)/g)].map(([, path, file]) => ({
    name: path.split('/').findLast((word) => word !== '' && !word.startsWith('$')) ?? '',
    file: `web/app/${file}`,
  }))
}

/** Each journey with its text. */
function journeysIn(source) {
  const starts = [...source.matchAll(/^test\(\s*(['"`])(.+?)\1/gm)]
  return starts.map((match, i) => ({ title: match[2], text: source.slice(match.index, starts[i + 1]?.index) }))
}

const opens = (text, name) => name !== '' && new RegExp(`['"\`/]${name}(?:[?'"\`/#]|$)`, 'm').test(text)
