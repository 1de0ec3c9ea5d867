import { Pool } from 'undici'

/*
 * The load: requests URLs repeatedly on a number of connections, in its own process, in short turns, and prints how
 * many responses each got, how long they took and how long its turns lasted. `node bench/_load.ts
 * '{"targets":[{"origin":"http://…","path":"/…","cookie":""}],"turns":40,"milliseconds":250,"connections":32}'`
 */
/** `{n}` in a path becomes another three digits in each request. */
type Target = { origin: string; path: string; cookie: string; tag?: string }
// passed by bench/_listing.ts
const asked = JSON.parse(process.argv[2] ?? '') as {
  targets: Target[]
  turns: number
  milliseconds: number
  connections: number
}
const targets = asked.targets.map((target) => ({
  ...target,
  pool: new Pool(target.origin, { connections: asked.connections, pipelining: 1 }),
  turns: [] as { answers: number; seconds: number }[],
  times: [] as number[],
}))

let requests = 0
const pathOf = (path: string) => path.replace('{n}', () => String(requests++ % 1000).padStart(3, '0'))

async function turn({ pool, path, cookie, tag, turns, times }: (typeof targets)[number]): Promise<void> {
  const headers = { ...(cookie && { cookie }), ...(tag && { 'if-none-match': tag }) }
  const wanted = tag ? 304 : 200
  const begun = performance.now()
  let answers = 0
  const ask = async (): Promise<void> => {
    while (performance.now() < begun + asked.milliseconds) {
      const sent = performance.now()
      const { statusCode, body } = await pool.request({ method: 'GET', path: pathOf(path), headers })
      const text = await body.arrayBuffer()
      if (statusCode !== wanted)
        throw new Error(`answered ${statusCode}: ${Buffer.from(text).toString().slice(0, 300)}`)
      times.push(performance.now() - sent)
      answers++
    }
  }
  await Promise.all(Array.from({ length: asked.connections }, ask))
  turns.push({ answers, seconds: (performance.now() - begun) / 1000 })
}

for (let i = 0; i < asked.turns; i++) {
  // each goes first as often as the others
  for (let k = 0; k < targets.length; k++) {
    const target = targets[(i + k) % targets.length]
    if (target) await turn(target)
  }
}
await Promise.all(targets.map(({ pool }) => pool.close()))
process.stdout.write(
  JSON.stringify(targets.map(({ turns, times }) => ({ turns, times: times.toSorted((a, b) => a - b) }))),
)
