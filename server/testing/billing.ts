import * as billing from '#contract/billing.ts'
import type { TestHome, TestPerson } from './people.ts'
import { startPaddle, WEBHOOK_SECRET, type Notification, type PaddleSimulator } from './paddle.ts'
import { SIMULATED_PRICES } from './paddleWire.ts'
import { clearingTables } from './clearTables.ts'
import { startApp, TEST_NOW, type TestApp } from './startApp.ts'

/** How a card behaves: it pays, is declined, or pays now and has expired at the next renewal. */
export type CardKind = 'pays' | 'declined' | 'runs out'

/** Payments of one provider for the lifecycle tests, which are the same for both. */
export type BillingHarness = {
  app: TestApp
  /** The holder pays what the overlay shows. Returns whether the payment succeeded. */
  pay(home: TestHome, transactionId: string, card: CardKind, as?: TestPerson): Promise<boolean>
  /** Advances the clock in steps; renewals, retries and ends happen at their times. */
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number }): Promise<void>
  /** Advances the clock at once, in seconds: what happened in the meantime is handled at the end. */
  jump(seconds: number): Promise<void>
  /** These organizations' renewals no longer run. */
  forget(homes: readonly TestHome[]): Promise<void>
  /** Delivers all of the provider's events. */
  settle(): Promise<void>
  /** Resets the fixture: no organizations, no jobs, and the clock at its start. */
  clear(): Promise<void>
  close(): Promise<void>
}

const HOUR = 3_600_000

/** Advances the clock day by day, with everything that is due; sessions stay open. */
async function stepClock(
  app: TestApp,
  by: { days?: number; hours?: number; minutes?: number; seconds?: number },
  tick: () => Promise<void>,
): Promise<void> {
  await keepSessions(app)
  let left = (((by.days ?? 0) * 24 + (by.hours ?? 0)) * 60 + (by.minutes ?? 0)) * 60_000 + (by.seconds ?? 0) * 1000
  while (left > 0) {
    const step = Math.min(left, 24 * HOUR)
    app.clock.advance({ ms: step })
    left -= step
    await tick()
    // a concurrent call may have extended its session after the response, by less
    await keepSessions(app)
  }
}

/** People stay signed in, however far the clock is advanced. */
const keepSessions = async (app: TestApp): Promise<void> =>
  void (await app.database.owner.query("update session set created_at = '2199-12-01', expires_at = '2200-01-01'"))

const forgetDue = async (app: TestApp, homes: readonly TestHome[]): Promise<void> =>
  void (await app.database.owner.query('update subscription set due_at = null where org_id = any($1)', [
    homes.map(({ orgId }) => orgId),
  ]))

async function clearApp(app: TestApp): Promise<void> {
  await app.database.owner.query('select clear_tables(); delete from graphile_worker._private_jobs')
  app.clock.set(TEST_NOW)
}

/** The details of a test card, valid until 2099 or to the end of the month of `now`. */
export function cardOf(kind: CardKind, now: Date) {
  const isShort = kind === 'runs out'
  return {
    cardNumber: kind === 'declined' ? '4000000000000002' : '4242424242424242',
    expiryMonth: isShort ? now.getUTCMonth() + 1 : 12,
    expiryYear: isShort ? now.getUTCFullYear() : 2099,
    securityCode: '123',
    cardholderName: 'Olive Owner',
  }
}

/** Test payments. */
export async function localHarness(): Promise<BillingHarness> {
  const { billingJobs } = await import('../billing/jobs.ts')
  const app = await startApp({ env: { PAYMENTS: 'local' } })
  await clearingTables(app.database)
  const { databases, clock, log } = app.parts
  const jobs = billingJobs(app.parts)
  const tick = async () => {
    for (const job of jobs)
      if (job.every !== undefined)
        await job.perform({ databases, clock, log, signal: new AbortController().signal }, {})
  }
  return {
    app,
    async pay(home, transactionId, card, as = home.person) {
      const response = await app.send(
        billing.payLocally,
        { params: { ...home.params, transactionId }, body: cardOf(card, clock.now()) },
        { as },
      )
      return response.statusCode < 400
    },
    advance: (by) => stepClock(app, by, tick),
    async jump(seconds) {
      await keepSessions(app)
      app.clock.advance({ seconds })
      await tick()
    },
    forget: (homes) => forgetDue(app, homes),
    settle: async () => {},
    clear: () => clearApp(app),
    close: () => app.close(),
  }
}

/** Paddle, simulated; its events arrive out of order, some of them twice. */
export async function paddleHarness(): Promise<
  BillingHarness & { paddle: PaddleSimulator; deliver(news: readonly Notification[]): Promise<number[]> }
> {
  const { billingJobs } = await import('../billing/jobs.ts')
  const clock: { now?: () => Date } = {}
  const paddle = await startPaddle(() => clock.now?.() ?? new Date(0))
  const app = await startApp({
    env: {
      PADDLE_API_KEY: 'pdl_simulated',
      PADDLE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PADDLE_CLIENT_TOKEN: 'test_simulated',
      PADDLE_API: paddle.origin,
      PADDLE_PRICES: SIMULATED_PRICES,
    },
  })
  clock.now = () => app.clock.now()
  await clearingTables(app.database)
  const { databases, log } = app.parts
  const jobs = billingJobs(app.parts)
  const deliver = async (news: readonly Notification[]) => {
    const statuses: number[] = []
    for (const { body, signature } of news)
      statuses.push(
        (
          await app.app.inject({
            method: 'POST',
            url: billing.paddleEvents.path,
            headers: { 'content-type': 'application/json', 'paddle-signature': signature },
            payload: body,
          })
        ).statusCode,
      )
    return statuses
  }
  const settle = async () => {
    for (let news = paddle.notifications(); news.length > 0; news = paddle.notifications()) {
      const twice = news.filter(() => Math.random() < 0.3)
      const statuses: number[] = []
      // the SDK refuses signatures older than five seconds, so each is signed just before delivery
      for (const { body, type } of [...news, ...twice].toSorted(() => Math.random() - 0.5))
        statuses.push(...(await deliver([paddle.sign(body, type)])))
      if (statuses.some((status) => status !== 200))
        throw new Error(`a notification was refused: ${statuses.join(' ')}`)
    }
  }
  const tick = async () => {
    paddle.passTime()
    await settle()
    for (const job of jobs)
      if (job.every !== undefined)
        await job.perform({ databases, clock: app.clock, log, signal: new AbortController().signal }, {})
  }
  return {
    app,
    paddle,
    deliver,
    pay: async (_home, transactionId, card) =>
      paddle.pay(transactionId, card === 'declined' ? 'declined' : { ends: cardEnd(card, app.clock.now()) }),
    advance: (by) => stepClock(app, by, tick),
    async jump(seconds) {
      await keepSessions(app)
      app.clock.advance({ seconds })
      await tick()
    },
    async forget(homes) {
      paddle.forget()
      await forgetDue(app, homes)
    },
    settle,
    async clear() {
      paddle.clear()
      await clearApp(app)
    },
    async close() {
      await app.close()
      await paddle.stop()
    },
  }
}

/** When a card stops paying. */
export const cardEnd = (kind: CardKind, now: Date): Date =>
  kind === 'runs out'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    : new Date('2100-01-01T00:00:00Z')
