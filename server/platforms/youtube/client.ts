import { because, type Reason } from '#contract/failures/catalog.ts'
import { isGone, reasonsOf, refusalOfGoogle } from '../google.ts'
import { rest, unsure, type RestAnswer, type RestCall, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Reach, Refusal } from '../platform.ts'
import { withSecretOf } from '../secretReader.ts'
import { YoutubeSecret } from './schemas.ts'

export const LABEL = 'YouTube'
export const HOST = 'www.googleapis.com'
export const UPLOAD = `https://${HOST}/upload/youtube/v3`
const BASE = `https://${HOST}/youtube/v3`
/** How many pages one search after a lost response may read: each costs a unit of the daily quota. */
export const PAGES = 20
export const READ_TIMEOUT_MS = 15_000

export const withSecret = withSecretOf(YoutubeSecret)

/** One call of the Data API. Reads unless a method is named. */
export const call = <T>(
  reach: Reach,
  { accessToken }: Pick<YoutubeSecret, 'accessToken'>,
  { path, ...more }: Omit<RestCall<T>, 'url' | 'token' | 'timeoutMs'> & { path: string; timeoutMs?: number },
): Promise<RestAnswer<T>> =>
  rest(reach, { timeoutMs: READ_TIMEOUT_MS, ...more, url: `${BASE}${path}`, token: accessToken })

/** The reason for each refusal by YouTube (developers.google.com/youtube/v3/docs/errors). */
const named: Partial<Record<string, Reason>> = {
  uploadLimitExceeded: because('youtube-daily-limit'),
  invalidTitle: because('youtube-title'),
  invalidDescription: because('youtube-description'),
  invalidCategoryId: because('youtube-category'),
  invalidVideoMetadata: because('youtube-details'),
  invalidPublishAt: because('youtube-publish-time'),
  invalidTags: because('youtube-tags'),
  mediaBodyRequired: because('youtube-no-video-received'),
  commentsDisabled: because('youtube-comments-off'),
  videoNotFound: because('youtube-video-gone'),
  playlistNotFound: because('youtube-playlist-gone'),
  playlistContainsMaximumNumberOfVideos: because('youtube-playlist-full'),
  youtubeSignupRequired: because('youtube-no-channel'),
  channelClosed: because('youtube-channel-closed'),
  channelSuspended: because('youtube-channel-suspended'),
  forbidden: because('youtube-not-allowed'),
  commentNotFound: because('inbox-item-gone', { platform: LABEL }),
  parentCommentNotFound: because('inbox-item-gone', { platform: LABEL }),
  commentTextTooLong: because('youtube-comment-too-long'),
  parentCommentIsPrivate: because('inbox-reply-closed', { platform: LABEL }),
  operationNotSupported: because('inbox-reply-closed', { platform: LABEL }),
  ineligibleAccount: because('inbox-reply-closed', { platform: LABEL }),
}

/** What a failed call means for this action. */
export const refusalOf = (failed: RestFailed, step: Step): Refusal =>
  refusalOfGoogle(failed, { label: LABEL, ...step }, named)
/** A failed lookup refuses no post. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show-video', irreversible: false }))

/** Whether the comment isn't there any more. */
export const isMissingComment = (failed: RestFailed): boolean =>
  isGone(failed) ||
  reasonsOf(failed).some((reason) => reason === 'commentNotFound' || reason === 'parentCommentNotFound')
/** Whether the playlist isn't there, as that of the uploads before the first one. */
export const isNoPlaylist = (failed: RestFailed): boolean => reasonsOf(failed).includes('playlistNotFound')
/** Whether it no longer takes the token of a page. */
export const isForgotten = (failed: RestFailed): boolean => reasonsOf(failed).includes('invalidPageToken')
