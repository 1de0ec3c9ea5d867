import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hash, verify } from '@node-rs/argon2'
import { identityRoutes } from '#server/identity/routes.ts'
import { median, openStage } from './_stage.ts'

/*
 * Logins by password over HTTP (attempts counted, session opened and on disk) against the bare argon2id verification in
 * the same process, at the same concurrency, in turns in one run. A login should cost one hash: the target is a ratio
 * of 0.8. The load comes from another process, which competes with the logins. On a busy machine, rates say little, so
 * this process's CPU time per login and per hash is printed too.
 */
const TARGET = 0.8
const CONCURRENCY = 8
const SECONDS = 0.75
/** Many short ones: another program that takes the machine for a moment only spoils one of them. */
const ROUNDS = process.argv.includes('--short') ? 8 : 40
const PEOPLE = 64
const PASSWORD = 'Correct-Horse1'

const stage = await openStage((deps) => identityRoutes(deps))

try {
  const passwordHash = await hash(PASSWORD)
  const emails = await people(passwordHash)
  const load = fork(fileURLToPath(new URL('_logins.ts', import.meta.url)), [
    stage.origin,
    emails.join(','),
    PASSWORD,
    String(CONCURRENCY),
  ])
  // warm-up: the first logins compile what the others run
  await logins(load, 3)
  await bare(passwordHash, 1)
  const ratios: number[] = []
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // each goes first as often as the other
    const first = round % 2 === 0 ? await logins(load, SECONDS) : await bare(passwordHash, SECONDS)
    const second = round % 2 === 0 ? await bare(passwordHash, SECONDS) : await logins(load, SECONDS)
    const [ours, theirs] = round % 2 === 0 ? [first, second] : [second, first]
    ratios.push(ours.rate / theirs.rate)
    costs.push(theirs.cost / ours.cost)
    console.log(
      `round ${round + 1}: ${ours.rate.toFixed(1)} logins/s (${ours.cost.toFixed(1)} ms); ${theirs.rate.toFixed(1)} hashes/s (${theirs.cost.toFixed(1)} ms); ratio ${(ours.rate / theirs.rate).toFixed(2)}`,
    )
  }
  load.disconnect()
  const ratio = median(ratios)
  console.log(
    `login, ${CONCURRENCY} at a time: ratio ${ratio.toFixed(2)} to the bare argon2id hash (median of ${ROUNDS}), target ${TARGET}; the hash is ${(median(costs) * 100).toFixed(0)}% of the app's processor time for a login`,
  )
  if (ratio < TARGET) process.exitCode = 1
} finally {
  await stage.close()
}

/** People with the product's own hash; one per parallel login would be enough, more stay clear of limits. */
async function people(passwordHash: string): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: PEOPLE }, () => stage.builders.person({ signedIn: false })))
  await stage.owner.query('update person set password_hash = $1', [passwordHash])
  await stage.owner.query('vacuum analyze')
  return made.map((one) => one.email)
}

/** How many per second, and how many milliseconds of CPU time this process spends on one. */
type Measured = { rate: number; cost: number }

function millisecondsUsed(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Logins, requested by another process. */
async function logins(load: ChildProcess, seconds: number): Promise<Measured> {
  const used = process.cpuUsage()
  load.send(seconds)
  const round = new AbortController()
  const ended = once(load, 'exit', { signal: round.signal }).then(() => [undefined])
  // as bench/_logins.ts sends it
  const [answer] = (await Promise.race([once(load, 'message', { signal: round.signal }), ended])) as [
    { rate: number; done: number } | undefined,
  ]
  round.abort()
  ended.catch(() => {})
  if (!answer) throw new Error('the load ended')
  const { rate, done } = answer
  return { rate, cost: millisecondsUsed(used) / done }
}

/** Verifications in this process. */
async function bare(passwordHash: string, seconds: number): Promise<Measured> {
  const used = process.cpuUsage()
  const began = performance.now()
  const end = began + seconds * 1000
  let done = 0
  const work = async () => {
    while (performance.now() < end) {
      if (!(await verify(passwordHash, PASSWORD))) throw new Error('the hash is not that of the password')
      done += 1
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return { rate: (done / (performance.now() - began)) * 1000, cost: millisecondsUsed(used) / done }
}
