import { z } from 'zod'
import type { DraftBody } from '#contract/drafts.ts'
import { isFailure } from '#web/lib/failure.ts'

/** Where the draft stands between this browser and the server. */
export type SaveState =
  /** Nothing was written yet. */
  | { kind: 'new' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  /** The server cannot be reached; the local copy holds everything and the next try comes by itself. */
  | { kind: 'offline' }
  /** Somebody else saved it in the meantime: a person has to choose. `fields` names what differs. */
  | { kind: 'changedElsewhere'; fields: readonly string[] }
  /** It was deleted, used up, or may not be changed: nothing is saved any more. */
  | { kind: 'refused'; reason: string }

type Tools = {
  save: (version: number, draft: DraftBody) => Promise<{ version: number; savedAt: string }>
  /** Keeps what is not on the server yet; undefined forgets it. Written at once, before any call. */
  keep: (copy: { version: number; draft: DraftBody } | undefined) => void
  after: (milliseconds: number, run: () => void) => () => void
  onChange: (state: SaveState) => void
}

/** Quiet for this long, or this long after the first change: whichever comes first. Milliseconds; within the promised 2 s. */
const QUIET = 700
const LONGEST = 1_600
const TRY_AGAIN = 4_000

/**
 * Saves a draft while it is written: within 2 s of each change, one call at a time, the newest text always last. What
 * could not be sent stays in the local copy and is tried again until it is there.
 */
export function createDraftSaver(tools: Tools, start: { version: number; savedAt: string | undefined }) {
  let version = start.version
  let wanted: DraftBody | undefined
  let running: Promise<void> | undefined
  let state: SaveState = start.savedAt ? { kind: 'saved', at: start.savedAt } : { kind: 'new' }
  let stopped = false
  let isLeft = false
  /** Nothing is sent by itself for nobody: new words are, once somebody writes again. */
  let isSignedOut = false
  let quiet: (() => void) | undefined
  let longest: (() => void) | undefined

  const become = (next: SaveState) => {
    state = next
    tools.onChange(next)
  }
  const clearTimers = () => {
    quiet?.()
    longest?.()
    quiet = undefined
    longest = undefined
  }
  const wait = () => {
    quiet?.()
    quiet = tools.after(QUIET, () => void flush())
    longest ??= tools.after(LONGEST, () => void flush())
  }

  async function flush(): Promise<void> {
    clearTimers()
    if (running) {
      await running
      // somebody else who waited for it may have sent the next one
      return flush()
    }
    if (stopped || !wanted || state.kind === 'changedElsewhere' || state.kind === 'refused') return
    const sent = wanted
    wanted = undefined
    become({ kind: 'saving' })
    running = send(sent).finally(() => {
      running = undefined
    })
    await running
  }

  async function send(sent: DraftBody): Promise<void> {
    try {
      const reply = await tools.save(version, sent)
      version = reply.version
      isSignedOut = false
      if (wanted) {
        tools.keep({ version, draft: wanted })
        return become({ kind: 'waiting' })
      }
      tools.keep(undefined)
      become({ kind: 'saved', at: reply.savedAt })
    } catch (error) {
      wanted ??= sent
      if (isFailure(error, 'STALE_VERSION')) return become({ kind: 'changedElsewhere', fields: fieldsOf(error.meta) })
      if (
        isFailure(error) &&
        error.status >= 400 &&
        error.status < 500 &&
        error.code !== 'UNAUTHORIZED' &&
        error.status !== 429
      )
        return become({ kind: 'refused', reason: error.detail ?? error.title })
      become({ kind: 'offline' })
      isSignedOut = isFailure(error, 'UNAUTHORIZED')
      if (!stopped && !isLeft && !isSignedOut) quiet = tools.after(TRY_AGAIN, () => void flush())
    }
  }

  return {
    state: () => state,
    version: () => version,
    /** What the composer holds now; called on every change. */
    change(draft: DraftBody) {
      if (stopped) return
      wanted = draft
      tools.keep({ version, draft })
      if (state.kind === 'changedElsewhere' || state.kind === 'refused') return
      if (state.kind !== 'saving' && state.kind !== 'offline') become({ kind: 'waiting' })
      if (state.kind !== 'offline' || isSignedOut) wait()
    },
    /** Sends what is waiting now, such as before the page goes away or when the connection is back. */
    flush,
    /** Goes on over what somebody else saved: this browser's text becomes the newest version. */
    overwrite(theirVersion: number, draft: DraftBody) {
      version = theirVersion
      become({ kind: 'waiting' })
      wanted = draft
      tools.keep({ version, draft })
      return flush()
    },
    /** Lets this browser's text go for what the server has. */
    accept(theirVersion: number, savedAt: string) {
      version = theirVersion
      wanted = undefined
      tools.keep(undefined)
      become({ kind: 'saved', at: savedAt })
    },
    /** The draft was submitted or deleted: nothing more is sent, nothing is kept. */
    async finish() {
      stopped = true
      clearTimers()
      await running
      tools.keep(undefined)
    },
    /** The screen is there, for the first time or again. */
    enter() {
      isLeft = false
    },
    /**
     * The screen goes: what is waiting is sent once more, and stays in the local copy if that fails. Nothing is tried
     * again: whoever opens the draft next goes on from the copy with a saver of their own. Resolves once nothing is on its way.
     */
    async leave(): Promise<void> {
      isLeft = true
      if (!isSignedOut) return flush()
      clearTimers()
      await running
    },
  }
}

const leaving = new Map<string, Promise<void>>()
/** Notes that the last save of a draft whose screen is gone may still be on its way. */
export function noteLastSave(draftId: string, done: Promise<void>): void {
  leaving.set(draftId, done)
  void done.finally(() => {
    if (leaving.get(draftId) === done) leaving.delete(draftId)
  })
}
/** Resolves once nothing of the draft is on its way any more: what is read then is what was written last. */
export const lastSave = (draftId: string): Promise<void> => leaving.get(draftId) ?? Promise.resolve()

const StaleMeta = z.object({ fields: z.array(z.string()) })
/** What differs between both versions, as a refusal of a stale one says. */
export function fieldsOf(meta: unknown): readonly string[] {
  const said = StaleMeta.safeParse(meta)
  return said.success ? said.data.fields : []
}
