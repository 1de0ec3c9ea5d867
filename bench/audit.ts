import { Pool } from 'undici'
import { createLabel, editLabel } from '#contract/labels.ts'
import type { Route } from '#server/http/route.ts'
import { labelRoutes } from '#server/labels/routes.ts'
import { median, openStage } from './_stage.ts'

/*
 * What the audit log adds to a changing call: a label is edited over HTTP, durable on disk, once as the product does it
 * and once by the same verb without writing its entry, in turns in one run. The target is at most a tenth (median of
 * the rounds). Editing a label is among the smallest changes, so others add less.
 */
const TARGET = 1.1
const ALTERNATIONS = process.argv.includes('--short') ? 6 : 20
const CALLS = 400
const CONNECTIONS = 8

/** The same route under another path, with an audit log that writes nothing. */
function unaudited(route: Route): Route {
  const { endpoint, answer } = route
  if (answer.kind !== 'json') throw new Error('an edit answers JSON')
  const { verb } = answer
  return {
    endpoint: {
      ...endpoint,
      path: `/api/bare${endpoint.path.slice('/api'.length)}` as const,
      audit: { none: 'what the bench compares with' },
    },
    // the context of the same endpoint, with one function replaced
    answer: { kind: 'json', verb: (c: object) => verb({ ...c, audit: async () => {} } as never) },
  }
}

const stage = await openStage(() => {
  const routes = labelRoutes()
  return [...routes, ...routes.filter(({ endpoint }) => endpoint === editLabel).map(unaudited)]
})
try {
  const home = await stage.builders.signedInOwner()
  const headers = {
    cookie: [...home.person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'content-type': 'application/json',
  }
  const pool = new Pool(stage.origin, { connections: CONNECTIONS, pipelining: 1 })
  const send = async (method: 'POST' | 'PUT', path: string, body: object): Promise<unknown> => {
    const answer = await pool.request({ method, path, headers, body: JSON.stringify(body) })
    const said = await answer.body.json()
    if (answer.statusCode !== 200) throw new Error(JSON.stringify(said))
    return said
  }
  const place = `/${home.orgId}/project/${home.projectId}/label`
  // one per connection: nobody waits for another's row
  const labels: string[] = []
  // createLabel returns the label's id
  for (let i = 0; i < CONNECTIONS; i++)
    labels.push(
      (
        (await send('POST', createLabel.path.replace(/\/:orgId.*$/, place), {
          labelName: `Label ${i}`,
          color: 'blue',
        })) as { labelId: string }
      ).labelId,
    )

  /** Edits per second. */
  const edit = async (base: string): Promise<number> => {
    const began = performance.now()
    await Promise.all(
      labels.map(async (id) => {
        for (let n = 0; n < CALLS / CONNECTIONS; n++)
          await send('PUT', `${base}${place}/${id}`, { color: n % 2 === 0 ? 'green' : 'blue' })
      }),
    )
    return CALLS / ((performance.now() - began) / 1000)
  }

  for (let i = 0; i < 2; i++) for (const base of ['/api', '/api/bare']) await edit(base)
  const ratios: number[] = []
  for (let round = 0; round < ALTERNATIONS; round++) {
    // each goes first as often as the other
    const first = await edit(round % 2 === 0 ? '/api' : '/api/bare')
    const second = await edit(round % 2 === 0 ? '/api/bare' : '/api')
    const [ours, bare] = round % 2 === 0 ? [first, second] : [second, first]
    ratios.push(bare / ours)
    console.log(
      `round ${round + 1}: ${ours.toFixed(0)} edits/s with the audit, ${bare.toFixed(0)} without; ratio ${(bare / ours).toFixed(3)}`,
    )
  }
  await pool.close()
  const ratio = median(ratios)
  console.log(
    `audit: a changing call takes ${ratio.toFixed(3)} of its time without the audit (median of ${ALTERNATIONS} alternations), target at most ${TARGET}`,
  )
  if (ratio > TARGET) process.exitCode = 1
} finally {
  await stage.close()
}
