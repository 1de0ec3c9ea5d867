import { useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { fitLinkCard } from '#contract/checkPost.ts'
import { errorCatalogue } from '#contract/errors.ts'
import type { PostContent, Schedule } from '#contract/posts.ts'
import { errorsByChannel, postTypeFor, rulesOf, type ChannelErrors } from '#web/features/compose/checks.ts'
import { isTooPast } from '#web/features/compose/ScheduleSection.tsx'
import { sortRefusal, type Refusal } from '#web/features/compose/serverErrors.ts'
import type { ComposerState } from '#web/features/compose/useComposer.ts'
import { useEdit, useSubmit } from '#web/features/compose/useSubmit.ts'
import type { Attachments } from '#web/features/media/useAttachments.ts'
import { wallOf } from '#web/lib/dates.ts'
import { isFailure } from '#web/lib/failure.ts'
import { useNow } from '#web/lib/now.ts'
import { scheduleAt } from '#web/lib/moment.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import type { Session } from './useSession.ts'

type Options = {
  ids: ProjectIds
  session: Session
  channels: readonly Channel[]
  composer: ComposerState
  attachments: Attachments
  scheduledCap: number | undefined
  /** The draft is on the server, or on its way there. */
  begun: boolean
  onDone: (message: string, target: { post: string | undefined; date: string | undefined }) => Promise<void>
}

/** Checks and sends what was written; keeps each refusal until the thing it was about has changed. */
export function useSending({ ids, session, channels, composer, attachments, scheduledCap, begun, onDone }: Options) {
  const { doc, chosen } = composer
  const now = useNow()
  const submission = useSubmit()
  const edit = useEdit()
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ of: string; refusal: Refusal }>()
  const [isStale, setStale] = useState(false)

  const content: PostContent = { text: doc.text.trim(), media: attachments.media }
  // a post carries pictures or a card
  const linkCard = content.media.length > 0 ? null : composer.card.card
  const additionalDetails = linkCard === undefined ? {} : { linkCard }
  /** What a page says of itself may be longer than a platform takes. */
  const detailsFor = (channel: Channel | undefined) => {
    const rules = channel && rulesOf(channel)
    return linkCard && rules ? { linkCard: fitLinkCard(rules, linkCard) } : additionalDetails
  }
  const schedule: Schedule = doc.mode === 'now' ? { type: 'NOW' } : scheduleAt(doc.when)
  const written = JSON.stringify([content, additionalDetails, doc.mode === 'now' ? 'now' : doc.when, doc.channelIds])
  const refusal = refused?.of === written ? refused.refusal : undefined

  const facts = attachments.list.map(({ contentType, bytes, altText }) => ({ contentType, bytes, altText }))
  const local = errorsByChannel(chosen, { text: doc.text, media: facts, card: composer.card.card }, doc.mode === 'now')
  // an empty page is no mistake before somebody tries to send it; files say what they need themselves
  const shown = local.map(({ channel, errors }) => ({ channel, errors: errors.filter((error) => (tried || error.rule !== 'text.required') && !error.field.includes('.media.')) })).filter(({ errors }) => errors.length > 0)
  const fromServer: ChannelErrors[] = chosen.flatMap((channel) => {
    const messages = refusal?.byChannel[channel.channelId]
    return messages ? [{ channel, errors: messages.map((message) => ({ field: '', message })) }] : []
  })

  const keepsItsPlace = session.post?.status === 'SCHEDULED'
  const full = scheduledCap === undefined || keepsItsPlace ? [] : chosen.filter((channel) => channel.scheduledPosts >= scheduledCap)
  const serverCap = refusal?.cap
  const cap = serverCap ? { limit: serverCap.limit, channels: channels.filter((channel) => serverCap.channelIds.includes(channel.channelId)) } : full.length > 0 && scheduledCap !== undefined ? { limit: scheduledCap, channels: full } : undefined

  const passed = doc.mode === 'once' && isTooPast(doc.when, now)
  const waiting = attachments.busy ? 'The pictures are still being uploaded. It can be sent when they have arrived.' : attachments.list.some((one) => one.state === 'failed') ? 'A picture was not uploaded. Remove it or try again.' : undefined
  const channelError = tried && chosen.length === 0 ? 'Choose at least one channel.' : undefined

  const submit = async (overVersion?: number) => {
    if (submission.isPending || edit.isPending) return
    setTried(true)
    if (chosen.length === 0 || local.length > 0 || waiting || passed || (doc.mode === 'once' && cap)) return
    setStale(false)
    try {
      if (session.editing) {
        const reply = await edit.mutateAsync({ params: { ...ids, postId: session.id }, body: { version: overVersion ?? session.version, contents: [content], additionalDetails: detailsFor(chosen[0]), schedule } })
        await onDone(reply.message ?? 'Post updated successfully', { post: session.id, date: dateOf(doc) })
      } else {
        const reply = await submission.submit(ids, {
          intent: doc.mode === 'now' ? 'PUBLISH' : 'SCHEDULE',
          channels: chosen.map((channel) => ({ channelId: channel.channelId, postType: postTypeFor(channel), contents: [content], additionalDetails: detailsFor(channel) })),
          schedule,
          ...(begun ? { draftId: session.id } : {}),
        })
        await onDone(reply.message ?? 'Post sent for processing', { post: reply.posts[0]?.postId, date: dateOf(doc) })
      }
    } catch (error) {
      if (isFailure(error, 'STALE_VERSION')) setStale(true)
      else if (isFailure(error, 'BAD_INPUT', 'POST_REFUSED', 'TIME_PASSED', 'SCHEDULE_CAP', 'NOT_FOUND')) setRefused({ of: written, refusal: sortRefusal(error, chosen.map((channel) => channel.channelId)) })
      // everything else has been shown by the global handling of failures
    }
  }

  return {
    submit,
    pending: submission.isPending || edit.isPending,
    isStale,
    channelError,
    scheduleError: passed ? errorCatalogue.TIME_PASSED.detail : refusal?.schedule,
    cap,
    errors: fromServer.length > 0 ? fromServer : shown,
    trouble: refusal?.other ?? (tried ? waiting : undefined),
  }
}

/** The day on which the calendar shows it. */
function dateOf({ mode, when }: ComposerState['doc']): string | undefined {
  return mode === 'once' ? when.day : wallOf(new Date(), when.zone).day
}
