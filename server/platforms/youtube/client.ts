import { refusalOfGoogle } from '../google.ts'
import { rest, unsure, type RestAnswer, type RestCall, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Reach, Reason, Refusal } from '../platform.ts'
import { withSecretOf } from '../secretReader.ts'
import { YoutubeSecret } from './schemas.ts'

export const LABEL = 'YouTube'
export const HOST = 'www.googleapis.com'
export const UPLOAD = `https://${HOST}/upload/youtube/v3`
const BASE = `https://${HOST}/youtube/v3`
/** Pages that one search for a lost answer may read: each is a unit of the day's quota. */
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

/** What YouTube will not take, by its own reasons (developers.google.com/youtube/v3/docs/errors). */
const named: Partial<Record<string, Omit<Reason, 'platformCode'>>> = {
  uploadLimitExceeded: {
    text: 'This channel has uploaded as many videos as YouTube takes from it in a day.',
    advice: 'Send the video again tomorrow.',
  },
  invalidTitle: { text: 'YouTube does not take the title.', advice: 'Use at most 100 characters, and no < or >.' },
  invalidDescription: {
    text: 'YouTube does not take the description.',
    advice: 'Use at most 5000 characters, and no < or >.',
  },
  invalidCategoryId: { text: 'YouTube does not know the category.', advice: 'Choose another one.' },
  invalidVideoMetadata: {
    text: 'YouTube does not take what is said about the video.',
    advice: 'Check title, description and category.',
  },
  invalidPublishAt: { text: 'YouTube does not take the time of publishing.', advice: 'Send the video again.' },
  invalidTags: { text: 'YouTube does not take the tags.', advice: 'Change them at YouTube.' },
  mediaBodyRequired: { text: 'YouTube received no video.', advice: 'Attach the video again and send it.' },
  commentsDisabled: {
    text: 'Comments are switched off for this video.',
    advice: 'Private videos and those made for children have none. Otherwise switch them on at YouTube and try again.',
  },
  videoNotFound: { text: 'The video is no longer at YouTube.', advice: 'Send it as a new one.' },
  playlistNotFound: { text: 'YouTube does not know this playlist any more.', advice: 'Choose another one.' },
  playlistContainsMaximumNumberOfVideos: { text: 'The playlist is full.', advice: 'Choose another one.' },
  youtubeSignupRequired: {
    text: 'This Google account has no YouTube channel.',
    advice: 'Create a channel at YouTube, then connect it.',
  },
  channelClosed: { text: 'YouTube has closed this channel.', advice: 'Sign in at YouTube to see why.' },
  channelSuspended: { text: 'YouTube has suspended this channel.', advice: 'Sign in at YouTube to see why.' },
  forbidden: {
    text: 'YouTube does not allow this account to do that.',
    advice: 'Look at the channel in YouTube Studio, then reconnect it here.',
  },
}

/** What a failed call means for what was being done. */
export const refusalOf = (failed: RestFailed, step: Step): Refusal =>
  refusalOfGoogle(failed, { label: LABEL, ...step }, named)
/** A look that failed refuses no post. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show the video', irreversible: false }))
