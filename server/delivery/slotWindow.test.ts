import { describe, expect, it } from 'vitest'
import { SlotWindow } from './slotWindow.ts'

const bounds = { first: 80, least: 8, most: 400 }
const answers = (window: SlotWindow, times: number, inUse = (size: number) => size) => {
  for (let i = 0; i < times; i++) window.answered(inUse(window.size))
}

describe('the slots of a platform', () => {
  it('grow by one for each answer while all are in use, up to the most', () => {
    const window = new SlotWindow(bounds)
    expect(window.size).toBe(80)
    answers(window, 20)
    expect(window.size).toBe(100)
    answers(window, 1000)
    expect(window.size).toBe(400)
  })

  it("don't grow while there are enough", () => {
    const window = new SlotWindow(bounds)
    answers(window, 1000, (size) => size / 2)
    expect(window.size).toBe(80)
  })

  it('are halved by a failure, once for requests that fail together, down to the least', () => {
    const window = new SlotWindow(bounds)
    for (const now of [0, 5, 999]) window.failed(now)
    expect(window.size).toBe(40)
    window.failed(1000)
    expect(window.size).toBe(20)
    for (let now = 2000; now < 20_000; now += 1000) window.failed(now)
    expect(window.size).toBe(8)
  })

  it('grow by one for each round of answers after a failure', () => {
    const window = new SlotWindow(bounds)
    window.failed(0)
    answers(window, 41)
    expect(window.size).toBe(41)
  })

  it.each([
    ['200 ms', 0.2],
    ['2 s', 2],
  ])('come to what a platform that answers after %s needs for 150 answers a second', (_, seconds) => {
    const window = new SlotWindow(bounds)
    // each round lasts as long as an answer takes; demand is limited, capacity is the window
    let rate = 0
    for (let round = 0; round < 10; round++) {
      const inUse = Math.min(window.size, 150 * seconds)
      rate = inUse / seconds
      answers(window, inUse, () => inUse)
    }
    expect(rate).toBe(150)
  })

  it('are never more than the most at the start', () =>
    expect(new SlotWindow({ first: 80, least: 1, most: 4 }).size).toBe(4))
})
