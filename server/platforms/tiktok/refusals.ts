import { because, type Reason } from '#contract/failures/catalog.ts'
import { refusedBy, slowDown, troubleOf, unsure, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Refusal } from '../platform.ts'
import { codeWord, sentence } from '../quotes.ts'
import { retryAfter } from '../wire.ts'
import { problemIn } from './client.ts'

export const LABEL = 'TikTok'

/** Seconds until a daily limit is tried again: TikTok doesn't say when it ends. */
const DAILY_WAIT = 3600
/** TikTok counts calls per minute. */
const MINUTE = 60

const daily: Record<string, Reason> = {
  spam_risk_too_many_posts: because('tiktok-daily-limit'),
  spam_risk_too_many_pending_share: because('tiktok-pending-limit'),
  reached_active_user_cap: because('tiktok-app-limit'),
}

/**
 * Errors that a retry can't resolve (developers.tiktok.com/doc, content-posting-api-reference-direct-post and
 * -get-video-status).
 */
const permanent: Record<string, Reason> = {
  spam_risk: because('tiktok-spam'),
  spam_risk_text: because('tiktok-spam-text'),
  spam_risk_user_banned_from_posting: because('tiktok-banned'),
  url_ownership_unverified: because('tiktok-address-unverified'),
  privacy_level_option_mismatch: because('tiktok-viewers'),
  unaudited_client_can_only_post_to_private_accounts: because('tiktok-app-unaudited'),
  file_format_check_failed: because('tiktok-file-type'),
  duration_check_failed: because('tiktok-duration'),
  frame_rate_check_failed: because('frame-rate', { platform: LABEL }),
  picture_size_check_failed: because('tiktok-pixels'),
  publish_cancelled: because('tiktok-canceled'),
  // the platform gave up; only a person may start over, because the post was already being published
  internal: because('tiktok-trouble'),
  video_pull_failed: because('fetch-failed', { platform: LABEL, file: 'video' }),
  photo_pull_failed: because('fetch-failed', { platform: LABEL, file: 'pictures' }),
}

const noRight: Reason = because('permission-missing', { platform: LABEL })

/** The class of a failure and its reason. The caller decides what follows. */
export function refusalOf(failed: RestFailed, step: Step): Refusal {
  const { code, message } = failed.cause === 'answered' ? problemIn(failed) : { code: '', message: '' }
  const limit = daily[code]
  if (limit)
    return {
      kind: 'retry',
      afterSeconds: (failed.cause === 'answered' ? retryAfter(failed.headers) : undefined) ?? DAILY_WAIT,
      closesBudget: true,
      reason: { ...limit, platformCode: code },
    }
  const reason = permanent[code]
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode: code } }
  // server errors can have status 200
  const trouble = troubleOf(
    failed.cause === 'answered' && code === 'internal_error' ? { ...failed, status: 500 } : failed,
    LABEL,
    step,
  )
  // the remaining failures have a response
  if (trouble || failed.cause !== 'answered') return trouble ?? unreadable
  const { status } = failed
  const platformCode = code || String(status)
  if (status === 429 || code === 'rate_limit_exceeded')
    return slowDown(LABEL, retryAfter(failed.headers) ?? MINUTE, platformCode)
  if (code === 'scope_not_authorized' || code === 'scope_permission_missed')
    return { kind: 'reconnect', reason: { ...noRight, platformCode } }
  if (status === 401 || code === 'access_token_invalid')
    return {
      kind: 'retry',
      first: 'renew',
      reason: { ...because('sign-in-refused', { platform: LABEL }), platformCode },
    }
  // a refusal that isn't in the API's format comes from something in between, such as a gateway, so it isn't about the
  // post
  if (code === '')
    return {
      kind: 'retry',
      reason: { ...because('blocked-on-the-way', { platform: LABEL, doing: step.doing }), platformCode },
    }
  return { kind: 'rejected', reason: refusedBy(LABEL, step.doing, message, code) }
}

const unreadable: Refusal = {
  kind: 'unknown',
  reason: { ...because('unreadable-answer', { platform: LABEL }), platformCode: 'garbled' },
}

/** Why a post that TikTok was processing failed: nothing was published. */
export function refusalOfProblem(problem: string): Refusal {
  const platformCode = codeWord(problem) || 'FAILED'
  if (problem === 'auth_removed')
    return { kind: 'rejected', reason: { ...because('tiktok-app-removed'), platformCode } }
  const reason = daily[problem] ?? permanent[problem]
  if (reason)
    return {
      kind: 'rejected',
      reason: {
        ...(daily[problem] ? because('tiktok-limit-after-upload', { because: reason }) : reason),
        platformCode,
      },
    }
  return {
    kind: 'rejected',
    reason: { ...because('tiktok-refused', { words: problem ? sentence(problem) : undefined }), platformCode },
  }
}

/** A lookup without a result. It refuses no post, because what can't be read may still exist. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show-post', irreversible: false }))
