import { describe, expect, it } from 'vitest'
import { waitForDrafts } from './waitForDrafts.ts'

type Answer = Awaited<ReturnType<Parameters<typeof waitForDrafts>[0]['read']>>
const running: Answer = { posts: [], state: 'running', problem: null }
const written: Answer = {
  posts: [{ postId: 'p', excerpt: 'First light', createdAt: '2026-11-20T12:00:00Z' }],
  state: 'done',
  problem: null,
}

async function play(answers: Answer[]) {
  const waits: number[] = []
  let calls = 0
  const outcome = await waitForDrafts({
    read: () => Promise.resolve(answers[Math.min(calls++, answers.length - 1)]),
    wait: (milliseconds) => {
      waits.push(milliseconds)
      return Promise.resolve()
    },
  })
  return { outcome, waits, calls }
}

describe('waitForDrafts', () => {
  it('asks once, then five times after 1, 2, 4, 8 and 16 s', async () => {
    expect(await play([running])).toEqual({
      outcome: { kind: 'late' },
      waits: [1000, 2000, 4000, 8000, 16_000],
      calls: 6,
    })
  })
  it('returns existing drafts immediately', async () => {
    expect(await play([written])).toEqual({ outcome: { kind: 'written', drafts: 1 }, waits: [], calls: 1 })
  })
  it('counts a failed call as an empty response', async () => {
    expect(await play([undefined, running, written])).toEqual({
      outcome: { kind: 'written', drafts: 1 },
      waits: [1000, 2000],
      calls: 3,
    })
  })
  it('ends when none will come', async () => {
    expect(await play([running, { posts: [], state: 'failed', problem: 'There are no posts to read yet.' }])).toEqual({
      outcome: { kind: 'none' },
      waits: [1000],
      calls: 2,
    })
  })
  it('stops when nobody is waiting anymore', async () => {
    let calls = 0
    const left = waitForDrafts({
      read: () => {
        calls += 1
        return Promise.resolve(running)
      },
      wait: () => Promise.reject(new DOMException('left', 'AbortError')),
    })
    await expect(left).rejects.toThrow('left')
    expect(calls).toBe(1)
  })
})
