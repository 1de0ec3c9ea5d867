import { useDeferredValue, useMemo, useState } from 'react'
import type { MediaFacts } from '#contract/checkMedia.ts'
import { errorCatalog } from '#contract/errors.ts'
import { useNow } from '#web/lib/now.ts'
import { errorsByChannel, type ChannelErrors, type Known } from './checks.ts'
import { useComposer, useComposerState, useOptions, useVersion, type CheckResults } from './ComposerContext.ts'
import type { Sent } from './composerReducer.ts'
import { isEmpty, planFor, type Doc } from './doc.ts'
import { keepEqual } from './keepEqual.ts'
import { isTooPast, seriesOf, type Plan, type SeriesView } from './plan.ts'
import { leadingPlan } from './submission.ts'
import { scheduledRoom } from './scheduledRoom.ts'
import { refusedOf, saidOf } from './troubled.ts'

type Options = {
  cardOf: Known['cardOf']
  files: {
    factsOf: (key: string) => MediaFacts | undefined
    /** The same text as long as the same files would be sent. */
    sent: string
    /** Why nothing can be submitted yet. */
    problem: string | undefined
    /** Because some haven't arrived. */
    busy: boolean
  }
}

/** A person who was told to wait for their files may take the end of the wait for the end of the submit. */
const FILES_ARRIVED = "Your files are uploaded. Your post wasn't submitted yet: submit it now."
const NO_WORKFLOW = 'Please select a workflow before sending for approval.'

/** What blocks submitting: found here while someone types, or refused by the server until what it was about changes. */
export function useChecks({ cardOf, files }: Options) {
  const { channels, scheduledCap, edited } = useComposer()
  const { chosen, channelId } = useVersion()
  const { mode, workflowId } = useOptions()
  const doc = useComposerState((state) => state.doc)
  const tried = useComposerState(({ sending }) => sending.tried)
  const refused = useComposerState(({ sending }) => sending.refused)
  const links = useComposerState((state) => state.links)
  const waitedForFiles = useComposerState(({ sending }) => sending.waitedForFiles)
  const now = useNow()
  const approve = mode === 'approve'
  const sent: Sent = { doc, files: files.sent, approve }
  const refusal = refused && isSame(refused, sent) ? refused.refusal : undefined

  const { factsOf } = files
  const check = useMemo(
    () => (of: Doc) =>
      errorsByChannel(chosen, of, { factsOf, cardOf, links, now: (id) => planFor(of, id).mode === 'now' && !approve }),
    [chosen, factsOf, cardOf, links, approve],
  )
  // keystrokes render first, problems right after
  const later = useDeferredValue(doc)
  const found = useMemo(() => check(later), [check, later])

  // a series is computed once, however many channels it's for
  const seriesByPlan = useMemo(
    () =>
      new Map(
        [doc.plan, ...Object.values(doc.variants).flatMap(({ plan }) => plan ?? [])].map((plan) => [
          plan,
          seriesOf(plan, now),
        ]),
      ),
    [doc.plan, doc.variants, now],
  )
  const seriesFor = (plan: Plan) => seriesByPlan.get(plan)
  const shownPlan = planFor(doc, channelId)
  const series = seriesFor(shownPlan)
  const customTimes = chosen.flatMap((channel): ChannelErrors[] => {
    const plan = doc.variants[channel.channelId]?.plan
    const message = plan && timeProblem(plan, now, seriesFor(plan))
    return message ? [{ channel, errors: [{ field: 'schedule', message }] }] : []
  })
  const fromServer = chosen.flatMap((channel): ChannelErrors[] => {
    const messages = refusal?.byChannel[channel.channelId]
    return messages ? [{ channel, errors: messages.map((message) => ({ field: '', message })) }] : []
  })
  const room = scheduledRoom({
    doc,
    chosen,
    channels,
    scheduledCap,
    approve,
    post: edited?.post,
    serverCap: refusal?.cap,
    series,
    timesOf: (plan) => seriesFor(plan)?.times.length ?? 1,
  })
  const isWithoutWorkflow = approve && workflowId === null
  const refusedNow = [...fromServer, ...refusedOf(found, { isBegun: !isEmpty(later), tried }), ...customTimes]

  const results = useUnchanged<CheckResults>({
    errors: fromServer.length > 0 ? fromServer : merged(saidOf(found, { tried }), customTimes),
    troubled: [...new Set(refusedNow.map(({ channel }) => channel.channelId))],
    channelError: tried && chosen.length === 0 ? noChannel(channels.length) : undefined,
    workflowError: refusal?.workflow ?? (tried && isWithoutWorkflow ? NO_WORKFLOW : undefined),
    scheduleError: timeProblem(shownPlan, now, undefined) ?? refusal?.schedule ?? room.error,
    cap: room.cap,
    trouble: refusal?.other ?? (tried ? (files.problem ?? (waitedForFiles ? FILES_ARRIVED : undefined)) : undefined),
    series,
    times: seriesFor(leadingPlan(doc, chosen))?.times.length ?? 1,
  })
  return {
    results,
    sent,
    seriesFor,
    /** Some of its files haven't arrived. */
    waitsForFiles: files.busy,
    /** The channels that would be refused as they are, checked immediately; undefined if nothing blocks submitting. */
    obstacles: (): readonly string[] | undefined => {
      const broken = [
        ...check(doc).map(({ channel }) => channel.channelId),
        ...chosen
          .map((channel) => channel.channelId)
          .filter((id) => {
            const plan = planFor(doc, id)
            return timeProblem(plan, now, seriesFor(plan))
          }),
      ]
      const isBlocked =
        chosen.length === 0 || files.problem !== undefined || room.cap || room.isNarrow || isWithoutWorkflow
      return broken.length > 0 || isBlocked ? broken : undefined
    },
  }
}

const noChannel = (channels: number): string =>
  channels === 0 ? 'Connect a channel to publish this post.' : 'Choose at least one channel.'

/** Why nothing can be published at this time. */
const timeProblem = (plan: Plan, now: Date, series: SeriesView | undefined): string | undefined =>
  plan.mode === 'once' && isTooPast(plan, now) ? errorCatalog.TIME_PASSED.detail : series?.error

const isSame = (one: Sent, other: Sent): boolean =>
  one.files === other.files &&
  one.approve === other.approve &&
  (one.doc === other.doc || JSON.stringify(one.doc) === JSON.stringify(other.doc))

/** Both lists, one entry for each channel. */
function merged(one: readonly ChannelErrors[], other: readonly ChannelErrors[]): ChannelErrors[] {
  return [
    ...one.map((entry) => ({
      ...entry,
      errors: [...entry.errors, ...(other.find(({ channel }) => channel === entry.channel)?.errors ?? [])],
    })),
    ...other.filter(({ channel }) => !one.some((entry) => entry.channel === channel)),
  ]
}

/** The same object until something in it changes, so that its readers don't render with every keystroke. */
function useUnchanged<T extends object>(value: T): T {
  const [kept, setKept] = useState(value)
  const next = keepEqual(kept, value)
  if (next !== kept) setKept(next)
  return next
}
