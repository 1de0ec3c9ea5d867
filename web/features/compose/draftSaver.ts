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
    await running
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
      if (wanted) {
        tools.keep({ version, draft: wanted })
        return become({ kind: 'waiting' })
      }
      tools.keep(undefined)
      become({ kind: 'saved', at: reply.savedAt })
    } catch (error) {
      wanted ??= sent
      if (isFailure(error, 'STALE_VERSION')) return become({ kind: 'changedElsewhere', fields: fieldsOf(error.meta) })
      if (isFailure(error) && error.status >= 400 && error.status < 500 && error.code !== 'UNAUTHORIZED' && error.status !== 429) return become({ kind: 'refused', reason: error.detail ?? error.title })
      become({ kind: 'offline' })
      if (!stopped) quiet = tools.after(TRY_AGAIN, () => void flush())
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
      if (state.kind !== 'offline') wait()
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
    /** The screen goes: what is waiting stays in the local copy, and is sent if it can. */
    leave() {
      const last = flush()
      stopped = true
      return last
    },
  }
}

const StaleMeta = z.object({ fields: z.array(z.string()) })
/** What differs between both versions, as a refusal of a stale one says. */
export function fieldsOf(meta: unknown): readonly string[] {
  const said = StaleMeta.safeParse(meta)
  return said.success ? said.data.fields : []
}
