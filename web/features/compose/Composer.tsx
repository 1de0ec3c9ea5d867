import Plus from 'lucide-react/icons/plus'
import { useEffect, useEffectEvent, useMemo, useState, type ReactNode, type Ref, type RefObject } from 'react'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { Channel } from '#contract/channels.ts'
import type { Queue } from '#contract/queues.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { wallOf } from '#web/lib/dates.ts'
import { useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { ChannelOptions } from './ChannelOptions.tsx'
import { ChannelPicker } from './ChannelPicker.tsx'
import type { ChannelErrors } from './checks.ts'
import { sharedZone } from './chooseChannels.ts'
import { firstCommentFor, itemsFor, type Item, type Scope } from './doc.ts'
import { ErrorList } from './ErrorList.tsx'
import { FirstComment } from './FirstComment.tsx'
import { ItemEditor } from './ItemEditor.tsx'
import { LinkCardEditor } from './LinkCardEditor.tsx'
import { OwnTimes } from './OwnTimes.tsx'
import type { SeriesView } from './plan.ts'
import { ScheduleSection } from './ScheduleSection.tsx'
import { ScopeTabs } from './ScopeTabs.tsx'
import type { ComposerState } from './useComposer.ts'
import { SubmitLock } from './SubmitLock.tsx'
import { VersionLine } from './VersionLine.tsx'

type Props = {
  ids: ProjectIds
  channels: readonly Channel[]
  composer: ComposerState
  /** One channel for good, as when a post is edited. */
  locked: boolean
  now: Date
  channelError: string | undefined
  /** Platforms that nothing can be published to on this installation. */
  unable: ReadonlySet<PlatformKey>
  schedule: {
    error: string | undefined
    cap: { limit: number; channels: readonly Channel[] } | undefined
    series: SeriesView | undefined
    repeats: boolean
    queues: boolean
    slots: readonly { channel: Channel; queue: Queue }[]
  }
  errors: readonly ChannelErrors[]
  /** The channels that would be refused as they are. */
  troubled: readonly string[]
  /** A published post, whose first words alone can be changed at its platform. */
  live: boolean
  /** A submit is under way: nothing may be changed. */
  submitting: boolean
  /** What belongs to no field. */
  trouble: string | undefined
  /** The type of a file, by its key. */
  typeOf: (key: string) => string | undefined
  onSubmit: () => void
  /** The files of an item and the buttons of its text; their features are composed in by the screen. */
  tray: (item: Item) => ReactNode
  tools: (item: Item) => ReactNode
  /** Labels, campaigns, the workflow. */
  shelf: ReactNode
  /** Where everything stands that may have to be mended. */
  rootRef: RefObject<HTMLDivElement | null>
  textRef: Ref<HTMLTextAreaElement>
  onActive: (item: Item) => void
  footer: ReactNode
}

/** Where a post is written: channels, their versions, words and files, what only some platforms ask for, time. */
export function Composer({
  ids,
  channels,
  composer,
  locked,
  now,
  channelError,
  unable,
  schedule,
  errors,
  troubled,
  live,
  submitting,
  trouble,
  typeOf,
  onSubmit,
  tray,
  tools,
  shelf,
  rootRef: root,
  textRef,
  onActive,
  footer,
}: Props) {
  const { doc, set, scope, items, taken, written, chosen, channelId } = composer
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
  }, [root])
  const broken = useMemo(() => new Set(troubled), [troubled])
  const shown = chosen.find((channel) => channel.channelId === channelId)
  const saying = useMemo(() => written.filter((channel) => chosen.includes(channel)), [written, chosen])
  const inScope = useMemo(() => (shown ? [shown] : chosen), [shown, chosen])
  const withPictures = inScope.filter(({ channelId: id }) => {
    const types = itemsFor(doc, id).flatMap(({ media }) => media.flatMap((key) => typeOf(key) ?? []))
    return types.length > 0 && !types.some((type) => type.startsWith('video/'))
  })
  const picturedIds = withPictures.map(({ channelId: id }) => id).join(' ')
  const pictured = useMemo(() => new Set(picturedIds.split(' ')), [picturedIds])
  const ofDetails = errors.flatMap(({ channel, errors: list }) =>
    list
      .filter(({ field }) => field.startsWith('additionalDetails.'))
      .map(({ field, message }) => ({ channelId: channel.channelId, field, message })),
  )
  const [detailErrors, setDetailErrors] = useState(ofDetails)
  if (JSON.stringify(detailErrors) !== JSON.stringify(ofDetails)) setDetailErrors(ofDetails)
  const errorAt = (field: string) =>
    errors
      .flatMap(({ channel, errors: list }) => (written.includes(channel) ? list : []))
      .find((error) => error.field === field)?.message
  const threadMost = Math.max(1, ...taken.map(({ rules }) => rules.thread.most))
  const card = composer.cardState(items[0]?.text ?? '')
  const last = items.at(-1)
  /** The button that leads there goes with the version that was open: the caret stands in the one that opens. */
  const openVersion = (to: Scope) => {
    composer.setScope(to)
    requestAnimationFrame(() => root.current?.querySelector<HTMLTextAreaElement>('textarea[data-item]')?.focus())
  }
  /** Those that go out at the shared time. */
  const sharing = chosen.filter((channel) => !doc.variants[channel.channelId]?.plan)
  const slots = useMemo(
    () => schedule.slots.filter(({ channel }) => (shown ? channel === shown : !doc.variants[channel.channelId]?.plan)),
    [schedule.slots, shown, doc.variants],
  )
  // of a channel that is planned in a zone of its own, so that nobody takes it for the project's
  const projectZone = useProjectZone()
  const timed = shown ? inScope : sharing
  const { zone: shownZone } = composer.plan.when
  const zoneOf =
    shownZone !== projectZone && sharedZone(timed) === shownZone
      ? timed.length === 1
        ? timed[0]?.channelName
        : 'the chosen channels'
      : undefined
  const ownTimes = locked ? null : (
    <OwnTimes
      doc={doc}
      chosen={chosen}
      shown={shown}
      onPlan={(of, plan) => composer.setVariant(of, { plan })}
      onOpen={composer.setScope}
    />
  )
  return (
    <div ref={root} className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
      <SubmitLock locked={submitting}>
        <ChannelPicker
          channels={channels}
          chosen={doc.channelIds}
          onChange={composer.setChannels}
          locked={locked}
          unable={unable}
          error={channelError}
        />
        <ScopeTabs doc={doc} chosen={chosen} scope={scope} onScope={composer.setScope} broken={broken} />
        {shown && chosen.length > 1 ? (
          <VersionLine doc={doc} channel={shown} chosen={chosen} onGive={composer.giveText} />
        ) : null}
        {(live ? items.slice(0, 1) : items).map((item, i) => (
          <ItemEditor
            key={item.key}
            item={item}
            place={i}
            of={live ? 1 : items.length}
            types={item.media.map((key) => typeOf(key) ?? '').join(' ')}
            taken={taken}
            channels={saying}
            onChange={(change) => composer.changeItem(item.key, change)}
            onMention={(text, mention) => {
              composer.changeItem(item.key, { text })
              set({
                mentions: [
                  ...doc.mentions.filter(({ userId, name }) => userId !== mention.userId || name !== mention.name),
                  mention,
                ],
              })
            }}
            onMove={(by) => composer.moveItem(item.key, by)}
            onRemove={() => composer.removeItem(item.key)}
            titleError={i === 0 ? errorAt('contents.0.title') : undefined}
            tools={tools(item)}
            tray={tray(item)}
            onActive={() => onActive(item)}
            textRef={i === 0 ? textRef : undefined}
          />
        ))}
        {last && !live && items.length < threadMost ? (
          <Button
            tone="quiet"
            size="s"
            className="justify-self-start"
            icon={<Plus size={14} aria-hidden />}
            onClick={() => writeIn(composer.addItem(last.key))}
          >
            Add post below
          </Button>
        ) : null}
        <ErrorList errors={errors} scope={scope} onOpen={chosen.length > 1 ? openVersion : undefined} />
        {taken.some(({ rules }) => rules.linkCard) ? (
          <LinkCardEditor
            ids={ids}
            state={card}
            limits={taken.find(({ rules }) => rules.linkCard)?.rules.linkCard ?? { title: 100, description: 300 }}
            hiddenByPictures={(items[0]?.media.length ?? 0) > 0}
            onChange={(changed) => set({ cards: [...doc.cards.filter(({ uri }) => uri !== changed.uri), changed] })}
            onRemove={(url) =>
              set({ cards: doc.cards.filter(({ uri }) => uri !== url), cardsOff: [...doc.cardsOff, url] })
            }
          />
        ) : null}
        <ChannelOptions
          variants={doc.variants}
          channels={inScope}
          errors={detailErrors}
          pictured={pictured}
          today={wallOf(now, doc.plan.when.zone).day}
          locked={locked}
          onVariant={composer.setVariant}
        />
        {live ? null : (
          <FirstComment
            key={scope}
            value={firstCommentFor(doc, channelId)}
            taken={taken}
            error={errorAt('firstComment')}
            onChange={(firstComment) =>
              channelId === undefined ? set({ firstComment }) : composer.setVariant(channelId, { firstComment })
            }
          />
        )}
        {shelf}
        {trouble ? <Banner tone="bad" live title={trouble} /> : null}
        {live ? null : (
          <div className="border-t border-line pt-4">
            {shown && ownTimes && chosen.length > 1 && !doc.variants[shown.channelId]?.plan ? (
              <section aria-label="When" className="grid gap-2">
                <h2 className="font-bold">When</h2>
                {ownTimes}
              </section>
            ) : (
              <div className="grid gap-3">
                {shown ? ownTimes : null}
                <ScheduleSection
                  plan={composer.plan}
                  onChange={composer.setPlan}
                  now={now}
                  channels={shown ? 1 : sharing.length}
                  best={shown ?? sharing[0]}
                  zoneOf={zoneOf}
                  {...schedule}
                  slots={slots}
                />
                {shown ? null : ownTimes}
              </div>
            )}
          </div>
        )}
      </SubmitLock>
      {footer}
    </div>
  )
}

/** Puts the caret into the words of an item, once it stands there. */
function writeIn(itemKey: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLTextAreaElement>(`textarea[data-item="${itemKey}"]`)?.focus())
}
