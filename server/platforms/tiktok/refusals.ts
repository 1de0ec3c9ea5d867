import { sentence } from '../graphRefusals.ts'
import type { Reason, Refusal } from '../platform.ts'
import type { TikTokFailed } from './client.ts'

export const LABEL = 'TikTok'

/** `doing` completes "TikTok did not ..."; an irreversible call may have made a post where its answer is not clear. */
export type Step = { doing: string; irreversible: boolean }
type Words = Omit<Reason, 'platformCode'>

/** Seconds until a limit of a day is asked about again: TikTok does not say when it ends. */
const DAILY_WAIT = 3600

const daily: Record<string, Words> = {
  spam_risk_too_many_posts: { text: 'TikTok takes no more posts from this account today.', advice: 'It is tried again by itself. Or send it tomorrow.' },
  spam_risk_too_many_pending_share: { text: 'TikTok has too many unfinished posts of this account from the last 24 hours.', advice: 'It is tried again by itself. Or send it tomorrow.' },
  reached_active_user_cap: { text: 'TikTok takes no more accounts from this app today.', advice: 'It is tried again by itself. Whoever runs this installation asks TikTok for an audit of the app.' },
}

/** Errors that no second attempt mends (developers.tiktok.com/doc, content-posting-api-reference-direct-post and -get-video-status). */
const permanent: Record<string, Words> = {
  spam_risk: { text: 'TikTok takes the post for spam.', advice: "Look at the account's messages in TikTok, change the post and send it again." },
  spam_risk_text: { text: 'TikTok takes the text for spam.', advice: 'Change the text and send it again.' },
  spam_risk_user_banned_from_posting: { text: 'TikTok has banned this account from posting.', advice: "Look at the account's messages in TikTok." },
  url_ownership_unverified: { text: 'TikTok fetches pictures only from addresses that the app has verified, and that of this installation is not.', advice: 'Whoever runs this installation adds its address under "URL properties" of the app at TikTok.' },
  privacy_level_option_mismatch: { text: 'This account may not post for the viewers that were chosen.', advice: 'Choose again who can see the post, and send it again.' },
  unaudited_client_can_only_post_to_private_accounts: { text: 'TikTok has not audited this app yet: it may post to private accounts only, and only for themselves.', advice: 'Make the account private in TikTok and choose "Only me". Or whoever runs this installation asks TikTok for an audit.' },
  file_format_check_failed: { text: 'TikTok could not use the format of the file.', advice: 'Save a video as MP4 with H.264, a picture as JPEG, and send it again.' },
  duration_check_failed: { text: 'The length of the video does not suit TikTok or this account.', advice: 'Cut the video and send it again.' },
  frame_rate_check_failed: { text: 'The video has a frame rate that TikTok does not take.', advice: 'Save it with 23 to 60 frames per second.' },
  picture_size_check_failed: { text: 'The video or picture has a size in pixels that TikTok does not take.', advice: 'Save it with 360 to 4096 pixels to a side, pictures with 1080 at most.' },
  publish_cancelled: { text: 'The post was cancelled at TikTok.', advice: 'Send it again if it is still wanted.' },
  // the platform itself gave up; only a person may begin anew, since the post was on its way already
  internal: { text: 'TikTok had trouble of its own and did not publish the post.', advice: 'Send it again.' },
  video_pull_failed: { text: 'TikTok could not fetch the video from here.', advice: 'Whoever runs this installation checks that its address can be reached from the outside. Then send the post again.' },
  photo_pull_failed: { text: 'TikTok could not fetch the pictures from here.', advice: 'Whoever runs this installation checks that its address can be reached from the outside. Then send the post again.' },
}

const noRight: Words = { text: 'TikTok did not give us the right to do this for the account.', advice: 'Reconnect the channel and leave all rights switched on.' }

/** The class of a failure, with words for people. What follows from it is the caller's business. */
export function refusalOf(failed: TikTokFailed, { doing, irreversible }: Step): Refusal {
  if (failed.cause === 'unsent') return { kind: 'retry', reason: { text: 'TikTok could not be reached.', advice: 'It is tried again by itself.', platformCode: 'unreachable' } }
  if (failed.cause !== 'answered') {
    if (irreversible) return { kind: 'unknown', reason: { text: `TikTok's answer was lost: it may have managed to ${doing}.`, advice: 'We look at the account to find out.', platformCode: failed.cause } }
    return { kind: 'retry', reason: { text: `TikTok did not ${doing}: its answer was lost.`, advice: 'It is tried again by itself.', platformCode: failed.cause } }
  }
  const { status, code, waitSeconds, message } = failed
  const platformCode = code || String(status)
  const limit = daily[code]
  if (limit) return { kind: 'retry', afterSeconds: waitSeconds ?? DAILY_WAIT, closesBudget: true, reason: { ...limit, platformCode } }
  const reason = permanent[code]
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode } }
  if (status === 429 || code === 'rate_limit_exceeded') return { kind: 'retry', afterSeconds: waitSeconds ?? 60, closesBudget: true, reason: { text: 'TikTok asks this account to slow down.', advice: 'It is tried again when TikTok allows it.', platformCode } }
  if (status >= 500 || code === 'internal_error' || (status >= 300 && status < 400)) {
    if (irreversible) return { kind: 'unknown', reason: { text: `TikTok had trouble while it was to ${doing}: it may have managed to.`, advice: 'We look at the account to find out.', platformCode } }
    return { kind: 'retry', ...(waitSeconds !== undefined && { afterSeconds: waitSeconds }), reason: { text: `TikTok did not ${doing}: it has trouble of its own.`, advice: 'It is tried again by itself.', platformCode } }
  }
  if (code === 'scope_not_authorized' || code === 'scope_permission_missed') return { kind: 'reconnect', reason: { ...noRight, platformCode } }
  if (status === 401 || code === 'access_token_invalid') return { kind: 'retry', first: 'renew', reason: { text: 'TikTok no longer accepts our sign-in to this account.', advice: 'Reconnect the channel.', platformCode } }
  // a refusal that is not the API's comes from something in between, such as a gateway: it never got to the post
  if (code === '') return { kind: 'retry', reason: { text: `Something in front of TikTok did not let us ${doing}.`, advice: 'It is tried again by itself.', platformCode } }
  return { kind: 'rejected', reason: { text: `TikTok refused to ${doing}: ${sentence(message || code)}`, advice: 'Change the post and send it again.', platformCode } }
}

/** Why a post that was on its way failed: nothing was published. */
export function refusalOfProblem(problem: string): Refusal {
  const platformCode = problem || 'FAILED'
  if (problem === 'auth_removed') return { kind: 'rejected', reason: { text: 'This app was removed from the account at TikTok before the post was published.', advice: 'Reconnect the channel and send the post again.', platformCode } }
  const reason = daily[problem] ?? permanent[problem]
  if (reason) return { kind: 'rejected', reason: { text: reason.text, advice: daily[problem] ? 'Send it again tomorrow.' : reason.advice, platformCode } }
  return { kind: 'rejected', reason: { text: `TikTok did not publish the post: ${sentence(problem || 'it does not say why')}`, advice: 'Send it again.', platformCode } }
}

/** A look that told nothing. It refuses no post: what cannot be read may still be there. */
export function unclear(failed: TikTokFailed): Refusal {
  const refusal = refusalOf(failed, { doing: 'show the post', irreversible: false })
  return refusal.kind === 'rejected' ? { kind: 'unknown', reason: refusal.reason } : refusal
}
