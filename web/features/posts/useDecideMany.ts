import { useState } from 'react'
import { approvePost, rejectPost } from '#contract/workflows.ts'
import { type PostRow } from '#contract/postLists.ts'
import { isFailure } from '#web/lib/failure.ts'
import { count } from '#web/lib/format.ts'
import { FALLBACK_MESSAGE } from '#web/lib/onFailure.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { Refused } from './useBulk.ts'

/** A rejection needs a reason. */
export type Decision = { verdict: 'approved' } | { verdict: 'rejected'; reason: string }

/**
 * Approves or rejects posts one after the other, each in the version that the list shows: what was changed meanwhile
 * isn't decided unseen. `run` answers those that were refused.
 */
export function useDecideMany() {
  const ids = useProjectIds()
  const approve = useSend(approvePost, { handles: true })
  const reject = useSend(rejectPost, { handles: true })
  const [at, setAt] = useState<{ verdict: Decision['verdict']; done: number; of: number }>()
  const run = async (posts: readonly PostRow[], decision: Decision): Promise<Refused[]> => {
    const refused: Refused[] = []
    let waiting = 0
    for (const [i, post] of posts.entries()) {
      setAt({ verdict: decision.verdict, done: i, of: posts.length })
      const params = { ...ids, postId: post.postId }
      const { version } = post
      try {
        const { status } =
          decision.verdict === 'approved'
            ? await approve.mutateAsync({ params, body: { version, comment: '' } })
            : await reject.mutateAsync({ params, body: { version, comment: decision.reason } })
        if (status === 'APPROVED') waiting += 1
      } catch (error) {
        refused.push({ post, reason: reasonOf(error) })
      }
    }
    setAt(undefined)
    const decided = posts.length - refused.length
    if (decided > 0) toast.success(`${count(decided, 'post')} ${decision.verdict}.${notYet(waiting, decided)}`)
    return refused
  }
  return { run, /** How many of them have been decided while it runs. What is decided leaves the list. */ at }
}

function notYet(waiting: number, approved: number): string {
  if (waiting === 0) return ''
  const which = waiting === approved ? (waiting === 1 ? 'It' : 'They') : `${waiting} of them`
  return ` ${which} can't be published yet. Open Approved to see why.`
}

const reasonOf = (error: unknown): string =>
  isFailure(error, 'STALE_VERSION')
    ? 'It changed in the meantime. Review it again.'
    : isFailure(error)
      ? (error.detail ?? error.title)
      : FALLBACK_MESSAGE
