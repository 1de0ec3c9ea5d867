import { describe, expect, it } from 'vitest'
import { FairShare, type FairShareOptions, type Party } from './fairShare.ts'

const OPTIONS: FairShareOptions = {
  slots: 10,
  personShare: 1,
  organizationShare: 2,
  waiting: { person: 4, organization: 6 },
  patience: 1,
}

/** A share whose work ends when the test ends it. */
function opened(options: Partial<FairShareOptions> = {}) {
  let now = 0
  const share = new FairShare({ ...OPTIONS, patience: 3_600_000, ...options }, () => now)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, party: Party, units = 1): Promise<string> =>
    share.run(
      party,
      units,
      () => {
        begun.push(name)
        return new Promise((resolve) => ends.set(name, () => resolve(name)))
      },
      (why) => new Error(why),
    )
  const end = async (name: string) => {
    ends.get(name)?.()
    // the slot is passed on once the work's promise settles
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  return { share, begun, ask, end, pass: (ms: number) => (now += ms) }
}

const of = (person: string, organization?: string): Party => ({ person, organization })
const names = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}${i}`)

describe('slots', () => {
  it('go to one person up to half and to one organization up to two thirds, however many they request', () => {
    const { begun, ask } = opened({ waiting: { person: 100, organization: 100 } })
    for (const name of names('a', 20)) void ask(name, of('ann', 'rooks'))
    expect(begun).toEqual(names('a', 5))
    for (const name of names('b', 20)) void ask(name, of('bob', 'rooks'))
    expect(begun).toEqual([...names('a', 5), ...names('b', 2)])
  })

  it('are left for the next person, even when two organizations want all of them', () => {
    const { begun, ask } = opened({ waiting: { person: 100, organization: 100 } })
    for (const org of ['x', 'y'])
      for (const person of ['1', '2', '3'])
        for (const name of names(org + person, 10)) void ask(name, of(org + person, org))
    void ask('newcomer', of('nell', 'newcomers'))
    expect(begun).toContain('newcomer')
  })

  it('go to the organization and the person with the fewest running, not to the longest line', async () => {
    const { begun, ask, end } = opened({ slots: 2, waiting: { person: 100, organization: 100 } })
    for (const name of names('a', 9)) void ask(name, of('ann', 'rooks'))
    void ask('cat', of('cat', 'crows'))
    for (const name of names('d', 9)) void ask(name, of('dan', 'daws'))
    expect(begun).toEqual(['a0', 'cat'])
    await end('a0')
    expect(begun).toEqual(['a0', 'cat', 'a1'])
    await end('cat')
    expect(begun).toEqual(['a0', 'cat', 'a1', 'd0'])
  })

  it('are released by work that fails', async () => {
    const { share } = opened()
    const failing = () => share.run(of('ann'), 1, () => Promise.reject(new Error('broken')), Error)
    for (let i = 0; i < 30; i++) await expect(failing()).rejects.toThrow('broken')
    expect(share.stats).toEqual({ running: 0, waiting: 0 })
  })
})

describe('waiting', () => {
  it("is limited per person and per organization, weighted by the calls' size", async () => {
    const { ask } = opened({ slots: 1 })
    void ask('first', of('ann', 'rooks'))
    void ask('heavy', of('ann', 'rooks'), 3)
    void ask('light', of('ann', 'rooks'), 1)
    await expect(ask('fifth', of('ann', 'rooks'))).rejects.toThrow('own share')
    void ask('hers', of('bob', 'rooks'), 2)
    await expect(ask('seventh', of('bob', 'rooks'))).rejects.toThrow('own share')
    void ask('others', of('cat', 'crows'), 4)
  })

  it('is possible for anyone with nothing in line, however large their call', () => {
    const { share, ask } = opened({ slots: 1 })
    void ask('first', of('ann', 'rooks'))
    void ask('large', of('bob', 'crows'), 300)
    expect(share.stats).toEqual({ running: 1, waiting: 1 })
  })

  it("ends with a refusal that says whether their own calls or others' are the cause", async () => {
    const { ask } = opened({ slots: 1, patience: 1 })
    void ask('first', of('ann', 'rooks'))
    await expect(ask('second', of('ann', 'rooks'))).rejects.toThrow('own share')
    await expect(ask('other', of('cat', 'crows'))).rejects.toThrow('all taken')
  })

  it('only counts as stalled while every slot is taken', async () => {
    const { share, ask, end, pass } = opened({ slots: 2 })
    void ask('a', of('ann', 'rooks'))
    void ask('waits', of('ann', 'rooks'))
    pass(5000)
    expect(share.stalled).toBe(0)
    void ask('c', of('cat', 'crows'))
    expect(share.stalled).toBe(5000)
    await end('c')
    expect(share.stalled).toBe(0)
  })
})
