import { beforeEach, describe, expect, it } from 'vitest'
import type { DraftBody } from '#contract/drafts.ts'
import { ApiFailure } from '#web/lib/failure.ts'
import { createDraftSaver, lastSave, noteLastSave, type SaveState } from './draftSaver.ts'

const draft = (text: string): DraftBody => ({
  text,
  media: [],
  channelIds: [],
  additionalDetails: {},
  schedule: { mode: 'now', date: '', time: '', timezone: 'UTC' },
})
const refusal = (code: 'STALE_VERSION' | 'NETWORK' | 'POST_LOCKED' | 'UNAUTHORIZED', status: number) =>
  new ApiFailure({ code, status, title: code, detail: code })

type Timer = { at: number; run: () => void }
let now = 0
let timers: Timer[] = []
let states: SaveState['kind'][] = []
let kept: { version: number; draft: DraftBody } | undefined
let saves: { version: number; text: string }[] = []
let answer: (version: number) => Promise<{ version: number; savedAt: string }>

const tools = {
  save: (version: number, body: DraftBody) => {
    saves.push({ version, text: body.text })
    return answer(version)
  },
  keep: (copy: typeof kept) => {
    kept = copy
  },
  after: (milliseconds: number, run: () => void) => {
    const timer = { at: now + milliseconds, run }
    timers.push(timer)
    return () => {
      timers = timers.filter((one) => one !== timer)
    }
  },
  onChange: (state: SaveState) => states.push(state.kind),
}

async function advance(milliseconds: number): Promise<void> {
  const end = now + milliseconds
  for (;;) {
    const next = timers.filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0]
    if (!next) break
    now = next.at
    timers = timers.filter((timer) => timer !== next)
    next.run()
    await settled()
  }
  now = end
}
/** Runs every promise that is ready. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i += 1) await Promise.resolve()
}

beforeEach(() => {
  now = 0
  timers = []
  states = []
  kept = undefined
  saves = []
  answer = async (version) => ({ version: version + 1, savedAt: '2026-11-20T09:00:00Z' })
})

describe('draft saver', () => {
  it('saves after a pause in typing, and after 1.6 s without one', async () => {
    const saver = createDraftSaver(tools, { version: 0, savedAt: undefined })
    for (let i = 0; i < 10; i += 1) {
      saver.change(draft(`word ${i}`))
      await advance(200)
    }
    expect(saves).toEqual([{ version: 0, text: 'word 7' }])
    await advance(700)
    expect(saves.at(-1)).toEqual({ version: 1, text: 'word 9' })
    expect(saver.state()).toEqual({ kind: 'saved', at: '2026-11-20T09:00:00Z' })
    expect(kept).toBeUndefined()
  })

  it('keeps a copy immediately, and sends it when the connection is back', async () => {
    answer = async () => {
      throw refusal('NETWORK', 0)
    }
    const saver = createDraftSaver(tools, { version: 3, savedAt: undefined })
    saver.change(draft('offline'))
    expect(kept).toEqual({ version: 3, draft: draft('offline') })
    await advance(700)
    expect(saver.state().kind).toBe('offline')
    saver.change(draft('offline, more'))
    expect(kept?.draft.text).toBe('offline, more')
    answer = async (version) => ({ version: version + 1, savedAt: 'later' })
    await advance(4_000)
    expect(saves.at(-1)).toEqual({ version: 3, text: 'offline, more' })
    expect(saver.state()).toEqual({ kind: 'saved', at: 'later' })
    expect(kept).toBeUndefined()
  })

  it('never has two calls at once, and sends the newest text last', async () => {
    const waiting: ((reply: { version: number; savedAt: string }) => void)[] = []
    answer = () => new Promise((resolve) => waiting.push(resolve))
    const saver = createDraftSaver(tools, { version: 0, savedAt: undefined })
    saver.change(draft('one'))
    await advance(700)
    saver.change(draft('two'))
    await advance(5_000)
    expect(saves).toHaveLength(1)
    waiting[0]?.({ version: 1, savedAt: 'a' })
    await settled()
    expect(saves).toEqual([
      { version: 0, text: 'one' },
      { version: 1, text: 'two' },
    ])
  })

  it('stops when someone else saved it, and continues with the text the person chose', async () => {
    answer = async () => {
      throw refusal('STALE_VERSION', 409)
    }
    const saver = createDraftSaver(tools, { version: 1, savedAt: 'x' })
    saver.change(draft('mine'))
    await advance(700)
    expect(saver.state().kind).toBe('changedElsewhere')
    saver.change(draft('mine, longer'))
    await advance(5_000)
    expect(saves).toHaveLength(1)
    expect(kept?.draft.text).toBe('mine, longer')
    answer = async (version) => ({ version: version + 1, savedAt: 'y' })
    await saver.overwrite(7, draft('mine, longer'))
    expect(saves.at(-1)).toEqual({ version: 7, text: 'mine, longer' })
    expect(saver.state().kind).toBe('saved')
  })

  it('uses the other version', async () => {
    answer = async () => {
      throw refusal('STALE_VERSION', 409)
    }
    const saver = createDraftSaver(tools, { version: 1, savedAt: 'x' })
    saver.change(draft('mine'))
    await advance(700)
    saver.accept(7, 'y')
    expect(kept).toBeUndefined()
    expect(saver.version()).toBe(7)
  })

  it('saves nothing after the draft was used', async () => {
    answer = async () => {
      throw refusal('POST_LOCKED', 409)
    }
    const saver = createDraftSaver(tools, { version: 1, savedAt: 'x' })
    saver.change(draft('late'))
    await advance(700)
    expect(saver.state()).toEqual({ kind: 'refused', reason: 'POST_LOCKED' })
    await saver.finish()
    saver.change(draft('later'))
    await advance(5_000)
    expect(saves).toHaveLength(1)
    expect(kept).toBeUndefined()
  })

  it('sends once more when its screen closes, and retries nothing after that', async () => {
    const down = async () => {
      throw refusal('NETWORK', 0)
    }
    answer = down
    const saver = createDraftSaver(tools, { version: 3, savedAt: 'x' })
    saver.change(draft('left behind'))
    await advance(700)
    expect(saver.state().kind).toBe('offline')
    await saver.leave()
    expect(saves).toHaveLength(2)
    await advance(60_000)
    expect(saves).toHaveLength(2)
    expect(kept).toEqual({ version: 3, draft: draft('left behind') })
  })

  it('sends the last text before its screen closes, even while a save is running', async () => {
    const waiting: ((reply: { version: number; savedAt: string }) => void)[] = []
    answer = () => new Promise((resolve) => waiting.push(resolve))
    const saver = createDraftSaver(tools, { version: 0, savedAt: undefined })
    saver.change(draft('one'))
    await advance(700)
    saver.change(draft('two'))
    noteLastSave('d', saver.leave())
    let isReadable = false
    void lastSave('d').finally(() => {
      isReadable = true
    })
    waiting[0]?.({ version: 1, savedAt: 'a' })
    await settled()
    expect(saves.at(-1)).toEqual({ version: 1, text: 'two' })
    expect(isReadable).toBe(false)
    waiting[1]?.({ version: 2, savedAt: 'b' })
    await settled()
    expect(isReadable).toBe(true)
  })

  it('stops for a person whose session is over, until they type again', async () => {
    answer = async () => {
      throw refusal('UNAUTHORIZED', 401)
    }
    const saver = createDraftSaver(tools, { version: 1, savedAt: 'x' })
    saver.change(draft('too late'))
    await advance(60_000)
    expect(saves).toHaveLength(1)
    await saver.leave()
    expect(saves).toHaveLength(1)
    expect(kept?.draft.text).toBe('too late')
    // the page may have stayed, such as while files were uploading
    saver.enter()
    answer = async (version) => ({ version: version + 1, savedAt: 'later' })
    saver.change(draft('signed in elsewhere'))
    await advance(700)
    expect(saver.state().kind).toBe('saved')
  })

  it("says that it's saved only once the newest text is", async () => {
    const waiting: ((reply: { version: number; savedAt: string }) => void)[] = []
    answer = () => new Promise((resolve) => waiting.push(resolve))
    const saver = createDraftSaver(tools, { version: 0, savedAt: undefined })
    saver.change(draft('one'))
    await advance(700)
    saver.change(draft('two'))
    // the timer and the button wait for the same call
    await advance(700)
    let isFlushed = false
    void saver.flush().finally(() => {
      isFlushed = true
    })
    waiting[0]?.({ version: 1, savedAt: 'a' })
    await settled()
    expect(isFlushed).toBe(false)
    waiting[1]?.({ version: 2, savedAt: 'b' })
    await settled()
    expect([isFlushed, saver.state()]).toEqual([true, { kind: 'saved', at: 'b' }])
  })
})

describe('draft saver while a submit is under way', () => {
  it("waits for the running save, and sends none before the submit's outcome is known", async () => {
    const waiting: ((reply: { version: number; savedAt: string }) => void)[] = []
    answer = () => new Promise((resolve) => waiting.push(resolve))
    const saver = createDraftSaver(tools, { version: 0, savedAt: undefined })
    saver.change(draft('one'))
    await advance(700)
    saver.change(draft('two'))
    let isHeld = false
    const hold = saver.hold().then(() => (isHeld = true))
    await settled()
    expect(isHeld).toBe(false)
    waiting[0]?.({ version: 1, savedAt: 'a' })
    await hold
    expect(saver.version()).toBe(1)
    saver.change(draft('three'))
    await saver.flush()
    await advance(10_000)
    expect(saves).toEqual([{ version: 0, text: 'one' }])
    expect(kept?.draft.text).toBe('three')
    await saver.finish()
    await advance(10_000)
    expect(saves).toHaveLength(1)
    expect(kept).toBeUndefined()
  })

  it('saves again when the submit failed', async () => {
    const saver = createDraftSaver(tools, { version: 0, savedAt: undefined })
    saver.change(draft('one'))
    await saver.hold()
    saver.resume()
    await advance(700)
    expect(saves).toEqual([{ version: 0, text: 'one' }])
  })

  it("repeats a save with a lost response, so that the submit names the server's version", async () => {
    answer = async () => {
      throw refusal('NETWORK', 0)
    }
    const saver = createDraftSaver(tools, { version: 2, savedAt: 'x' })
    saver.change(draft('one'))
    await advance(700)
    answer = async () => ({ version: 3, savedAt: 'y' })
    await saver.hold()
    expect(saver.version()).toBe(3)
    await advance(10_000)
    expect(saves).toHaveLength(2)
  })
})

describe('draft saver of a draft that was submitted elsewhere', () => {
  it('says what became of it, saves nothing more and keeps what is typed', async () => {
    answer = async () => {
      throw new ApiFailure({
        code: 'POST_LOCKED',
        status: 409,
        title: 'Locked',
        detail: undefined,
        meta: { submitted: true, state: 'QUEUED' },
      })
    }
    const saver = createDraftSaver(tools, { version: 1, savedAt: 'x' })
    saver.change(draft('mine'))
    await advance(700)
    expect(saver.state()).toEqual({ kind: 'submitted', status: 'QUEUED' })
    saver.change(draft('mine, longer'))
    await advance(10_000)
    expect(saves).toHaveLength(1)
    expect(kept?.draft.text).toBe('mine, longer')
  })

  it("isn't reported to the browser that submitted it", async () => {
    const saver = createDraftSaver(tools, { version: 1, savedAt: 'x' })
    await saver.hold()
    saver.wasSubmittedElsewhere('SCHEDULED')
    expect(saver.state().kind).toBe('saved')
    await saver.finish()
    saver.wasSubmittedElsewhere('SCHEDULED')
    expect(saver.state().kind).toBe('saved')
  })
})
