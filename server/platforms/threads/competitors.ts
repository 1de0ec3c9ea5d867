import type { z } from 'zod'
import type { LacksRights } from '../account.ts'
import { namedIn, type CompetitorAccount, type Competitors, type NotThere } from '../competitor.ts'
import { isPermissionError, type GraphFailed } from '../graph.ts'
import { reported, type Reach, type Refusal } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { FIELDS, postOf } from './ownPosts.ts'
import { refusalOf } from './refusals.ts'
import { OwnThreads, PublicProfile, type ThreadsSecret } from './schemas.ts'

const NAME = /^[\w.]{1,30}$/
const RIGHT = 'threads_profile_discovery'
/** Nobody has this name, or the profile is private or has fewer than 100 followers (profile discovery). */
const NOBODY = new Set([24, 100])
/** The permission is missing, or Meta hasn't approved the app for it: then there are only a few profiles of Meta's own. */
const NO_PERMISSION = 200
const ACCOUNT = 'username,name,profile_picture_url,follower_count'

const gone: NotThere = { kind: 'none', why: 'gone' }
const lacks: LacksRights = { kind: 'rights', missing: [RIGHT] }

/** Public profiles, by profile discovery. Their posts come without figures. */
export const competitors: Competitors = {
  find: withSecret(async (reach, own, _account, text) => {
    const name = (namedIn(text, ['threads.com', 'threads.net'], /^\/(@?[^/]+)/) ?? '').replace(/^@/, '').toLowerCase()
    const found = await discover(reach, own, name)
    return found.kind === 'discovered' ? { kind: 'account', account: accountOf(name, found.profile) } : found
  }),
  read: withSecret(async (reach, own, _account, { handle }, most) => {
    const name = handle.replace(/^@/, '')
    const found = await discover(reach, own, name)
    if (found.kind !== 'discovered') return found
    const list = await read(reach, own, '/profile_posts', FIELDS, OwnThreads, { username: name, limit: String(most) })
    if (list.kind !== 'ok') return notThere(list)
    return {
      kind: 'read',
      account: accountOf(name, found.profile),
      posts: list.value.data.flatMap((thread) => postOf(thread) ?? []),
      isAll: list.value.paging.next === null,
    }
  }),
}

type Profile = z.infer<typeof PublicProfile>

async function discover(
  reach: Reach,
  own: ThreadsSecret,
  name: string,
): Promise<{ kind: 'discovered'; profile: Profile } | NotThere | LacksRights | Refusal> {
  if (!own.scopes.includes(RIGHT)) return lacks
  if (!NAME.test(name)) return gone
  const found = await read(reach, own, '/profile_lookup', ACCOUNT, PublicProfile, { username: name })
  return found.kind === 'ok' ? { kind: 'discovered', profile: found.value } : notThere(found)
}

function notThere(found: GraphFailed): NotThere | LacksRights | Refusal {
  if (isPermissionError(found) || (found.cause === 'answered' && found.code === NO_PERMISSION)) return lacks
  return found.cause === 'answered' && NOBODY.has(found.code)
    ? gone
    : refusalOf(found, { doing: 'find-account', irreversible: false })
}

/** Profiles of others have no ID, so it's their name. */
const accountOf = (
  name: string,
  { name: shown, profile_picture_url: pictureUrl, follower_count: followers }: Profile,
): CompetitorAccount => ({
  remoteId: name,
  name: shown || `@${name}`,
  handle: `@${name}`,
  pictureUrl,
  profileUrl: `https://www.threads.com/@${name}`,
  figures: reported({ followers }),
})
