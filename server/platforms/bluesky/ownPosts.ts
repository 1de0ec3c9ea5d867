import { because } from '#contract/failures/catalog.ts'
import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import type { Refusal } from '../platform.ts'
import { OwnRecord, RecordPage } from './ownRecord.ts'
import { refusalOf } from './refusals.ts'
import type { BlueskySecret } from './schemas.ts'
import { withSecret } from './secret.ts'
import { timeOf } from './tid.ts'
import { xrpc, type Failed } from './xrpc.ts'

/** The most that a page has (lexicon com.atproto.repo.listRecords). */
const PAGE = 100
const TIMEOUT_MS = 10_000

/**
 * Reads the repository, newest key first, below a key: what is added or deleted meanwhile moves nothing. Reposts are another
 * collection; replies are left out, those to the account itself too. Figures are the app view's, another call.
 */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(async (reach, session, _account, { cursor, atMost = PAGE }) => {
    const read = await xrpc(reach, {
      service: session.pds,
      nsid: 'com.atproto.repo.listRecords',
      params: {
        repo: session.did,
        collection: 'app.bsky.feed.post',
        limit: String(Math.min(PAGE, atMost)),
        ...(cursor !== null && { cursor }),
      },
      reply: RecordPage,
      timeoutMs: TIMEOUT_MS,
    })
    if (read.kind !== 'ok') return hidden(read)
    return {
      kind: 'posts',
      posts: read.value.records.flatMap(({ uri, value }) => postOf(uri, value, session) ?? []),
      next: read.value.cursor ?? null,
    }
  }),
}

/** For an account that was taken down or has moved, which is simply not found here. */
function hidden(failed: Failed): Refusal {
  const refusal = refusalOf(failed, { doing: 'show-posts', irreversible: false })
  if (refusal.kind !== 'rejected') return refusal
  return { ...refusal, reason: { ...refusal.reason, ...because('bluesky-posts-hidden') } }
}

function postOf(uri: string, value: unknown, session: BlueskySecret): FoundPost | undefined {
  const record = OwnRecord.safeParse(value)
  if (!record.success || record.data.reply !== undefined) return undefined
  const { text, createdAt, picture } = record.data
  const key = uri.split('/').at(-1) ?? ''
  return foundPost({
    remoteId: uri,
    postType: 'post',
    publishedAt: publishedAt(createdAt, key),
    text,
    permalink: `https://bsky.app/profile/${session.did}/post/${key}`,
    pictureUrl: picture && blobAddress(session, picture),
  })
}

const TID = /^[2-7a-j][2-7a-z]{12}$/

/** What the author's app says, but not later than the key, which it chose when it wrote the post. */
function publishedAt(createdAt: string, key: string): Date {
  const said = new Date(createdAt)
  const chosen = TID.test(key) ? timeOf(key) : undefined
  return chosen && !(said.getTime() <= chosen.getTime() + 600_000) ? chosen : said
}

/** A file as the account's server has it, for anyone (lexicon com.atproto.sync.getBlob). */
const blobAddress = ({ pds, did }: BlueskySecret, cid: string): string =>
  `${new URL(pds).origin}/xrpc/com.atproto.sync.getBlob?${new URLSearchParams({ did, cid }).toString()}`
