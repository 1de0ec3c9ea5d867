import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { namedIn, type CompetitorAccount, type Competitors, type NotThere } from '../competitor.ts'
import { foundPost, parsable } from '../ownPosts.ts'
import { reported, type Reach, type Refusal } from '../platform.ts'
import { isNamed } from './account.ts'
import { metricsIn } from './metrics.ts'
import { READ_TIMEOUT_MS } from './records.ts'
import { refusalOf } from './refusals.ts'
import { Did, PostView, type BlueskySecret } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import { xrpc, type Failed } from './xrpc.ts'

/** A page also has reposts, which are left out. */
const PAGE = 50

const Count = z.int().nonnegative().nullable().catch(null)
/** Lexicon app.bsky.actor.defs#profileViewDetailed. */
const Profile = z.object({
  did: Did,
  handle: z.string(),
  displayName: z.string().catch(''),
  avatar: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .catch(null),
  followersCount: Count,
  postsCount: Count,
})
/** Lexicon app.bsky.feed.defs#feedViewPost. */
const Entry = z.object({
  post: PostView.extend({
    author: z.object({ did: Did }),
    record: z.object({ text: z.string().catch(''), createdAt: z.string().catch(''), reply: z.unknown().optional() }),
    indexedAt: z.string(),
  }),
  reason: z.unknown().optional(),
})
const Feed = z.object({ feed: parsable(Entry), cursor: z.string().optional() })

/** The network's accounts, as the app view of the channel's own server has them (lexicons app.bsky.actor.getProfile, app.bsky.feed.getAuthorFeed). */
export const competitors: Competitors = {
  find: withSecret(async (reach, session, _account, text) => {
    const actor = namedIn(text, ['bsky.app'], /^\/profile\/([^/]+)/)
      ?.replace(/^@/, '')
      .toLowerCase()
    if (actor === undefined || !(isNamed(actor) || Did.safeParse(actor).success)) return gone
    return await profileOf(reach, session, actor)
  }),
  read: withSecret(async (reach, session, _account, { remoteId }, most) => {
    const profile = await profileOf(reach, session, remoteId)
    if (profile.kind !== 'account') return profile
    const list = await xrpc(reach, {
      service: session.pds,
      nsid: 'app.bsky.feed.getAuthorFeed',
      params: { actor: remoteId, limit: String(PAGE), filter: 'posts_no_replies' },
      as: tokenOf(session),
      reply: Feed,
      timeoutMs: READ_TIMEOUT_MS,
    })
    if (list.kind !== 'ok') return isBlocked(list) ? { kind: 'none', why: 'private' } : failed(list, 'show-posts')
    const all = list.value.feed.flatMap(({ post, reason }) =>
      reason === undefined && post.author.did === remoteId && post.record.reply === undefined
        ? (postOf(post, remoteId) ?? [])
        : [],
    )
    const posts = all.slice(0, most)
    return {
      kind: 'read',
      account: profile.account,
      posts,
      isAll: list.value.cursor === undefined && posts.length === all.length,
    }
  }),
}

async function profileOf(
  reach: Reach,
  session: BlueskySecret,
  actor: string,
): Promise<{ kind: 'account'; account: CompetitorAccount } | NotThere | Refusal> {
  const found = await xrpc(reach, {
    service: session.pds,
    nsid: 'app.bsky.actor.getProfile',
    params: { actor },
    as: tokenOf(session),
    reply: Profile,
    timeoutMs: READ_TIMEOUT_MS,
  })
  if (found.kind !== 'ok') return failed(found, 'find-account')
  const { did, handle, displayName, avatar, followersCount, postsCount } = found.value
  const known = isNamed(handle) ? handle : did
  return {
    kind: 'account',
    account: {
      remoteId: did,
      name: displayName.trim() || known,
      handle: `@${known}`,
      pictureUrl: avatar,
      profileUrl: `https://bsky.app/profile/${did}`,
      figures: reported({ followers: followersCount, posts: postsCount }),
    },
  }
}

function postOf(post: z.infer<typeof Entry>['post'], did: string) {
  const key = post.uri.split('/').at(-1) ?? ''
  // what the author's app says may be any time
  const [said, indexed] = [new Date(post.record.createdAt), new Date(post.indexedAt)]
  const found = foundPost({
    remoteId: post.uri,
    postType: 'post',
    publishedAt: said.getTime() <= indexed.getTime() ? said : indexed,
    text: post.record.text,
    permalink: `https://bsky.app/profile/${did}/post/${key}`,
    pictureUrl: null,
    figures: metricsIn(post),
  })
  return found
}

const gone: NotThere = { kind: 'none', why: 'gone' }

const isBlocked = (found: Failed): boolean =>
  found.cause === 'answered' && (found.code === 'BlockedActor' || found.code === 'BlockedByActor')

/** What the app view answers about the other account, and with other statuses about ours (bsky, api/app/bsky/actor/getProfile). */
const ofThem = new Set(['AccountTakedown', 'AccountDeactivated', 'AccountSuspended'])

function failed(found: Failed, doing: 'find-account' | 'show-posts'): NotThere | Refusal {
  if (found.cause === 'answered' && found.status === 400) {
    if (ofThem.has(found.code) || /not found/i.test(found.message)) return gone
    // a server without an app view answers so although the request is valid
    if (found.code === 'InvalidRequest')
      return { kind: 'rejected', reason: { ...because('bluesky-no-people-search'), platformCode: found.code } }
  }
  return refusalOf(found, { doing, irreversible: false })
}
