import { advised } from '../advice.ts'
import { refusedBy, slowDown, troubleOf, unsure, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Reason, Refusal } from '../platform.ts'
import { codeWord, sentence } from '../words.ts'
import { retryAfter } from '../wire.ts'
import { problemIn } from './client.ts'

export const LABEL = 'TikTok'

type Words = Omit<Reason, 'platformCode'>

/** Seconds until a limit of a day is asked about again: TikTok does not say when it ends. */
const DAILY_WAIT = 3600
/** TikTok counts calls by the minute. */
const MINUTE = 60

const daily: Record<string, Words> = {
  spam_risk_too_many_posts: {
    text: 'TikTok takes no more posts from this account today.',
    advice: "We'll try again automatically. You can also send it tomorrow.",
  },
  spam_risk_too_many_pending_share: {
    text: 'TikTok has too many unfinished posts of this account from the last 24 hours.',
    advice: "We'll try again automatically. You can also send it tomorrow.",
  },
  reached_active_user_cap: {
    text: 'TikTok takes no more accounts from this app today.',
    advice: "We'll try again automatically. Your Rookery administrator can apply for TikTok's audit of the app.",
  },
}

/** Errors that no second attempt mends (developers.tiktok.com/doc, content-posting-api-reference-direct-post and -get-video-status). */
const permanent: Record<string, Words> = {
  spam_risk: {
    text: 'TikTok takes the post for spam.',
    advice: "Look at the account's messages in TikTok, change the post and send it again.",
  },
  spam_risk_text: { text: 'TikTok takes the text for spam.', advice: 'Change the text and send it again.' },
  spam_risk_user_banned_from_posting: {
    text: 'TikTok has banned this account from posting.',
    advice: "Look at the account's messages in TikTok.",
  },
  url_ownership_unverified: {
    text: 'TikTok fetches pictures only from addresses that the app has verified, and that of this installation is not.',
    advice: 'Whoever runs this installation adds its address under "URL properties" of the app at TikTok.',
  },
  privacy_level_option_mismatch: {
    text: 'This account may not post for the viewers that were chosen.',
    advice: 'Choose again who can see the post, and send it again.',
  },
  unaudited_client_can_only_post_to_private_accounts: {
    text: 'TikTok has not audited this app yet: it may post to private accounts only, and only for themselves.',
    advice:
      'Make the account private in TikTok and choose "Only me". Or whoever runs this installation asks TikTok for an audit.',
  },
  file_format_check_failed: {
    text: 'TikTok could not use the format of the file.',
    advice: 'Save a video as MP4 with H.264, a picture as JPEG, and send it again.',
  },
  duration_check_failed: {
    text: 'The length of the video does not suit TikTok or this account.',
    advice: 'Cut the video and send it again.',
  },
  frame_rate_check_failed: {
    text: 'The video has a frame rate that TikTok does not take.',
    advice: 'Save it with 23 to 60 frames per second.',
  },
  picture_size_check_failed: {
    text: 'The video or picture has a size in pixels that TikTok does not take.',
    advice: 'Save it with 360 to 4096 pixels to a side, pictures within 1080 by 1920.',
  },
  publish_cancelled: { text: 'The post was canceled at TikTok.', advice: 'Send it again if it is still wanted.' },
  // the platform itself gave up; only a person may begin anew, since the post was on its way already
  internal: { text: 'TikTok had trouble of its own and did not publish the post.', advice: 'Send it again.' },
  video_pull_failed: {
    text: 'TikTok could not fetch the video from here.',
    advice:
      'Whoever runs this installation checks that its address can be reached from the outside. Then send the post again.',
  },
  photo_pull_failed: {
    text: 'TikTok could not fetch the pictures from here.',
    advice:
      'Whoever runs this installation checks that its address can be reached from the outside. Then send the post again.',
  },
}

const noRight: Words = {
  text: 'TikTok did not give us the right to do this for the account.',
  advice: 'Reconnect the channel and leave all rights switched on.',
}

/** The class of a failure, with words for people. What follows from it is the caller's business. */
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
  // trouble may come with status 200
  const trouble = troubleOf(
    failed.cause === 'answered' && code === 'internal_error' ? { ...failed, status: 500 } : failed,
    LABEL,
    step,
  )
  // everything that is left was answered
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
      reason: {
        text: 'TikTok no longer accepts our sign-in to this account.',
        advice: 'Reconnect the channel.',
        platformCode,
      },
    }
  // a refusal that is not the API's comes from something in between, such as a gateway: it never got to the post
  if (code === '')
    return {
      kind: 'retry',
      reason: {
        text: `Something in front of TikTok did not let us ${step.doing}.`,
        ...advised('retry'),
        platformCode,
      },
    }
  return { kind: 'rejected', reason: refusedBy(LABEL, step.doing, message, code) }
}

const unreadable: Refusal = {
  kind: 'unknown',
  reason: {
    text: "TikTok's answer could not be read.",
    advice: 'We look at the account to find out.',
    platformCode: 'garbled',
  },
}

/** Why a post that was on its way failed: nothing was published. */
export function refusalOfProblem(problem: string): Refusal {
  const platformCode = codeWord(problem) || 'FAILED'
  if (problem === 'auth_removed')
    return {
      kind: 'rejected',
      reason: {
        text: 'This app was removed from the account at TikTok before the post was published.',
        advice: 'Reconnect the channel and send the post again.',
        platformCode,
      },
    }
  const reason = daily[problem] ?? permanent[problem]
  if (reason)
    return {
      kind: 'rejected',
      reason: { text: reason.text, advice: daily[problem] ? 'Send it again tomorrow.' : reason.advice, platformCode },
    }
  return {
    kind: 'rejected',
    reason: {
      text: `TikTok did not publish the post: ${sentence(problem || 'it does not say why')}`,
      advice: 'Send it again.',
      platformCode,
    },
  }
}

/** A look that told nothing. It refuses no post: what cannot be read may still be there. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show the post', irreversible: false }))
