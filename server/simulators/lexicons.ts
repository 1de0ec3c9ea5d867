import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonToLex, Lexicons, type LexiconDoc } from '@atproto/lexicon'
import type { Asked, SeenBody } from './seenBody.ts'

/* Bluesky's lexicons: calls by their method name, on any server, and the records in them. */

let lexicons: Lexicons | undefined

function load(folder: string): Lexicons {
  const files = readdirSync(join(folder, 'bluesky/lexicons'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )
  // Lexicons throws on invalid documents
  return new Lexicons(
    files.map((name) => JSON.parse(readFileSync(join(folder, 'bluesky/lexicons', name), 'utf8')) as LexiconDoc),
  )
}

/** What a server that follows the lexicons would refuse. Calls without a lexicon here, such as sign-in, pass. */
export function lexiconViolations(folder: string, { method, url }: Asked, body: SeenBody): string[] {
  lexicons ??= load(folder)
  const { pathname } = new URL(url)
  const name = /^\/xrpc\/([\w.]+)$/.exec(pathname)?.[1]
  const definition = name === undefined ? undefined : lexicons.getDef(name)
  if (name === undefined || definition === undefined) return []
  if (definition.type !== 'procedure' && definition.type !== 'query') return [`${name} is no call`]
  if ((definition.type === 'query') !== (method.toUpperCase() === 'GET')) return [`${name} is not called by ${method}`]
  if (definition.type === 'query' || body.kind !== 'json') return []
  const input = jsonToLex(body.value)
  return [...attempt(() => lexicons?.assertValidXrpcInput(name, input)), ...recordViolations(lexicons, input)]
}

/** What a server that follows the lexicons wouldn't have responded to this method. */
export function lexiconMistakes(folder: string, method: string, answer: unknown): string[] {
  const all = (lexicons ??= load(folder))
  return attempt(() => all.assertValidXrpcOutput(method, jsonToLex(answer)))
}

function recordViolations(all: Lexicons, input: unknown): string[] {
  if (typeof input !== 'object' || input === null || !('record' in input) || !('collection' in input)) return []
  const { collection, record } = input
  return attempt(() => all.assertValidRecord(String(collection), record))
}

function attempt(assertion: () => void): string[] {
  try {
    assertion()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
