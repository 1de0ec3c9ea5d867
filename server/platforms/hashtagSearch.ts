import type { LacksRights } from './account.ts'
import type { AccountRef, Reach, Refusal, Secret } from './calls.ts'

/*
 * Public posts of others by their hashtag, as a channel of ours may read them: what they are and their counts, and not whose they are.
 * Nothing here changes anything at the platform, but a platform may count the hashtags that an account asks for.
 */

export type HashtagMedium = {
  remoteId: string
  type: 'picture' | 'video' | 'carousel'
  text: string
  permalink: string | null
  publishedAt: Date | null
  /** Null where the account hides them. */
  likes: number | null
  comments: number | null
}

type Ask = [reach: Reach, secret: Secret, account: AccountRef]
/** `limit`: the platform counted too many hashtags of this account. `none`: it doesn't tell anything of this hashtag. */
type Not = { kind: 'limit' } | { kind: 'none' } | LacksRights | Refusal

export type HashtagSearch = {
  /** The platform's ID of a hashtag without `#`, in lower case. IDs stay the same. */
  find: (...ask: [...Ask, hashtag: string]) => Promise<{ kind: 'hashtag'; id: string } | Not>
  /** At most 25 of the most popular posts with it, or of the newest ones. */
  read: (
    ...ask: [...Ask, id: string, list: 'top' | 'recent']
  ) => Promise<{ kind: 'media'; media: readonly HashtagMedium[] } | Not>
}
