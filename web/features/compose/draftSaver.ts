import { z } from 'zod'
import type { DraftBody } from '#contract/drafts.ts'
import { PostState } from '#contract/postStates.ts'
import { isFailure } from '#web/lib/failure.ts'

/** The state of saving the draft. */
export type SaveState =
  /** Nothing was typed yet. */
  | { kind: 'new' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  /** The server can't be reached; the local copy has everything and saving is retried. */
  | { kind: 'offline' }
  /** Someone else saved it in the meantime: a person has to choose. `fields` names what differs. */
  | { kind: 'changedElsewhere'; fields: readonly string[] }
  /**
   * It was scheduled, published or sent for approval elsewhere, without this text. `status` is its current status, if
   * known.
   */
  | { kind: 'submitted'; status: PostState | undefined }
  /** It was deleted, or can't be changed: nothing is saved anymore. */
  | { kind: 'refused'; reason: string }

type Tools = {
  save: (version: number, draft: DraftBody) => Promise<{ version: number; savedAt: string }>
  /** Stores what isn't on the server yet; undefined removes it. Called immediately, before any call. */
  keep: (copy: { version: number; draft: DraftBody } | undefined) => void
  after: (milliseconds: number, run: () => void) => () => void
  onChange: (state: SaveState) => void
}

/**
 * After a pause this long, or this long after the first change: whichever comes first. Milliseconds; within the
 * promised 2 s.
 */
const QUIET = 700
const LONGEST = 1_600
const TRY_AGAIN = 4_000

/**
 * Saves a draft while it's written: within 2 s of each change, one call at a time, the newest text always last. What
 * couldn't be sent stays in the local copy and is retried until it's saved.
 */
export function createDraftSaver(tools: Tools, start: { version: number; savedAt: string | undefined }) {
  let version = start.version
  let wanted: DraftBody | undefined
  let running: Promise<void> | undefined
  let state: SaveState = start.savedAt ? { kind: 'saved', at: start.savedAt } : { kind: 'new' }
  let stopped = false
  /** A submit is running: it replaces the draft, or saving continues. */
  let isHeld = false
  let isLeft = false
  /** The session is over: nothing is sent until someone types again. */
  let isSignedOut = false
  let quiet: (() => void) | undefined
  let longest: (() => void) | undefined

  const become = (next: SaveState) => {
    state = next
    tools.onChange(next)
  }
  /** Nothing can be saved before a person has decided, or at all. */
  const isClosed = () => state.kind === 'changedElsewhere' || state.kind === 'submitted' || state.kind === 'refused'
  const clearTimers = () => {
    quiet?.()
    longest?.()
    quiet = undefined
    longest = undefined
  }
  const wait = () => {
    if (isHeld) return
    quiet?.()
    quiet = tools.after(QUIET, () => void flush())
    longest ??= tools.after(LONGEST, () => void flush())
  }

  async function flush(): Promise<void> {
    clearTimers()
    if (running) {
      await running
      // another caller who waited for it may have sent the next one
      return flush()
    }
    if (isHeld) return
    return saveWanted()
  }

  async function saveWanted(): Promise<void> {
    if (stopped || !wanted || isClosed()) return
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
      const submitted = isFailure(error, 'POST_LOCKED') ? submittedOf(error.meta) : undefined
      if (submitted) return become({ kind: 'submitted', status: submitted.state })
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
      if (!stopped && !isHeld && !isLeft && !isSignedOut) quiet = tools.after(TRY_AGAIN, () => void flush())
    }
  }

  return {
    state: () => state,
    version: () => version,
    /** The composer's current content; called on every change. */
    change(draft: DraftBody) {
      if (stopped) return
      wanted = draft
      tools.keep({ version, draft })
      if (isClosed()) return
      if (state.kind !== 'saving' && state.kind !== 'offline') become({ kind: 'waiting' })
      if (state.kind !== 'offline' || isSignedOut) wait()
    },
    /** Sends what is pending now, such as before the page closes or when the connection is back. */
    flush,
    /** Overwrites what someone else saved: this browser's text becomes the newest version. */
    overwrite(theirVersion: number, draft: DraftBody) {
      version = theirVersion
      become({ kind: 'waiting' })
      wanted = draft
      tools.keep({ version, draft })
      return flush()
    },
    /** Replaces this browser's text with the server's. */
    accept(theirVersion: number, savedAt: string) {
      version = theirVersion
      wanted = undefined
      tools.keep(undefined)
      become({ kind: 'saved', at: savedAt })
    },
    /**
     * A submit begins: nothing more is sent until `resume` or `finish`, and a running save is awaited. A save with a
     * lost response is repeated once, so that `version` is the server's.
     */
    async hold() {
      isHeld = true
      clearTimers()
      await running
      if (state.kind === 'offline') await saveWanted()
    },
    /** The submit failed: saving continues. */
    resume() {
      isHeld = false
      if (wanted && !isClosed()) wait()
    },
    /** The server refused a submit because the draft was saved elsewhere. */
    wasChangedElsewhere(fields: readonly string[]) {
      become({ kind: 'changedElsewhere', fields })
    },
    /** The draft was submitted elsewhere. What was typed here stays in the local copy. */
    wasSubmittedElsewhere(status: PostState | undefined) {
      if (stopped || isHeld || state.kind === 'submitted') return
      clearTimers()
      become({ kind: 'submitted', status })
    },
    /** The draft was submitted or deleted: nothing more is sent or stored. */
    async finish() {
      stopped = true
      clearTimers()
      await running
      tools.keep(undefined)
    },
    /** The screen is open, for the first time or again. */
    enter() {
      isLeft = false
    },
    /**
     * The screen closes: what is pending is sent once more, and stays in the local copy if that fails. Nothing is
     * retried: whichever screen opens the draft next continues from the copy with its own saver. Resolves once no call
     * is running.
     */
    async leave(): Promise<void> {
      isLeft = true
      if (!isSignedOut) return flush()
      clearTimers()
      await running
    },
  }
}

export type DraftSaver = ReturnType<typeof createDraftSaver>

const leaving = new Map<string, Promise<void>>()
/** Records that the last save of a draft whose screen has closed may still be running. */
export function noteLastSave(draftId: string, done: Promise<void>): void {
  leaving.set(draftId, done)
  void done.finally(() => {
    if (leaving.get(draftId) === done) leaving.delete(draftId)
  })
}
/** Resolves once no save of the draft is running: what is read then is the latest. */
export const lastSave = (draftId: string): Promise<void> => leaving.get(draftId) ?? Promise.resolve()

const SubmittedMeta = z.object({ submitted: z.literal(true), state: PostState.optional() })
/** What a refusal says about a submitted draft; undefined if it's about something else. */
export const submittedOf = (meta: unknown): { state?: PostState | undefined } | undefined =>
  SubmittedMeta.safeParse(meta).data

const StaleMeta = z.object({ fields: z.array(z.string()) })
/** What differs between both versions, from the refusal of an outdated one. */
export function fieldsOf(meta: unknown): readonly string[] {
  const said = StaleMeta.safeParse(meta)
  return said.success ? said.data.fields : []
}
