import { z } from 'zod'
import type { LacksRights } from '../account.ts'
import { namedIn, type CompetitorAccount, type Competitors, type NotThere } from '../competitor.ts'
import { GraphId, isGone, isPermissionError } from '../graph.ts'
import { Picture } from '../graphLogin.ts'
import { reported, type Reach, type Refusal } from '../platform.ts'
import { read, refusalOf, withSecret } from './client.ts'
import { FEED, postOf } from './ownPosts.ts'
import { OwnFeed, type FacebookSecret } from './schemas.ts'

const Count = z.int().nonnegative().nullable().catch(null)
const Page = z.object({
  id: GraphId,
  name: z.string().catch(''),
  username: z.string().catch(''),
  picture: Picture,
  fan_count: Count,
  followers_count: Count,
})
const PAGE = 'id,name,username,picture{url},fan_count,followers_count'
/** A feature of the app, which Meta approves in App Review. */
const FEATURE = 'Page Public Content Access'
const gone: NotThere = { kind: 'none', why: 'gone' }

/** Public Pages and their posts, which an app may read once it's approved for Page Public Content Access. */
export const competitors: Competitors = {
  find: withSecret(async (reach, own, _account, text) => {
    const name = nameIn(text)
    const found = name === undefined ? gone : await pageOf(reach, own, name)
    return found
  }),
  read: withSecret(async (reach, own, _account, { remoteId }, most) => {
    const found = await pageOf(reach, own, remoteId)
    if (found.kind !== 'account') return found
    const list = await read(reach, own, `/${remoteId}/posts`, { fields: FEED, limit: String(most) }, OwnFeed)
    if (list.kind !== 'ok')
      return isPermissionError(list) ? lacking : isGone(list) ? gone : refusalOf(list, 'show-posts')
    return {
      kind: 'read',
      account: found.account,
      posts: list.value.data.flatMap((post) => postOf(post, remoteId) ?? []),
      isAll: list.value.paging.next === null,
    }
  }),
}

const lacking: LacksRights = { kind: 'rights', missing: [FEATURE] }

/** The name or the ID that a handle or a Page's address means. */
function nameIn(text: string): string | undefined {
  const id = /[?&]id=(\d+)/.exec(text)?.[1]
  const named =
    id ??
    namedIn(text, ['facebook.com', 'fb.com'], /^\/(?:(?:pages|p)\/(?:[^/]*[-/])?(?=\d+\/?$))?([^/]+)/)?.replace(
      /^@/,
      '',
    )
  return named !== undefined && /^[\w.-]{1,100}$/.test(named) ? named : undefined
}

async function pageOf(
  reach: Reach,
  own: FacebookSecret,
  name: string,
): Promise<{ kind: 'account'; account: CompetitorAccount } | NotThere | LacksRights | Refusal> {
  const found = await read(reach, own, `/${name}`, { fields: PAGE }, Page)
  if (found.kind !== 'ok')
    return isPermissionError(found) ? lacking : isGone(found) ? gone : refusalOf(found, 'find-account')
  const { id, name: shown, username, picture, fan_count: fans, followers_count: followers } = found.value
  return {
    kind: 'account',
    account: {
      remoteId: id,
      name: shown || username || id,
      handle: username ? `@${username}` : shown || id,
      pictureUrl: picture,
      profileUrl: `https://www.facebook.com/${username || id}`,
      figures: reported({ followers: followers ?? fans }),
    },
  }
}
