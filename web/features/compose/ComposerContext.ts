import { createContext, use, useMemo, useSyncExternalStore, type RefObject } from 'react'
import type { Channel } from '#contract/channels.ts'
import type { MediaFacts } from '#contract/checkMedia.ts'
import type { Post } from '#contract/posts.ts'
import type { Editor } from '#contract/presence.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import type { ComposerState } from './composerReducer.ts'
import type { ComposerStore } from './composerStore.ts'
import type { ChannelErrors } from './checks.ts'
import { itemsFor, type Doc, type Item } from './doc.ts'
import type { SeriesView } from './plan.ts'
import type { SubmitOptions } from './submitMode.ts'
import type { CardState } from './useLinkCards.ts'
import type { Version } from './version.ts'

/*
 * What the composer's views read. The text is in the store, of which a view reads the part it shows (useComposerState);
 * everything here stays the same while someone types, so that a keystroke only renders what it changes.
 */

/** One open composer. */
export type Composer = {
  store: ComposerStore
  ids: ProjectIds
  /** The draft's id, or the edited post's. */
  postId: string
  /** All channels of the project. */
  channels: readonly Channel[]
  /** How many scheduled posts a channel can have; undefined while that isn't known, or without a limit. */
  scheduledCap: number | undefined
  /** The edited post and its content when it was opened; undefined for a draft, however often it was saved. */
  edited: { post: Post; doc: Doc } | undefined
  /** The platform on which a published post is changed. */
  liveOn: string | undefined
  /** The project's time zone, and the start of a new post whose time nobody has set. */
  zone: string
  began: Date | undefined
  rootRef: RefObject<HTMLDivElement | null>
  textRef: RefObject<HTMLTextAreaElement | null>
  workflowRef: RefObject<HTMLSelectElement | null>
}

/** What a person can do with the post as a whole. */
export type Commands = {
  /** Submits once it's known how; problems are shown. */
  submit: () => void
  /** With the keyboard, where mistakes are easier: asks before anything is published right away. */
  submitByKeys: () => void
  /** Resolves a conflict with this browser's text. */
  keepMine: (theirVersion: number) => void
  /** Resolves it with the other version. */
  takeTheirs: (theirVersion: number, savedAt: string) => void
  /** Discards this browser's unsaved changes. */
  dropUnsaved: () => void
  /** Continues with this browser's text in a new draft. */
  keepAsNew: () => void
  keepDraft: () => void
}

/** The problems that block submitting, and where each is shown. */
export type CheckResults = {
  errors: readonly ChannelErrors[]
  /** Every channel that would be refused as it is, including files and missing parts. */
  troubled: readonly string[]
  channelError: string | undefined
  workflowError: string | undefined
  scheduleError: string | undefined
  /** Channels that can't take more scheduled posts. */
  cap: { limit: number; channels: readonly Channel[] } | undefined
  /** Problems without a field. */
  trouble: string | undefined
  /** The times of the version on screen. */
  series: SeriesView | undefined
  /** How many times the leading plan has. */
  times: number
}

function required<T>(name: string) {
  const context = createContext<T | undefined>(undefined)
  const useValue = (): T => {
    const value = use(context)
    if (value === undefined) throw new Error(`${name} outside of a composer`)
    return value
  }
  return [context, useValue] as const
}

export const [ComposerContext, useComposer] = required<Composer>('useComposer')
export const [CommandsContext, useCommands] = required<Commands>('useCommands')
export const [OptionsContext, useOptions] = required<SubmitOptions>('useOptions')
export const [ChecksContext, useCheckResults] = required<CheckResults>('useCheckResults')
export const [CardsContext, useCards] = required<(text: string) => CardState>('useCards')
export const [FileFactsContext, useFileFacts] = required<(key: string) => MediaFacts | undefined>('useFileFacts')
export const [EditorsContext, useOtherEditors] = required<readonly Editor[]>('useOtherEditors')

/** A part of the composer's state: `select` returns the same object until that part has changed. */
export function useComposerState<T>(select: (state: ComposerState) => T): T {
  const { store } = useComposer()
  return useSyncExternalStore(store.subscribe, () => select(store.state()))
}

/** The version of the post on screen. */
export function useVersion(): Version {
  const { store, channels } = useComposer()
  return useSyncExternalStore(store.subscribe, () => store.version(channels))
}

/** The items of that version. */
export function useItems(): readonly Item[] {
  const { channelId } = useVersion()
  return useComposerState(({ doc }) => itemsFor(doc, channelId))
}

/** The channels of the schedule on screen: the one shown, or all without a custom time. */
export function usePlannedChannels(): readonly Channel[] {
  const { chosen, channel } = useVersion()
  const custom = useComposerState(({ doc }) =>
    chosen
      .map(({ channelId }) => channelId)
      .filter((channelId) => doc.variants[channelId]?.plan)
      .join(' '),
  )
  return useMemo(
    () => (channel ? [channel] : chosen.filter(({ channelId }) => !custom.split(' ').includes(channelId))),
    [channel, chosen, custom],
  )
}

/** Whether a submit is running or done: nothing can be changed, because it wouldn't be sent. */
export const useIsLocked = (): boolean => useComposerState(({ sending }) => sending.phase !== 'writing')
