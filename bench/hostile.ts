import { randomUUID } from 'node:crypto'
import { api } from '#contract/api.ts'
import { saveDraft } from '#contract/drafts.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import { listPosts } from '#contract/postLists.ts'
import { systemClock } from '#server/clock.ts'
import { composeRoutes } from '#server/compose.ts'
import { urlOf } from '#server/testing/client.ts'
import { objectKinds } from '#server/testing/objects.ts'
import type { TestHome } from '#server/testing/people.ts'
import { draftBody } from '#server/testing/posts.ts'
import { filled, inputWith, wideFields, type WideField } from '#server/testing/worstInput.ts'
import { cookieOf } from './_listing.ts'
import { median, openStage, slowestStatement } from './_stage.ts'

/*
 * What hostile input costs. First an attack: one person saves 24 drafts of 60 kB at once, while another organization
 * reads its month, against the same with ordinary text. Then every field of every endpoint that takes a long text or
 * many IDs gets the worst text that the contract accepts, against an ordinary one of the same length. An endpoint fails
 * if its response takes more than five times as long and 100 ms longer, and so does a field with a statement that takes
 * PostgreSQL more than 500 ms. `--short` tries four of the patterns.
 */
const AT_ONCE = 24
const LENGTH = 60_000
const TIMES_SLOWER = 5
const MS_SLOWER = 100
const MOST_MS = 500
const ORDINARY = 'The rooks came back to the elms in autumn. '
const patterns = ['_a', '/~', '%', '\\', 'a_', '_1', 'e\u0301', '\u0301', 'a\u200d', '1e', 'a-', "'", '👍', '漢']
const tried = process.argv.includes('--short') ? patterns.slice(0, 4) : patterns

const stage = await openStage((deps) => composeRoutes(deps), { timed: true })
const { builders, owner, origin } = stage
const maker = { ...builders, database: { owner }, clock: systemClock }
let failed = false

try {
  await attack()
  await walk()
  if (failed) process.exitCode = 1
} finally {
  await stage.close()
}

async function attack(): Promise<void> {
  const [busy, other] = [await builders.signedInOwner(), await builders.signedInOwner()]
  const month = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z', view: 'month' }
  const read = async () => {
    const { ms, status } = await send(other, listPosts, { params: other.params, query: month })
    if (status !== 200) throw new Error(`the list answered ${status}`)
    return ms
  }
  const during = async (text: string) => {
    const input = () => ({
      params: { ...busy.params, postId: randomUUID() },
      body: { version: 0, draft: draftBody({ text }) },
    })
    const progress = { isOpen: true }
    const saving = Promise.all(Array.from({ length: AT_ONCE }, () => send(busy, saveDraft, input()))).finally(() => {
      progress.isOpen = false
    })
    const times: number[] = []
    do times.push(await read())
    while (progress.isOpen)
    const statuses = new Set((await saving).map(({ status }) => status))
    if (statuses.size > 1 || !statuses.has(200)) throw new Error(`the drafts answered ${[...statuses].join()}`)
    return times
  }
  await during(filled(ORDINARY, LENGTH))
  const alone = await read()
  const [ordinary, hostile] = [await during(filled(ORDINARY, LENGTH)), await during(filled('_a', LENGTH))]
  const worst = Math.max(...hostile)
  const ratio = median(hostile) / median(ordinary)
  console.log(
    `${AT_ONCE} drafts of ${LENGTH} characters at once; another organization's month: alone ${alone.toFixed(0)} ms, ` +
      `beside ordinary text ${median(ordinary).toFixed(0)} ms, beside hostile text ${median(hostile).toFixed(0)} ms ` +
      `(${ratio.toFixed(1)} times, slowest ${worst.toFixed(0)} ms); targets: ${TIMES_SLOWER} times, ${MOST_MS} ms`,
  )
  if (ratio > TIMES_SLOWER || worst > MOST_MS) failed = true
}

async function walk(): Promise<void> {
  let [fields, calls, slowest] = [0, 0, { ratio: 0, what: '' }]
  let slowestOfAll = { ms: 0, statement: '', what: '' }
  await slowestStatement(stage)
  for (const [name, endpoint] of Object.entries(api)) {
    for (const field of wideFields(endpoint)) {
      // a different one each time: per-person limits must not end the walk
      const home = await builders.signedInOwner()
      const ordinary = await fastest(home, endpoint, field, ORDINARY)
      // a field that no ordinary text fits has its own form, such as a web URL
      if (ordinary === undefined) continue
      fields++
      for (const pattern of tried) {
        const ms = await fastest(home, endpoint, field, pattern)
        if (ms === undefined) continue
        calls++
        const what = `${name} ${field.in}.${field.path.join('.')} of ${field.most}: ${JSON.stringify(pattern)} ${ms.toFixed(0)} ms, ordinary ${ordinary.toFixed(0)} ms`
        if (ms > MS_SLOWER && ms / ordinary > slowest.ratio) slowest = { ratio: ms / ordinary, what }
        if (ms / ordinary <= TIMES_SLOWER || ms - ordinary <= MS_SLOWER) continue
        failed = true
        console.log(`out of line: ${what}`)
      }
      const { ms, statement } = await slowestStatement(stage)
      const what = `${name} ${field.in}.${field.path.join('.')}`
      if (ms > slowestOfAll.ms) slowestOfAll = { ms, statement, what }
      if (ms <= MOST_MS) continue
      failed = true
      console.log(`out of line: ${what}: ${ms.toFixed(0)} ms in PostgreSQL: ${statement}`)
    }
  }
  console.log(
    `the slowest statement: ${slowestOfAll.ms.toFixed(0)} ms at ${slowestOfAll.what}: ${slowestOfAll.statement.slice(0, 160)}`,
  )
  console.log(`${fields} fields, ${calls} hostile inputs; the slowest over ${MS_SLOWER} ms: ${slowest.what || 'none'}`)
}

/** The faster of two responses; undefined if the contract refuses the input. */
async function fastest(
  home: TestHome,
  endpoint: EndpointShape,
  field: WideField,
  pattern: string,
): Promise<number | undefined> {
  const times: number[] = []
  for (let i = 0; i < 2; i++) {
    const input = inputWith(endpoint, field, pattern)
    if (!input) return undefined
    const { ms, status } = await send(home, endpoint, { params: await paramsFor(endpoint, home), ...input })
    if (status >= 500 && status !== 502) console.log(`${endpoint.path} answered ${status}`)
    times.push(ms)
  }
  return Math.min(...times)
}

async function paramsFor({ path }: EndpointShape, home: TestHome): Promise<Record<string, string>> {
  const params: Record<string, string> = { ...home.params, platform: 'x', kind: 'boards' }
  for (const [, name = ''] of path.matchAll(/:(\w+)/gu)) {
    const kind = objectKinds[name]
    if (kind && params[name] === undefined) params[name] = await kind.make(maker, home)
  }
  return params
}

async function send(
  home: TestHome,
  endpoint: EndpointShape,
  input: { params?: unknown; query?: unknown; body?: unknown },
): Promise<{ ms: number; status: number }> {
  const begun = performance.now()
  const response = await fetch(`${origin}${urlOf(endpoint, input)}`, {
    method: endpoint.method,
    headers: {
      cookie: cookieOf(home.person),
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  })
  await response.arrayBuffer()
  return { ms: performance.now() - begun, status: response.status }
}
