import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { circlesIn, foldersOf, importsOf, lineAt, withoutComments } from './lib/circles.js'
import { at, main, Problem, root } from './lib/places.js'

// Which room may import which, as docs/ARCHITECTURE.md says. Prints one line per violation, and nothing if there are
// none.

/** Rooms of the server that aren't nouns: everyone may use them, and they know no noun. */
const FLOORS = new Set(['access', 'http', 'db', 'jobs', 'live', 'objectStore', 'platforms', 'testing'])
const KNOW_NO_NOUN = new Set(['access', 'http', 'db', 'jobs', 'live', 'objectStore'])
/** A room's verbs are public. Its routes, queries and jobs are private. */
const PRIVATE = new Set(['queries.ts', 'routes.ts', 'jobs.ts'])
/**
 * What adapters may import: the adapter interface, the network, and what several platforms share: OAuth, JSON, quotes
 * of platforms' messages, and Google's and Meta's parts.
 */
const PLATFORM_MAY_IMPORT = new Set(
  [
    'platform',
    'inbox',
    'replyChain',
    'advice',
    'promotion',
    'safeFetch',
    'safeHttp',
    'oauth2',
    'jsonCalls',
    'secretReader',
    'parts',
    'alterations',
    'entities',
    'htmlParser',
    'findSent',
    'lookBack',
    'ownPosts',
    'competitor',
    'hashtagSearch',
    'account',
    'quotes',
    'wire',
    'google',
    'graph',
    'graphRefusals',
    'graphComments',
    'graphContainers',
    'graphInboxParts',
    'graphMemory',
    'graphMessages',
    'graphLogin',
    'graphTokens',
    'graphPlaces',
    'graphInsights',
    'graphPush',
    'graphReplies',
    'graphTimeline',
    'pushed',
    'sameSecret',
  ].map((file) => `server/platforms/${file}.ts`),
)

const isTest = (path) => /\.test\.tsx?$/.test(path) || path.startsWith('server/testing/')

function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sourcesBelow(path) : /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

/**
 * One file's violations.
 * @param {string} path from the project's folder, with slashes
 * @param {string} source
 * @returns {string[]} sentences that begin with path:line
 */
export function breachesIn(path, source) {
  const code = withoutComments(source)
  const imports = importsOf(path, code)
  const found = [
    ...imports.flatMap(({ target, line }) => importBreaches(path, target).map((why) => `${path}:${line} ${why}`)),
    ...wordBreaches(path, code),
  ]
  return found
}

function importBreaches(path, target) {
  const [house, room] = path.split('/')
  const test = isTest(path)
  if (house === 'contract') return contractBreaches(target, test)
  if (house === 'charts') return chartBreaches(target, test)
  if (house === 'web') return webBreaches(path, target)
  return test ? [] : serverBreaches(path, room, target)
}

function contractBreaches(target, test) {
  const allowed =
    target.startsWith('contract/') ||
    target === 'zod' ||
    target.startsWith('zod/') ||
    (test && (['vitest', 'fast-check', 'server/testing/modelRuns.ts'].includes(target) || target.startsWith('node:')))
  return allowed ? [] : [`the contract imports only zod, not ${target}`]
}

/** Screens, PDFs and emails draw with it: it knows neither the browser nor the server. */
function chartBreaches(target, test) {
  const allowed =
    /^(?:charts|contract)\//.test(target) ||
    target === 'd3-scale' ||
    (test && ['vitest', 'fast-check'].includes(target))
  return allowed ? [] : [`charts import only the contract and d3-scale, not ${target}`]
}

function webBreaches(path, target) {
  const breaches = []
  if (target.startsWith('server/')) breaches.push(`the web imports ${target} of the server`)
  const feature = /^web\/features\/([^/]+)/
  const [, mine] = feature.exec(path) ?? []
  const [, theirs] = feature.exec(target) ?? []
  if (mine && theirs && mine !== theirs)
    breaches.push(`the feature ${mine} imports the feature ${theirs}: compose them in web/app`)
  if (/^web\/(ui|lib)\//.test(path) && /^web\/(features|app)\//.test(target))
    breaches.push(`${path.split('/')[1]} imports ${target}: imports go ui and lib, features, app`)
  if (mine && target.startsWith('web/app/'))
    breaches.push(`the feature ${mine} imports ${target}: imports go features, app`)
  return breaches
}

function serverBreaches(path, room, target) {
  const breaches = []
  if (target.startsWith('web/')) return [`the server imports ${target} of the web`]
  if (target.startsWith('server/testing/')) breaches.push(`${target} is for tests`)
  if (target.startsWith('server/simulators/') && !['simulators', 'seed', 'product.ts'].includes(room))
    breaches.push(`${target} plays platforms for development: only server/product.ts starts it`)
  const inRoom = /^server\/([^/]+)\/(.+)$/.exec(target)
  if (path.startsWith('server/platforms/') && path.split('/').length > 3)
    return [...breaches, ...platformBreaches(path, target)]
  if (/^server\/platforms\/[^/]+\/.+/.test(target) && path !== 'server/platforms/registry.ts')
    breaches.push(`only server/platforms/registry.ts imports a platform's folder, here ${target}`)
  if (!inRoom || inRoom[1] === room) return breaches
  const [, other, file] = inRoom
  const noun = !FLOORS.has(other)
  if (noun && KNOW_NO_NOUN.has(room)) breaches.push(`${room} knows no noun, but imports ${target}`)
  if (noun && PRIVATE.has(file) && path.split('/').length > 2)
    breaches.push(`${target} belongs to ${other} alone: call its verbs or access functions`)
  return breaches
}

function platformBreaches(path, target) {
  const own = path.split('/').slice(0, 3).join('/')
  const allowed = target.startsWith(`${own}/`) || PLATFORM_MAY_IMPORT.has(target) || target.startsWith('contract/')
  const isOurs = target.startsWith('server/') || target.startsWith('web/')
  return isOurs && !allowed
    ? [`a platform's folder imports platform.ts, safeFetch.ts and what several platforms speak, not ${target}`]
    : []
}

/** Words that belong in one file. */
const WORDS = [
  {
    pattern: /\bprocess\.env\b/g,
    where: (path) => path.startsWith('server/') && path !== 'server/env.ts' && !isTest(path),
    why: 'process.env is read in server/env.ts only',
  },
  {
    pattern: /\bDate\.now\s*\(|\bnew Date\(\s*\)|\bTemporal\.Now\b/g,
    where: (path) => path.startsWith('server/') && path !== 'server/clock.ts' && !isTest(path),
    why: '"now" comes from server/clock.ts only',
  },
  {
    pattern:
      /(['"`])(?:facebook|instagram|threads|linkedin|x|twitter|youtube|pinterest|tiktok|mastodon|bluesky|googlemybusiness)\1/g,
    where: (path) =>
      path.startsWith('server/') && !/^server\/(platforms|simulators|seed)\//.test(path) && !isTest(path),
    why: "a platform's name stands in its folder and in the contract's rules only: ask the rules or the adapter",
  },
  {
    pattern: /\bfence\b['"]?[\s:=,(]*[^\n`]{0,14}\+/g,
    // runs of reports have one of their own
    where: (path) =>
      path.startsWith('server/') &&
      !path.startsWith('server/delivery/') &&
      path !== 'server/reports/schedules/claim.ts' &&
      !isTest(path),
    why: 'a fence is raised in server/delivery only: use overrule.ts',
  },
]

function wordBreaches(path, code) {
  return WORDS.filter(({ where }) => where(path)).flatMap(({ pattern, why }) =>
    [...code.matchAll(pattern)].map((match) => `${path}:${lineAt(code, match.index)} ${why}`),
  )
}

/**
 * Circles of imports, for types alone too: between files, and between folders of the server. None are allowed: what two
 * folders need of each other belongs in a third one below them.
 * @param {Map<string, string>} sources each file's text by its path from the project's folder
 */
export function circleBreaches(sources) {
  const graph = new Map(
    [...sources]
      .filter(([path]) => !isTest(path))
      .map(([path, source]) => [path, importsOf(path, withoutComments(source)).map(({ target }) => target)]),
  )
  const { folders, examples } = foldersOf(graph)
  return [
    ...circlesIn(graph).map((circle) => `a circle of imports: ${[...circle, circle[0]].join(' → ')}`),
    ...circlesIn(folders).map((circle) => {
      const ways = circle.map((from, i) => examples.get(`${from} ${circle[i + 1] ?? circle[0]}`))
      return `a circle of folders: ${[...circle, circle[0]].join(' → ')} (${ways.join(', ')})`
    }),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const files = ['charts', 'contract', 'server', 'web'].flatMap((folder) => sourcesBelow(at(folder)))
    const sources = new Map(
      files.map((file) => [relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
    )
    const breaches = [...[...sources].flatMap(([path, source]) => breachesIn(path, source)), ...circleBreaches(sources)]
    if (breaches.length > 0) throw new Problem(breaches.join('\n'))
  })
}
