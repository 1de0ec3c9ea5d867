import { burstsOf, isGood, MOST_LATE, own, type Burst } from './_bursts.ts'
import { checkOut } from './_checkout.ts'
import { compareRates, send, startServers, turn, type Ask, type Fleet, type Rate } from './_servers.ts'

/*
 * What people wait for, beside a plain reference (_reference.ts, _jobs.ts) and, with `--base=COMMIT` or a folder of a checkout
 * with its packages, beside another version, in turns in one run; the ratios count. A month of 850 posts on 10 channels with 6
 * labels: each request for another range, so that it's read from the database; the same again, which the node sends from memory
 * after a check; and with its ETag (304). One post, each time another; scheduled posts created; and bursts of 500 posts that
 * are due at once over 10 channels. `--short`: fewer turns. `--calls`, `--bursts`: only these.
 */
const isShort = process.argv.includes('--short')
const TURNS = isShort ? 8 : 30
/** How often the bursts of each are run. */
const ROUNDS = isShort ? 1 : 3
/**
 * The least ratios to the reference, and the most bytes of a month. Of one post and a new one, the reference only reads or
 * writes a row or two: no rights, history, limits, events or keys that are only used once.
 */
const LIMITS = { fresh: 3, again: 10, unchanged: 15, one: 0.25, create: 0.15, json: 180_000, sent: 35_000 }

type Line = { what: string; ours: string; reference: string; base: string; limit: string; ok: boolean }

const base = process.argv.find((word) => word.startsWith('--base='))?.slice('--base='.length)
const checkout = base === undefined ? undefined : await checkOut(base)
const folders: readonly (readonly [string, string])[] = [
  ['ours', own],
  ...(checkout ? [['base', checkout.folder] as const] : []),
]

const month: Ask = async (server, call) => {
  const end = `${String(call % 1000).padStart(3, '0')}Z`
  return await send(server, server.month.replace(/000Z(?=&view)/, end))
}
const monthCompressed: Ask = async (server, call) => {
  const end = `${String(call % 1000).padStart(3, '0')}Z`
  return await send(server, server.month.replace(/000Z(?=&view)/, end), { headers: { 'accept-encoding': 'br' } })
}
const create: Ask = async (server, call) => {
  const utc = new Date(Date.UTC(2030, 0, 1, 0, call)).toISOString()
  const contents = [{ text: `The rooks come back to the old elms in autumn, ${call} of them.`, media: [] }]
  const { text } = await send(server, server.path, {
    body: {
      intent: 'SCHEDULE',
      channels: [{ channelId: server.channels[call % server.channels.length], postType: 'post', contents }],
      schedule: { type: 'ONCE', details: { utc, timezone: 'Europe/London' } },
    },
  })
  // the contract's reply
  const { posts } = JSON.parse(text) as { posts: { postId: string }[] }
  server.ids.push(...posts.map(({ postId }) => postId))
}
const one: Ask = async (server, call) => await send(server, `${server.path}/${server.ids[call % server.ids.length]}`)

const lines: Line[] = []
try {
  if (!process.argv.includes('--bursts')) lines.push(...(await measureCalls()), ...(await measureHeld()))
  if (!process.argv.includes('--calls')) lines.push(...(await measureBursts()))
} finally {
  await checkout?.remove()
}
console.log(`
| work | ours | reference | base | limit | |
| --- | --- | --- | --- | --- | --- |`)
for (const { what, ours, reference, base: other, limit, ok } of lines)
  console.log(`| ${[what, ours, reference, other, limit, ok ? 'met' : 'NOT MET'].join(' | ')} |`)
if (lines.some(({ ok }) => !ok)) process.exitCode = 1

/** Nothing is sent from memory. */
async function measureCalls(): Promise<Line[]> {
  return await withServers([], async (fleets) => {
    const servers = fleets.flatMap((fleet) => fleet.servers)
    const analyze = () => Promise.all(fleets.map((fleet) => fleet.analyze()))
    const found = [
      lineOf('month, read again', await compareRates(servers, month, TURNS), LIMITS.fresh),
      lineOf('month, read again, brotli', await compareRates(servers, monthCompressed, TURNS)),
    ]
    // posts to be among, and statements planned for them
    for (const server of servers) for (let i = 0; i < 8; i++) await turn(server, create)
    await analyze()
    found.push(lineOf('scheduled posts created', await compareRates(servers, create, TURNS), LIMITS.create))
    await analyze()
    // what a post of the reference is read from is what the product created
    const readers = servers.map((server) =>
      server.name === 'reference' ? { ...server, ids: servers[0]?.ids ?? [] } : server,
    )
    found.push(lineOf('one post, another each time', await compareRates(readers, one, TURNS), LIMITS.one))
    return found
  })
}

async function measureHeld(): Promise<Line[]> {
  return await withServers(['--holds'], async (fleets) => {
    const servers = fleets.flatMap((fleet) => fleet.servers)
    const again: Ask = async (server) => await send(server, server.month)
    const tags = new Map<string, string>()
    for (const server of servers) tags.set(server.name, (await send(server, server.month)).tag)
    const unchanged: Ask = async (server) => {
      const tag = tags.get(server.name)
      return tag
        ? await send(server, server.month, { headers: { 'if-none-match': tag }, status: 304 })
        : await send(server, server.month)
    }
    const found = [
      lineOf('month, sent again', await compareRates(servers, again, TURNS), LIMITS.again),
      lineOf('month, unchanged (304)', await compareRates(servers, unchanged, TURNS), LIMITS.unchanged),
    ]
    for (const [what, encoding, most] of [
      ['month, bytes as JSON', 'identity', LIMITS.json],
      ['month, bytes as sent (brotli)', 'br', LIMITS.sent],
    ] as const) {
      const sizes = new Map<string, number>()
      for (const server of servers)
        sizes.set(server.name, (await send(server, server.month, { headers: { 'accept-encoding': encoding } })).bytes)
      const size = sizes.get('ours') ?? Infinity
      const beside = (name: string) => {
        const bytes = sizes.get(name)
        return bytes === undefined ? '–' : `${bytes} (${(bytes / size).toFixed(1)}x)`
      }
      const rest = { reference: beside('reference'), base: beside('base'), limit: `at most ${most}` }
      found.push({ what, ours: String(size), ...rest, ok: size <= most })
    }
    return found
  })
}

async function withServers(
  flags: readonly string[],
  measure: (fleets: readonly Fleet[]) => Promise<Line[]>,
): Promise<Line[]> {
  const fleets: Fleet[] = []
  try {
    for (const [name, folder] of folders)
      fleets.push(await startServers(name, folder, name === 'ours' ? [...flags, '--reference'] : flags))
    return await measure(fleets)
  } finally {
    for (const fleet of fleets) await fleet.close()
  }
}

function lineOf(what: string, rates: readonly Rate[], least?: number): Line {
  const of = (name: string) => rates.find((rate) => rate.name === name)
  const beside = (rate: Rate | undefined) => (rate ? `${rate.rate.toFixed(0)}/s (${rate.ratio.toFixed(2)}x)` : '–')
  const reference = of('reference')
  return {
    what,
    ours: `${of('ours')?.rate.toFixed(0)}/s`,
    reference: beside(reference),
    base: beside(of('base')),
    limit: least === undefined ? '–' : `${least}x reference`,
    ok: least === undefined || (reference !== undefined && reference.ratio >= least),
  }
}

/** Each in turns, the reference as well: the last of one job per post, which begin when the others are due. */
async function measureBursts(): Promise<Line[]> {
  const found = new Map<string, Burst[]>()
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, folder, flags] of [...folders, ['reference', own, ['--jobs']] as const])
      found.set(name, [...(found.get(name) ?? []), ...(await burstsOf(folder, flags))])
  const ours = found.get('ours') ?? []
  return ours.slice(0, ours.length / ROUNDS).map(({ server, latencyMs }): Line => {
    const of = (name: string) =>
      (found.get(name) ?? []).filter((one) => one.server === server && one.latencyMs === latencyMs)
    const last = (bursts: readonly Burst[]) =>
      bursts.map((burst) => burst.last).toSorted((a, b) => a - b)[Math.floor(bursts.length / 2)] ?? Number.NaN
    const beside = (name: string) => {
      const bursts = of(name)
      return bursts.length === 0
        ? '–'
        : `${last(bursts).toFixed(2)} s (${(last(bursts) / last(of('ours'))).toFixed(2)}x)`
    }
    return {
      what: `500 posts at once, ${server}, ${latencyMs} ms`,
      ours: `${last(of('ours')).toFixed(2)} s`,
      reference: beside('reference'),
      base: beside('base'),
      limit: `last after ${MOST_LATE} s, none twice`,
      ok: of('ours').every(isGood),
    }
  })
}
