import { describe, expect, it } from 'vitest'
import { ServerSlots } from './serverSlots.ts'

const SHARE = 20
const [one, other] = ['https://one.example', 'https://other.example']

/** Slots of which `one` uses all that it has. */
function busy() {
  const slots = new ServerSlots({ least: 5, most: 50 })
  const sizeOf = (service: string) => slots.windows()[service] ?? SHARE
  const fill = () => {
    while (slots.used(one) < sizeOf(one)) slots.count(one, 1)
  }
  const answers = (times: number) => {
    for (let i = 0; i < times; i++) {
      fill()
      slots.answered(one, SHARE)
    }
  }
  return { slots, sizeOf, answers }
}

describe('the slots of a federated server', () => {
  it('grow while it answers and uses them, up to the most, and no one else’s do', () => {
    const { slots, sizeOf, answers } = busy()
    answers(10)
    expect(sizeOf(one)).toBe(SHARE + 10)
    answers(100)
    expect(sizeOf(one)).toBe(50)
    expect(slots.windows()).toEqual({ [one]: 50 })
  })

  it('come out of its platform’s only up to the share of every server', () => {
    const { slots, answers } = busy()
    slots.count(other, 1)
    expect(slots.beyond(SHARE)).toBe(0)
    answers(11)
    expect(slots.used(one)).toBe(SHARE + 10)
    expect(slots.beyond(SHARE)).toBe(10)
  })

  it('are halved by its failures, and those of other servers are not', () => {
    const { slots, sizeOf, answers } = busy()
    answers(10)
    for (const now of [0, 1000, 2000, 3000]) slots.failed(other, SHARE, now)
    expect([sizeOf(one), sizeOf(other)]).toEqual([SHARE + 10, 5])
  })

  it('are remembered for a hundred servers, those that were busy or failed last', () => {
    const { slots, answers } = busy()
    answers(1)
    for (let i = 0; i < 99; i++) slots.failed(`https://${i}.example`, SHARE, 0)
    expect(Object.keys(slots.windows())).toHaveLength(100)
    answers(1)
    slots.failed(other, SHARE, 0)
    expect(Object.keys(slots.windows())).toHaveLength(100)
    expect(slots.windows()).toHaveProperty([one])
    expect(slots.windows()).not.toHaveProperty(['https://0.example'])
  })

  it('are not remembered for one that answers without being busy', () => {
    const slots = new ServerSlots({ least: 5, most: 50 })
    slots.count(one, 1)
    slots.answered(one, SHARE)
    expect(slots.windows()).toEqual({})
  })
})
