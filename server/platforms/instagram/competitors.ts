import { isPermissionError, type GraphFailed } from '../graph.ts'
import type { LacksRights } from '../account.ts'
import { namedIn, type CompetitorAccount, type Competitors, type NotThere } from '../competitor.ts'
import { reported, type Reach, type Refusal } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { postOf } from './ownPosts.ts'
import { refusalOf } from './refusals.ts'
import { Discovered, type InstagramSecret } from './schemas.ts'
import type { z } from 'zod'

const NAME = /^[\w.]{1,30}$/
/** Nobody has this name, it isn't a professional account, or it's only for adults (business discovery; 110 is an invalid user). */
const NOBODY = new Set([24, 100, 110])
const RIGHTS = ['instagram_basic', 'instagram_manage_insights', 'pages_read_engagement']
const ACCOUNT = 'id,username,name,profile_picture_url,followers_count,media_count'
const MEDIA =
  'id,caption,media_type,media_product_type,permalink,timestamp,media_url,thumbnail_url,like_count,comments_count'

const gone: NotThere = { kind: 'none', why: 'gone' }

/** Professional accounts, by business discovery, which only accounts that are connected through Facebook have. */
export const competitors: Competitors = {
  find: withSecret(async (reach, own, _account, text) => {
    const name =
      namedIn(text, ['instagram.com'], /^\/([^/]+)/)
        ?.replace(/^@/, '')
        .toLowerCase() ?? ''
    const found = await discover(reach, own, name, ACCOUNT)
    return found.kind === 'discovered' ? { kind: 'account', account: accountOf(found.account) } : found
  }),
  read: withSecret(async (reach, own, _account, { handle }, most) => {
    const found = await discover(reach, own, handle.replace(/^@/, ''), `${ACCOUNT},media.limit(${most}){${MEDIA}}`)
    if (found.kind !== 'discovered') return found
    const { media } = found.account
    return {
      kind: 'read',
      account: accountOf(found.account),
      posts: media.data.flatMap((medium) => postOf(medium) ?? []),
      // its pages have cursors only
      isAll: (found.account.media_count ?? Infinity) <= media.data.length,
    }
  }),
}

type Account = z.infer<typeof Discovered>['business_discovery']

async function discover(
  reach: Reach,
  own: InstagramSecret,
  name: string,
  fields: string,
): Promise<{ kind: 'discovered'; account: Account } | NotThere | LacksRights | Refusal> {
  if (own.login !== 'facebook') return { kind: 'rights', missing: RIGHTS }
  if (!NAME.test(name)) return gone
  const query = { fields: `business_discovery.username(${name}){${fields}}` }
  const found = await read(reach, own, `/${own.userId}`, query, Discovered)
  if (found.kind === 'ok') return { kind: 'discovered', account: found.value.business_discovery }
  if (isPermissionError(found)) return { kind: 'rights', missing: RIGHTS }
  return isNobody(found) ? gone : refusalOf(found, { doing: 'find-account', irreversible: false })
}

const isNobody = (found: GraphFailed): boolean => found.cause === 'answered' && NOBODY.has(found.code)

const accountOf = ({ id, username, name, profile_picture_url: pictureUrl, ...counts }: Account): CompetitorAccount => ({
  remoteId: id ?? username,
  name: name || `@${username}`,
  handle: `@${username}`,
  pictureUrl,
  profileUrl: `https://www.instagram.com/${username}/`,
  figures: reported({ followers: counts.followers_count, posts: counts.media_count }),
})
