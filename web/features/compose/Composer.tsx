import { useEffect, useEffectEvent, useId, useRef, type ReactNode, type Ref } from 'react'
import { Banner } from '#web/ui/Banner.tsx'
import type { Channel } from '#contract/channels.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { ChannelPicker } from './ChannelPicker.tsx'
import type { ChannelErrors } from './checks.ts'
import { Counter } from './Counter.tsx'
import { HighlightedTextArea } from './HighlightedTextArea.tsx'
import { LinkCardEditor } from './LinkCardEditor.tsx'
import { ScheduleSection } from './ScheduleSection.tsx'
import type { ComposerState } from './useComposer.ts'

type Props = {
  ids: ProjectIds
  channels: readonly Channel[]
  composer: ComposerState
  /** One channel for good, as when a post is edited. */
  locked: boolean
  now: Date
  channelError: string | undefined
  scheduleError: string | undefined
  cap: { limit: number; channels: readonly Channel[] } | undefined
  errors: readonly ChannelErrors[]
  /** What belongs to no field. */
  trouble: string | undefined
  onSubmit: () => void
  /** The pictures and the button that adds one; their feature is composed in by the screen. */
  tray: ReactNode
  pick: ReactNode
  hasPictures: boolean
  textRef: Ref<HTMLTextAreaElement>
  footer: ReactNode
}

/** Where a post is written: channels, words, pictures, card, time. */
export function Composer({ ids, channels, composer, locked, now, channelError, scheduleError, cap, errors, trouble, onSubmit, tray, pick, hasPictures, textRef, footer }: Props) {
  const counterId = useId()
  const { doc, set } = composer
  const root = useRef<HTMLDivElement>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSubmit()
  })
  useEffect(() => {
    const { current: element } = root
    const listen = (event: KeyboardEvent) => onKey(event)
    element?.addEventListener('keydown', listen)
    return () => element?.removeEventListener('keydown', listen)
  }, [])
  return (
    <div ref={root} className="grid min-w-0 content-start gap-4">
      <ChannelPicker channels={channels} chosen={doc.channelIds} onChange={(channelIds) => set({ channelIds })} locked={locked} error={channelError} />
      <div className="rounded-lg border border-line-strong bg-surface focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        <HighlightedTextArea ref={textRef} label="Text" value={doc.text} onChange={(text) => set({ text })} spans={composer.spans} overflowAt={composer.overflowAt} invalid={composer.overflowAt !== undefined} describedBy={counterId} />
        <div className="flex items-center justify-between gap-2 border-t border-line py-1 pr-3.5 pl-1.5">
          {pick}
          <Counter id={counterId} counts={composer.counts} />
        </div>
      </div>
      {tray}
      <LinkCardEditor ids={ids} state={composer.card} limits={composer.cardLimits} hiddenByPictures={hasPictures} onChange={(card) => set({ card })} onRemove={(url) => set({ card: undefined, cardsOff: [...doc.cardsOff, url] })} />
      <ErrorList errors={errors} />
      {trouble ? (
        <Banner tone="bad" live title={trouble} />
      ) : null}
      <div className="border-t border-line pt-4">
        <ScheduleSection mode={doc.mode} onMode={(mode) => set({ mode })} when={doc.when} onWhen={(when) => set({ when })} now={now} error={scheduleError} cap={cap} />
      </div>
      {footer}
    </div>
  )
}

/** What would be refused, by channel. */
function ErrorList({ errors }: { errors: readonly ChannelErrors[] }) {
  if (errors.length === 0) return null
  return (
    <ul aria-label="What has to be mended" className="grid gap-1.5">
      {errors.map(({ channel, errors: list }) => (
        <li key={channel.channelId} className="rounded-md border border-l-3 border-line border-l-bad bg-surface px-3 py-2 text-sm">
          <b className="font-semibold">{channel.channelName}</b>
          <ul>
            {[...new Set(list.map((error) => error.message))].map((message) => (
              <li key={message} className="text-bad">
                {message}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
