import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Channel } from '#contract/channels.ts'
import type { PostState } from '#contract/postStates.ts'
import { editPost, getPost } from '#contract/posts.ts'
import { submitPost, type Submit } from '#contract/submit.ts'
import { newIdempotencyKey } from '#web/lib/client.ts'
import { wallOf } from '#web/lib/dates.ts'
import { isFailure } from '#web/lib/failure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { isWithoutSlot } from '#web/lib/shownTime.ts'
import { useComposer } from './ComposerContext.ts'
import { fieldsOf, submittedOf, type DraftSaver } from './draftSaver.ts'
import { isRepeating, type Plan } from './plan.ts'
import { sortRefusal } from './serverErrors.ts'
import { editSubmission, newSubmission, type Written } from './submission.ts'
import type { useChecks } from './useChecks.ts'

const shownHere = ['BAD_INPUT', 'POST_REFUSED', 'TIME_PASSED', 'SCHEDULE_CAP', 'NOT_FOUND'] as const

/** What was sent, and where it can be seen. */
export type Submitted = {
  message: string
  postIds: readonly string[]
  /** The day on which the calendar shows the first of them. */
  day: string | undefined
  /** Of the first of them. */
  status: PostState
  /** It was sent for approval without a time: no day shows it. */
  isWaiting: boolean
  /** The channels whose queues had no slot. */
  withoutSlot: readonly Channel[]
}

type Options = {
  written: Written
  checks: Pick<ReturnType<typeof useChecks>, 'obstacles' | 'seriesFor' | 'sent' | 'waitsForFiles'>
  /** Saves the draft in the meantime; does nothing for an edited post. */
  saver: DraftSaver
  /** Of an edited post, as it was read. */
  version: number
  onDone: (submitted: Submitted) => void
}

/** Sends what was written, once: new posts, or the changes of one, over `overVersion` if a conflict was resolved. */
export function useSubmit({ written, checks, saver, version, onDone }: Options) {
  const { store, ids, postId, channels, edited } = useComposer()
  const submitBatch = useSubmitBatch(ids)
  const edit = useSend(editPost, { handles: [...shownHere, 'STALE_VERSION'] })
  const { chosen, plan } = written

  const sendNew = async (): Promise<Submitted> => {
    const reply = await submitBatch(
      newSubmission(written, { id: postId, version: saver.version() }, checks.seriesFor(plan)),
    )
    await saver.finish()
    return {
      message: reply.message ?? 'Post sent for processing',
      postIds: reply.posts.map((post) => post.postId),
      day: dateOf(plan, reply.posts[0]?.dueAt ?? null),
      status: reply.posts[0]?.status ?? 'SCHEDULED',
      isWaiting: written.approve && (plan.mode === 'now' || plan.mode === 'queue'),
      withoutSlot: chosen.filter(({ channelId }) =>
        reply.posts.some((post) => post.channelId === channelId && isWithoutSlot(post)),
      ),
    }
  }
  const sendEdit = async (before: NonNullable<typeof edited>, over: number): Promise<Submitted | undefined> => {
    const [channel] = chosen
    if (!channel) return undefined
    const { scope, overwrite } = store.state().sending.series
    const reply = await edit.mutateAsync({
      params: { ...ids, postId },
      body: {
        version: over,
        ...editSubmission(channel, written, before),
        scope,
        ...(scope !== 'this' && { overwrite }),
      },
    })
    const kept =
      reply.kept.length > 0
        ? `. ${reply.kept.length} posts of the series weren't changed: ${reply.kept[0]?.reason ?? ''}`
        : ''
    return {
      message: `${reply.message ?? 'Post updated successfully'}${kept}`,
      postIds: [postId],
      day: dateOf(plan, reply.dueAt),
      status: reply.status,
      isWaiting: reply.status === 'NEEDS_APPROVAL' && reply.dueAt === null,
      withoutSlot: [],
    }
  }
  const block = (broken: readonly string[]) =>
    store.dispatch({
      type: 'submitBlocked',
      broken,
      shown: store.version(channels).scope,
      byFiles: checks.waitsForFiles,
    })
  const showRefusal = (error: unknown) => {
    if (isFailure(error, 'POST_LOCKED') && !edited) saver.wasSubmittedElsewhere(submittedOf(error.meta)?.state)
    else if (isFailure(error, 'STALE_VERSION') && !edited) saver.wasChangedElsewhere(fieldsOf(error.meta))
    else if (isFailure(error, 'STALE_VERSION'))
      store.dispatch({ type: 'submitConflicted', fields: fieldsOf(error.meta) })
    else if (isFailure(error, ...shownHere)) {
      const refusal = sortRefusal(
        error,
        chosen.map(({ channelId }) => channelId),
      )
      store.dispatch({ type: 'submitRefused', sent: checks.sent, refusal })
      block(Object.keys(refusal.byChannel))
    }
    // the global error handling has shown everything else
  }

  return async (overVersion?: number) => {
    // if it's pressed twice, the second call finds the first one running
    if (store.state().sending.phase !== 'writing') return
    store.dispatch({ type: 'submitTried' })
    const broken = checks.obstacles()
    if (broken) return block(broken)
    store.dispatch({ type: 'submitStarted' })
    let sent = false
    try {
      if (!edited) await saver.hold()
      // someone has to decide first, or there is nothing left to submit
      const { kind } = saver.state()
      if (!edited && (kind === 'changedElsewhere' || kind === 'submitted')) return
      const submitted = edited ? await sendEdit(edited, overVersion ?? version) : await sendNew()
      sent = true
      if (submitted) onDone(submitted)
    } catch (error) {
      if (!edited) saver.resume()
      showRefusal(error)
    } finally {
      if (!edited) saver.resume()
      // what is typed between the response and the next page would be stored nowhere
      store.dispatch({ type: 'submitEnded', sent })
    }
  }
}

/** Sends new posts. The same content has the same key, so that a lost response never posts twice. */
function useSubmitBatch(ids: ProjectIds) {
  const { mutateAsync } = useSend(submitPost, { handles: [...shownHere, 'STALE_VERSION', 'POST_LOCKED'] })
  const queries = useQueryClient()
  const last = useRef<{ content: string; key: string }>(undefined)
  return async (body: Submit) => {
    const content = JSON.stringify(body)
    if (last.current?.content !== content) last.current = { content, key: newIdempotencyKey() }
    const reply = await mutateAsync({ params: ids, body, idempotencyKey: last.current.key })
    if (body.draftId) queries.removeQueries({ queryKey: [getPost.path, { ...ids, postId: body.draftId }] })
    return reply
  }
}

/** The day on which the calendar shows it. */
function dateOf(plan: Plan, dueAt: string | null): string | undefined {
  if (plan.mode === 'once') return plan.when.day
  if (dueAt !== null && (isRepeating(plan) || plan.mode === 'queue')) return wallOf(new Date(dueAt), plan.when.zone).day
  return wallOf(new Date(), plan.when.zone).day
}
