import { z } from 'zod'
import type { Outgoing, Platform, Preparing, Publish, Reach } from './platform.ts'
import type { SafeRequest } from './safeHttp.ts'

/*
 * One rule for every adapter: a file that the platform accepted isn't uploaded again right away. Platforms describe an
 * upload's state in different ways, and an adapter that misreads them would send gigabytes again and again.
 */

/** Smaller bodies are calls, not uploads. */
const LEAST = 64_000
const PAUSE_SECONDS = 30
/** The pause doubles with each repeat, up to eight minutes. */
const MOST_DOUBLINGS = 4
const KEY = 'uploadGuard'

const State = z.object({ /** Bytes that the platform took in this round. */ taken: z.number(), again: z.int() })
type State = z.infer<typeof State>
const stateIn = (progress: Record<string, unknown>): State =>
  State.safeParse(progress[KEY]).data ?? { taken: 0, again: 0 }

/**
 * Wraps the adapter: once a platform has accepted as many bytes as the post's files have, the next upload is held back,
 * counted, and allowed only after a pause. Failed uploads don't count; the rules for retries cover them.
 */
export function withUploadGuard(platform: Platform): Platform {
  const { prepare, sendFollowUp } = platform.publish
  const guarded: Publish = {
    ...platform.publish,
    prepare: (reach, secret, account, post) =>
      guard(reach, post, post.progress, (watched) => prepare(watched, secret, account, post)),
    ...(sendFollowUp && {
      sendFollowUp: (reach, secret, account, post, part) =>
        guard(reach, post, part.progress, (watched) => sendFollowUp(watched, secret, account, post, part)),
    }),
  }
  return { ...platform, publish: guarded }
}

async function guard<Answer extends { kind: string }>(
  reach: Reach,
  post: Outgoing,
  progress: Record<string, unknown>,
  step: (reach: Reach) => Promise<Answer>,
): Promise<Answer | Preparing> {
  const before = stateIn(progress)
  const isWhole = before.taken > 0 && before.taken >= bytesOf(post)
  let taken = 0
  let withheld = false
  const answer = await step({
    ...reach,
    fetch: async (url, request) => {
      const bytes = uploadIn(request)
      if (bytes === 0) return await reach.fetch(url, request)
      if (isWhole) {
        withheld = true
        return { kind: 'unsent', why: 'aborted', detail: 'this was uploaded before' }
      }
      const answered = await reach.fetch(url, request)
      // Google responds to a piece with 308
      if (answered.kind === 'answer' && (answered.status < 300 || answered.status === 308)) taken += bytes
      return answered
    },
  })
  if (withheld)
    return {
      kind: 'preparing',
      progress: { ...progress, [KEY]: { taken: 0, again: before.again + 1 } satisfies State },
      checkAfterSeconds: PAUSE_SECONDS * 2 ** Math.min(before.again, MOST_DOUBLINGS),
    }
  if (taken === 0 || !isOnItsWay(answer)) return answer
  const next: State = { taken: before.taken + taken, again: before.again }
  return { ...answer, progress: { ...answer.progress, [KEY]: next } }
}

/** The results whose progress a later preparation starts from. */
const isOnItsWay = <Answer extends { kind: string }>(
  answer: Answer,
): answer is Answer & { progress: Record<string, unknown> } => answer.kind === 'preparing' || answer.kind === 'prepared'

function uploadIn({ body }: SafeRequest): number {
  const bytes = body === undefined || typeof body === 'string' ? 0 : 'open' in body ? body.bytes : body.byteLength
  return bytes >= LEAST ? bytes : 0
}

function bytesOf({ contents, extraMedia }: Outgoing): number {
  const files = [...contents.flatMap(({ media }) => media), ...extraMedia.values()]
  return files.reduce((sum, { bytes, thumbnail }) => sum + bytes + (thumbnail?.bytes ?? 0), 0)
}
