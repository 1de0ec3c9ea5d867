import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgotPassword, login, userDetails } from '#contract/identity.ts'
import { passkeyLoginOptions } from '#contract/secondFactor.ts'
import { asSystem } from '../db/system.ts'
import { solvePuzzle } from '../testing/human.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { issueChallenge } from './loginChallenge.ts'
import { sweepIdentity } from './sweep.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const sweep = () => asSystem(app.parts.databases.system, (tx) => sweepIdentity(tx, app.clock.now()))
const tables = [
  'session',
  'human_solution',
  'reset_link',
  'login_challenge',
  'passkey_challenge',
  'budget',
  'person',
] as const
async function rows(): Promise<Record<string, number>> {
  const counts = await Promise.all(
    tables.map((table) => app.database.owner.query<{ n: number }>(`select count(*)::int as n from ${table}`)),
  )
  return Object.fromEntries(tables.map((table, i) => [table, counts[i]?.rows[0]?.n ?? -1]))
}

it('deletes what has expired, and nothing else', async () => {
  const confirmed = await app.person()
  await app.person({ confirmed: false, signedIn: false })
  await app.call(login, { body: { email: confirmed.email, password: 'Wrong-Horse1' } }).catch(() => {})
  await app.call(forgotPassword, { body: { email: confirmed.email } })
  await app.parts.mailer.close()
  expect(await app.parts.human.accepts(await solvePuzzle(app), app.clock.now())).toBe(true)
  await app.database.owner.query("insert into budget (key, window_ends_at, used) values ('bluesky:create', $1, 3)", [
    app.clock.now(),
  ])

  await app.call(passkeyLoginOptions, {})
  await asSystem(app.parts.databases.system, (tx) => issueChallenge(tx, confirmed.personId, app.clock.now()))

  const before = await rows()
  await sweep()
  expect(await rows()).toEqual(before)
  app.clock.advance({ days: 2 })
  expect(await app.call(userDetails, {}, { as: confirmed })).toMatchObject({ userId: confirmed.personId })
  await sweep()
  expect(await rows()).toEqual({
    session: 1,
    human_solution: 0,
    reset_link: 0,
    login_challenge: 0,
    passkey_challenge: 0,
    budget: 1,
    person: 2,
  })
  app.clock.advance({ days: 30 })
  await sweep()
  // its use two days in extended the session, so its 30 days end now
  expect(await rows()).toEqual({
    session: 0,
    human_solution: 0,
    reset_link: 0,
    login_challenge: 0,
    passkey_challenge: 0,
    budget: 1,
    person: 1,
  })
})
