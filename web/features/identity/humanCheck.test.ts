import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAltchaCheck, type Widget } from './altchaEvents.ts'
import { createArrival, patiently } from './humanCheck.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("runs as soon as it's on screen if it was requested before", async () => {
  const arrival = createArrival<string>()
  const asked = arrival.present()
  arrival.set(null)
  arrival.set('the check')
  expect(await asked).toBe('the check')
  expect(await arrival.present()).toBe('the check')
  arrival.set(null)
  expect(arrival.now()).toBe(null)
})

test("reports that it's taking longer, and ends", async () => {
  const said: string[] = []
  const end = patiently(new Promise<string>(() => undefined), 'late', {
    slow: 6_000,
    onSlow: () => said.push('slow'),
    limit: 60_000,
  })
  await vi.advanceTimersByTimeAsync(6_000)
  expect(said).toEqual(['slow'])
  await vi.advanceTimersByTimeAsync(54_000)
  expect(await end).toBe('late')
  expect(
    await patiently(Promise.resolve('in time'), 'late', {
      slow: 6_000,
      onSlow: () => said.push('again'),
      limit: 60_000,
    }),
  ).toBe('in time')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(said).toEqual(['slow'])
})

test('the form may be sent before the code of the check is loaded', async () => {
  const { check, widget, arrive } = start()
  const proof = check.prove()
  arrive()
  widget.answers('a solution')
  expect(await proof).toBe('a solution')
})

test("requests the code again if it didn't load", async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const { check, widget, arrive, fail } = start()
  const first = check.prove()
  fail()
  expect(await first).toBe(undefined)
  const second = check.prove()
  arrive()
  widget.answers('a solution')
  expect(await second).toBe('a solution')
})

test('restarts an interrupted solution, and reports a failed one', async () => {
  const { check, widget, arrive, turns } = start()
  arrive()
  widget.turn('verifying')
  const proof = check.prove()
  await vi.advanceTimersByTimeAsync(0)
  widget.turn('unverified')
  widget.answers('the second')
  expect(await proof).toBe('the second')
  check.reset()
  expect(widget.getState()).toBe('unverified')
  widget.answers(undefined)
  expect(await check.prove()).toBe(undefined)
  expect(turns).toEqual(['solved', 'failed'])
})

test('a solution that is given up begins again', async () => {
  const { check, widget, arrive } = start()
  arrive()
  widget.turn('verifying')
  void check.prove()
  await vi.advanceTimersByTimeAsync(0)
  check.giveUp()
  widget.answers('the next')
  expect(await check.prove()).toBe('the next')
})

/** A check with a widget that the test controls. */
function start() {
  let loads: { arrive: () => void; fail: () => void }[] = []
  const widget = new FakeWidget()
  const turns: string[] = []
  const check = createAltchaCheck({
    loadCode: () =>
      new Promise<void>((resolve, reject) => loads.push({ arrive: resolve, fail: () => reject(new Error('no code')) })),
    onReady: () => {
      // only its events and its methods are used
      check.attach(widget as unknown as HTMLElement)
      widget.dispatchEvent(new Event('load'))
    },
    onTurn: (turn) => turns.push(turn),
  })
  void check.load()
  const ended = (how: 'arrive' | 'fail') => () => {
    for (const load of loads) load[how]()
    loads = []
  }
  return { check, widget, turns, arrive: ended('arrive'), fail: ended('fail') }
}

class FakeWidget extends EventTarget implements Pick<Widget, 'configure' | 'reset'> {
  private state = 'unverified'
  private next: string | undefined
  configure = async () => undefined
  getState = () => this.state
  reset = () => this.turn('unverified')
  /** What the next attempt comes to. */
  answers(payload: string | undefined) {
    this.next = payload
  }
  verify = async () => {
    this.turn('verifying')
    await Promise.resolve()
    this.turn(this.next ? 'verified' : 'error', this.next)
    return this.next ? { payload: this.next } : null
  }
  turn(state: string, payload?: string) {
    this.state = state
    this.dispatchEvent(new CustomEvent('statechange', { detail: { state, payload } }))
  }
}
