import { useDeferredValue, useMemo, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { errorCatalog } from '#contract/errors.ts'
import type { Scope } from '#contract/posts.ts'
import type { Submit } from '#contract/submit.ts'
import {
  commentFor,
  detailsFor,
  errorsByChannel,
  itemsTaken,
  postTypeFor,
  rulesOf,
  type ChannelErrors,
} from '#web/features/compose/checks.ts'
import { fieldsOf, submittedOf, type DraftSaver, type SaveState } from '#web/features/compose/draftSaver.ts'
import { aiHelpFor, isEmpty, itemsFor, mentionsFor, planFor } from '#web/features/compose/doc.ts'
import { contentsOf } from '#web/features/compose/draftDoc.ts'
import { isRepeating, scheduleOf, seriesOf, takesPlace, type Plan } from '#web/features/compose/plan.ts'
import { isTooPast } from '#web/features/compose/ScheduleSection.tsx'
import { sortRefusal, type Refusal } from '#web/features/compose/serverErrors.ts'
import { refusedOf, saidOf } from '#web/features/compose/troubled.ts'
import type { ComposerState } from '#web/features/compose/useComposer.ts'
import { useEdit, useSubmit } from '#web/features/compose/useSubmit.ts'
import { wallOf } from '#web/lib/dates.ts'
import { isFailure } from '#web/lib/failure.ts'
import { useNow } from '#web/lib/now.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { isWithoutSlot } from '#web/lib/shownTime.ts'
import type { ComposerFiles } from './useFiles.ts'
import type { Session } from './useSession.ts'

type Options = {
  ids: ProjectIds
  session: Session
  channels: readonly Channel[]
  composer: ComposerState
  files: ComposerFiles
  scheduledCap: number | undefined
  /** Saves the draft meanwhile; of a post that is edited it does nothing. */
  saver: DraftSaver
  /** It goes to its approvers instead of out. */
  approve: boolean
  /** Who approves it; null while nobody was chosen. */
  workflowId: string | null
  /** Something has to be mended first; names the channels that would be refused. */
  onTrouble: (broken: readonly string[]) => void
  /** `withoutSlot` are the channels whose queues had no slot to give. */
  onDone: (
    message: string,
    target: { post: string | undefined; date: string | undefined },
    withoutSlot: readonly Channel[],
  ) => Promise<void>
}

const NO_WORKFLOW = 'Please select a workflow before sending for approval.'
const shownHere = ['BAD_INPUT', 'POST_REFUSED', 'TIME_PASSED', 'SCHEDULE_CAP', 'NOT_FOUND'] as const

/** Checks and sends what was written; keeps each refusal until the thing it was about has changed. */
export function useSending({
  ids,
  session,
  channels,
  composer,
  files,
  scheduledCap,
  saver,
  approve,
  workflowId,
  onTrouble,
  onDone,
}: Options) {
  const { doc, chosen, cardOf } = composer
  // the time that leads: what most see it as. Channels may have their own
  const plan = (
    chosen.find(({ channelId }) => !doc.variants[channelId]?.plan) ? doc : { plan: planFor(doc, chosen[0]?.channelId) }
  ).plan
  const now = useNow()
  const submission = useSubmit()
  const edit = useEdit()
  const [tried, setTried] = useState(false)
  const [phase, setPhase] = useState<'writing' | 'sending' | 'sent'>('writing')
  const [refused, setRefused] = useState<{ of: string; refusal: Refusal }>()
  const [stale, setStale] = useState<readonly string[]>()

  const goesNow = (channelId: string) => planFor(doc, channelId).mode === 'now' && !approve
  const atOnce = JSON.stringify(chosen.map(({ channelId }) => goesNow(channelId)))
  const written = JSON.stringify([doc, files.pool.media, approve])
  const refusal = refused?.of === written ? refused.refusal : undefined
  const check = (of: typeof doc) => errorsByChannel(chosen, of, { factsOf: files.factsOf, cardOf, now: goesNow })
  // keys are drawn first, what they break right after
  const later = useDeferredValue(doc)
  const cards = JSON.stringify(composer.texts.map(cardOf))
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the two functions change with the files and cards, which are named
  const local = useMemo(() => check(later), [later, chosen, files.pool.list, cards, atOnce])
  const shown = saidOf(local, { tried })
  const live = refusedOf(local, { isBegun: !isEmpty(later), tried })
  const fromServer: ChannelErrors[] = chosen.flatMap((channel) => {
    const messages = refusal?.byChannel[channel.channelId]
    return messages ? [{ channel, errors: messages.map((message) => ({ field: '', message })) }] : []
  })

  // a series is computed once, however many channels it is for
  const seriesByPlan = useMemo(
    () =>
      new Map(
        [doc.plan, ...Object.values(doc.variants).flatMap((variant) => variant.plan ?? [])].map((one) => [
          one,
          seriesOf(one, now),
        ]),
      ),
    [doc.plan, doc.variants, now],
  )
  const seriesFor = (of: Plan) => seriesByPlan.get(of)
  const shownPlan = composer.plan
  const series = seriesFor(shownPlan)
  const isTimed = (channel: Channel) => takesPlace(planFor(doc, channel.channelId), approve)
  const postsOf = (channel: Channel) => seriesFor(planFor(doc, channel.channelId))?.times.length ?? 1
  const keepsItsPlace =
    session.post !== undefined &&
    session.post.dueAt !== null &&
    ['SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL'].includes(session.post.status) &&
    !series
  const roomOf = (channel: Channel) =>
    scheduledCap === undefined || keepsItsPlace ? Infinity : scheduledCap - channel.scheduledPosts
  const full = chosen.filter((channel) => isTimed(channel) && roomOf(channel) <= 0)
  const narrow =
    full.length > 0 ? [] : chosen.filter((channel) => isTimed(channel) && roomOf(channel) < postsOf(channel))
  const serverCap = refusal?.cap
  // a series may fit when it is made shorter: the scheduler stays
  const cap =
    full.length > 0 && scheduledCap !== undefined
      ? { limit: scheduledCap, channels: full }
      : serverCap && !series
        ? {
            limit: serverCap.limit,
            channels: channels.filter((channel) => serverCap.channelIds.includes(channel.channelId)),
          }
        : undefined

  const timeTrouble = (of: Plan) =>
    of.mode === 'once' && isTooPast(of, now) ? errorCatalog.TIME_PASSED.detail : seriesFor(of)?.error
  const passed = shownPlan.mode === 'once' && isTooPast(shownPlan, now)
  const ownTrouble = chosen.flatMap((channel): ChannelErrors[] => {
    const own = doc.variants[channel.channelId]?.plan
    const message = own && timeTrouble(own)
    return message ? [{ channel, errors: [{ field: 'schedule', message }] }] : []
  })
  const waiting = files.pool.busy
    ? "Your files are still uploading. You can submit once they're done."
    : files.pool.list.some((one) => one.state === 'failed')
      ? "A file wasn't uploaded. Remove it or try again."
      : undefined
  const channelError = tried && chosen.length === 0 ? 'Choose at least one channel.' : undefined
  const workflowError = refusal?.workflow ?? (tried && approve && workflowId === null ? NO_WORKFLOW : undefined)
  const scheduleError = passed
    ? errorCatalog.TIME_PASSED.detail
    : (refusal?.schedule ??
      (narrow.length > 0
        ? `${narrow.map((channel) => `${channel.channelName} can take ${roomOf(channel)} more scheduled posts`).join(', ')}. Choose fewer times.`
        : serverCap && series
          ? `You've reached the limit of ${serverCap.limit} scheduled posts. Choose fewer times.`
          : undefined))

  const partOf = (channel: Channel) => {
    const items = itemsFor(doc, channel.channelId)
    const postType = postTypeFor(channel, doc.variants[channel.channelId]?.postType)
    const firstComment = commentFor(doc, channel)
    const mentions = mentionsFor(doc, channel, channels)
    const aiHelp = aiHelpFor(doc, channel.channelId)
    return {
      postType,
      contents: contentsOf(itemsTaken(items, rulesOf(channel, postType)), files),
      additionalDetails: detailsFor(doc, channel, cardOf),
      firstComment,
      mentions,
      ...(aiHelp.length > 0 && { aiHelp }),
    }
  }
  const sendNew = async () => {
    const shared = seriesFor(plan)
    const intent: Submit['intent'] = approve
      ? 'NEEDS_APPROVAL'
      : plan.mode === 'now'
        ? 'PUBLISH'
        : plan.mode === 'queue'
          ? 'QUEUE'
          : 'SCHEDULE'
    const reply = await submission.submit(ids, {
      intent,
      channels: chosen.map((channel) => {
        const { firstComment, mentions, ...part } = partOf(channel)
        const own = doc.variants[channel.channelId]?.plan
        return {
          channelId: channel.channelId,
          ...part,
          ...(firstComment && { firstComment }),
          ...(mentions.length > 0 && { mentions }),
          ...(own && own !== plan && { schedule: scheduleOf(own) }),
        }
      }),
      schedule: scheduleOf(plan),
      ...(shared && { previewed: shared.times.map(({ at }) => at.toISOString()) }),
      // named even where there are none: what isn't named moves along with the draft
      labels: [...doc.labelIds],
      campaignIds: [...doc.campaignIds],
      ...(approve && workflowId !== null && { workflowId }),
      draftId: session.id,
      draftVersion: saver.version(),
    })
    await saver.finish()
    await onDone(
      reply.message ?? 'Post sent for processing',
      { post: reply.posts[0]?.postId, date: dateOf(plan, reply.posts[0]?.dueAt ?? null) },
      chosen.filter(({ channelId }) => reply.posts.some((post) => post.channelId === channelId && isWithoutSlot(post))),
    )
  }
  const sendEdit = async (version: number, scope: Scope, overwrite: boolean) => {
    const [channel] = chosen
    if (!channel || !session.post) return
    const isLive = session.post.status === 'PUBLISHED'
    const { postType: _kept, ...part } = partOf(channel)
    // its slot or its wish stays as it is, unless the person changed it
    const asBefore =
      ['QUEUED', 'NEEDS_APPROVAL', 'REJECTED'].includes(session.post.status) &&
      JSON.stringify(plan) === JSON.stringify(session.doc.plan)
    const reply = await edit.mutateAsync({
      params: { ...ids, postId: session.id },
      body: {
        version,
        ...part,
        ...(!asBefore && !isLive && { schedule: scheduleOf(plan) }),
        ...(!isSame(doc.labelIds, session.doc.labelIds) && { labels: [...doc.labelIds] }),
        ...(!isSame(doc.campaignIds, session.doc.campaignIds) && { campaignIds: [...doc.campaignIds] }),
        ...(workflowId !== null && (approve || workflowId !== session.doc.workflowId) && { workflowId }),
        scope,
        ...(scope !== 'this' && { overwrite }),
      },
    })
    const kept =
      reply.kept.length > 0
        ? ` ${reply.kept.length} posts of the series weren't changed: ${reply.kept[0]?.reason ?? ''}`
        : ''
    await onDone(
      `${reply.message ?? 'Post updated successfully'}${kept && `.${kept}`}`,
      { post: session.id, date: dateOf(plan, reply.dueAt) },
      [],
    )
  }

  const submit = async ({
    overVersion,
    scope = 'this',
    overwrite = false,
  }: { overVersion?: number | undefined; scope?: Scope; overwrite?: boolean } = {}) => {
    if (phase !== 'writing') return
    setTried(true)
    const broken = [
      ...check(doc).map(({ channel }) => channel),
      ...chosen.filter(({ channelId }) => timeTrouble(planFor(doc, channelId))),
    ].map(({ channelId }) => channelId)
    if (
      chosen.length === 0 ||
      broken.length > 0 ||
      waiting ||
      cap ||
      narrow.length > 0 ||
      (approve && workflowId === null)
    )
      return onTrouble(broken)
    setStale(undefined)
    setPhase('sending')
    let isSent = false
    try {
      if (session.editing) await sendEdit(overVersion ?? session.version, scope, overwrite)
      else {
        await saver.hold()
        // somebody has to decide first, or there is nothing left to submit
        if (!isSettled(saver.state())) return
        await sendNew()
      }
      isSent = true
    } catch (error) {
      if (!session.editing) saver.resume()
      if (isFailure(error, 'POST_LOCKED') && !session.editing)
        saver.wasSubmittedElsewhere(submittedOf(error.meta)?.state)
      else if (isFailure(error, 'STALE_VERSION') && !session.editing) saver.wasChangedElsewhere(fieldsOf(error.meta))
      else if (isFailure(error, 'STALE_VERSION')) setStale(fieldsOf(error.meta))
      else if (isFailure(error, ...shownHere)) {
        const why = sortRefusal(
          error,
          chosen.map((channel) => channel.channelId),
        )
        setRefused({ of: written, refusal: why })
        onTrouble(Object.keys(why.byChannel))
      }
      // everything else has been shown by the global handling of failures
    } finally {
      if (!session.editing) saver.resume()
      // what was typed between the answer and the next page would be kept nowhere
      setPhase(isSent ? 'sent' : 'writing')
    }
  }

  return {
    submit,
    /** From pressing the button until a refusal, or for good: nothing may be changed, since it wouldn't be sent. */
    locked: phase !== 'writing',
    /** What differs from what somebody else saved meanwhile. */
    stale,
    channelError,
    scheduleError,
    workflowError,
    cap,
    series,
    errors: fromServer.length > 0 ? fromServer : together(shown, ownTrouble),
    /** Every channel that would be refused as it is, files and what is still missing included. */
    troubled: [...new Set([...fromServer, ...live, ...ownTrouble].map(({ channel }) => channel.channelId))],
    /** The time that leads, and how many times it makes. */
    plan,
    times: seriesFor(plan)?.times.length ?? 1,
    trouble: refusal?.other ?? (tried ? waiting : undefined),
  }
}

/** Whether the draft can be submitted: nobody else's words would be lost, and it wasn't submitted already. */
const isSettled = ({ kind }: SaveState): boolean => kind !== 'changedElsewhere' && kind !== 'submitted'

/** Both lists, one entry for each channel. */
function together(one: readonly ChannelErrors[], other: readonly ChannelErrors[]): ChannelErrors[] {
  return [
    ...one.map((entry) => ({
      ...entry,
      errors: [...entry.errors, ...(other.find(({ channel }) => channel === entry.channel)?.errors ?? [])],
    })),
    ...other.filter(({ channel }) => !one.some((entry) => entry.channel === channel)),
  ]
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id))

/** The day on which the calendar shows it. */
function dateOf(plan: Plan, dueAt: string | null): string | undefined {
  if (plan.mode === 'once') return plan.when.day
  if (dueAt !== null && (isRepeating(plan) || plan.mode === 'queue')) return wallOf(new Date(dueAt), plan.when.zone).day
  return wallOf(new Date(), plan.when.zone).day
}
