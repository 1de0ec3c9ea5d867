import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lineAt } from './lib/circles.js'
import { allowed, dialect } from './lib/dialect.js'
import { at, main, Problem } from './lib/places.js'

// Keeps code, texts and docs in plain American English: refuses what bin/lib/dialect.js lists. One line per finding.

const FOLDERS = ['bench', 'bin', 'charts', 'contract', 'docs', 'e2e', 'server', 'web']
const SKIPPED = new Set(['node_modules', 'dist', 'images'])
/** The list and its tests contain what they refuse. */
const OF_THE_LIST = new Set([
  'bin/lib/dialect.js',
  'bin/plain-english.js',
  'bin/plain-english.test.js',
  'contract/failures/catalog.test.ts',
  'server/mail/everyMail.test.ts',
])

const blank = (text) => text.replaceAll(/[^\n]/g, ' ')
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1)
const quoted = (word) => word.replaceAll(/[.?+^$()[\]{}|\\]/g, String.raw`\$&`)
const letters = (word, more) => quoted(word).replaceAll('*', more)

/** A word by itself, in a name in camelCase or in CAPITALS; a phrase also if a comment or a text wraps it. */
function patternOf({ word, only }) {
  const words = word.split(' ')
  const [first = '', ...rest] = words
  const inName = rest.map((one) => letters(capital(one), '[a-z]*')).join('')
  const lower = (one) => letters(one, '[a-z]*')
  const asName = `(?:(?<![A-Za-z])${lower(first)}|(?<![A-Z])${letters(capital(first), '[a-z]*')})${inName}(?![a-z])`
  if (only === 'names') return new RegExp(asName, 'g')
  if (rest.length === 0) {
    const upper = `(?<![A-Za-z])${letters(word.toUpperCase(), '[A-Z]*')}(?![A-Za-z])`
    return new RegExp(`${asName}|${upper}`, 'g')
  }
  const gap = String.raw`(?:\s+(?:(?:\*|//)\s+)?)`
  const start = `[${first.charAt(0)}${first.charAt(0).toUpperCase()}]`
  return new RegExp(`(?<![A-Za-z])${[start + lower(first.slice(1)), ...rest.map(lower)].join(gap)}(?![A-Za-z])`, 'g')
}

const entries = dialect.map((entry) => ({ ...entry, pattern: patternOf(entry) }))
const exceptions = new RegExp(allowed.map(quoted).join('|'), 'g')

/** Comments and strings of TypeScript. A slash or a quotation mark that opens neither leaves the rest as code. */
const tokens =
  /(?<=^|[\s;{}(,[])(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

const withoutComments = (source) =>
  source.replaceAll(tokens, (found, ...groups) => (groups.at(-1).comment === undefined ? found : blank(found)))
/** What is left are names (and the text of JSX, which has none of them). */
const withoutTexts = (source) => source.replaceAll(tokens, blank)

/**
 * What one file holds of the dialect.
 * @param {string} path from the project's folder, with slashes
 * @param {string} source
 * @returns {string[]} sentences that begin with path:line
 */
export function dialectIn(path, source) {
  const isProse = !/\.(tsx?|js)$/.test(path)
  const all = source.replaceAll(exceptions, blank)
  const views = {
    all: () => all,
    code: () => (isProse ? '' : withoutComments(all)),
    names: () => (isProse ? '' : withoutTexts(all)),
  }
  const texts = new Map()
  const textOf = (view) => {
    if (!texts.has(view)) texts.set(view, views[view]())
    return texts.get(view)
  }
  return entries.flatMap(({ instead, only = 'all', pattern }) => {
    // the whole first: most words are in no file
    if (all.search(pattern) < 0) return named(path, { instead, pattern })
    const text = textOf(only)
    const lines = [...text.matchAll(pattern)].map(
      ({ index, 0: match }) => `${path}:${lineAt(text, index)} "${match.replaceAll(/\s+/g, ' ')}": write ${instead}`,
    )
    return [...lines, ...named(path, { instead, pattern })]
  })
}

/** A file is called by a name too. */
const named = (path, { instead, pattern }) =>
  basename(path).replace(/\..*$/, '').search(pattern) >= 0 ? [`${path}:1 the file's name: write ${instead}`] : []

function filesBelow(folder) {
  return readdirSync(at(folder), { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : /\.(tsx?|js|md|html|webmanifest)$/.test(entry.name) ? [path] : []
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(async () => {
    const top = readdirSync(at()).filter((name) => /\.(ts|md)$/.test(name))
    const files = [...top, ...FOLDERS.flatMap(filesBelow)].filter((path) => !OF_THE_LIST.has(path))
    const lines = files.flatMap((path) => dialectIn(path, readFileSync(join(at(), path), 'utf8')))
    for (const line of lines) process.stdout.write(`${line}\n`)
    if (lines.length > 0) throw new Problem(`${lines.length} finds. What to write is in bin/lib/dialect.js.`)
  })
