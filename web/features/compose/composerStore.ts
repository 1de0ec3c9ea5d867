import type { Channel } from '#contract/channels.ts'
import { composerReducer, type ComposerAction, type ComposerState } from './composerReducer.ts'
import { keepEqual } from './keepEqual.ts'
import { versionOf, type Version } from './version.ts'

export type ComposerStore = ReturnType<typeof createComposerStore>

/** Keeps one composer's state outside of React, so that a view renders only when what it reads has changed. */
export function createComposerStore(opened: ComposerState) {
  let state = opened
  let seen: { channels: readonly Channel[]; state: ComposerState; version: Version } | undefined
  const listeners = new Set<() => void>()
  return {
    state: () => state,
    /** See versionOf; the same object until something in it changes. */
    version(channels: readonly Channel[]): Version {
      const isCurrent =
        seen?.channels === channels &&
        seen.state.view.scope === state.view.scope &&
        seen.state.doc.channelIds === state.doc.channelIds &&
        seen.state.doc.variants === state.doc.variants &&
        seen.state.links === state.links
      if (seen && isCurrent) return seen.version
      seen = { channels, state, version: keepEqual(seen?.version, versionOf(state, channels)) }
      return seen.version
    },
    dispatch(action: ComposerAction) {
      const next = composerReducer(state, action)
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
