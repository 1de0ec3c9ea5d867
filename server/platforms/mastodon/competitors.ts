import { z } from 'zod'
import type { CompetitorAccount, Competitors, NotThere } from '../competitor.ts'
import { foundPost, parsable } from '../ownPosts.ts'
import { reported, type Reach, type Refusal } from '../platform.ts'
import { call, hostOf, refused, withSecret } from './client.ts'
import { metricsIn } from './metrics.ts'
import { isGone } from './refusals.ts'
import { named, Named, Timeline, type ListedStatus, type MastodonSecret } from './schemas.ts'
import { textOfHtml } from './text.ts'

const Count = z.int().nonnegative().nullable().catch(null)
const Address = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)
/** docs.joinmastodon.org, entities, Account. */
const Person = z
  .object({
    id: z.union([z.string().min(1), z.int().nonnegative()]).transform(String),
    acct: z.string().min(1),
    ...Named,
    url: Address,
    avatar: Address,
    suspended: z.boolean().catch(false),
    followers_count: Count,
    statuses_count: Count,
  })
  .transform(named)
type Person = z.infer<typeof Person>
const People = parsable(Person)

const NAME = String.raw`[\w.-]{1,100}`
const SERVER = String.raw`[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?`

/** The name with its server that a handle or a profile's address means; without a server, one of the channel's own. */
function addressIn(text: string, own: string): string | undefined {
  const typed = text.trim()
  const profile = new RegExp(
    `^(?:https?://)?(${SERVER})/(?:@|users/)(${NAME})(?:@(${SERVER}))?/?(?:[?#].*)?$`,
    'i',
  ).exec(typed)
  if (profile) return `${profile[2]}@${profile[3] ?? profile[1]}`.toLowerCase()
  const handle = new RegExp(`^@?(${NAME})(?:@(${SERVER}))?$`, 'i').exec(typed)
  return handle ? `${handle[1]}@${handle[2] ?? own}`.toLowerCase() : undefined
}

/**
 * Accounts of the fediverse, as far as the channel's own server knows them (methods/accounts, lookup; statuses). One that it doesn't
 * know is looked up on its server. Their figures are those that reached the channel's server.
 */
export const competitors: Competitors = {
  find: withSecret(async (reach, own, _account, text) => {
    const address = addressIn(text, domainOf(own))
    const found = address === undefined ? gone : await lookUp(reach, own, address)
    return 'person' in found ? { kind: 'account', account: accountOf(found.person, own) } : found
  }),
  read: withSecret(async (reach, own, _account, { remoteId }, most) => {
    const found = await lookUp(reach, own, remoteId)
    if (!('person' in found)) return found
    const list = await call(reach, own, {
      path: `/api/v1/accounts/${found.person.id}/statuses`,
      query: { limit: String(Math.min(most, 40)), exclude_replies: 'true', exclude_reblogs: 'true' },
      reply: Timeline,
    })
    if (list.kind !== 'ok') return isGone(list) ? gone : refused(list, own, 'show-posts')
    return {
      kind: 'read',
      account: accountOf(found.person, own),
      posts: list.value.flatMap((status) => (isOwn(status, found.person.id) ? (postOf(status) ?? []) : [])),
      // servers leave some out after counting a page: only an empty one is surely the last
      isAll: list.value.length === 0,
    }
  }),
}

const domainOf = (own: MastodonSecret): string => own.domain || hostOf(own)
const gone: NotThere = { kind: 'none', why: 'gone' }

async function lookUp(
  reach: Reach,
  own: MastodonSecret,
  address: string,
): Promise<{ kind: 'person'; person: Person } | NotThere | Refusal> {
  const [name = '', server = ''] = address.split('@')
  const acct = server === domainOf(own).toLowerCase() ? name : address
  const known = await call(reach, own, { path: '/api/v1/accounts/lookup', query: { acct }, reply: Person })
  if (known.kind === 'ok') return known.value.suspended ? gone : { kind: 'person', person: known.value }
  if (!isGone(known)) return refused(known, own, 'find-account')
  if (acct === name) return gone
  const found = await call(reach, own, {
    path: '/api/v1/accounts/search',
    query: { q: `@${address}`, resolve: 'true', limit: '1' },
    reply: People,
  })
  if (found.kind !== 'ok') return isGone(found) ? gone : refused(found, own, 'find-account')
  const [person] = found.value.filter((one) => addressOf(one, own) === address && !one.suspended)
  return person ? { kind: 'person', person } : gone
}

/** With the server, so that it's the same through every channel. */
const addressOf = ({ acct }: Pick<Person, 'acct'>, own: MastodonSecret): string =>
  (acct.includes('@') ? acct : `${acct}@${domainOf(own)}`).toLowerCase()

function accountOf(person: Person, own: MastodonSecret): CompetitorAccount {
  const address = addressOf(person, own)
  return {
    remoteId: address,
    name: person.display_name.trim() || person.acct,
    handle: `@${address}`,
    pictureUrl: person.avatar,
    profileUrl: person.url,
    figures: reported({ followers: person.followers_count, posts: person.statuses_count }),
  }
}

const isOwn = (status: ListedStatus, userId: string): boolean =>
  status.in_reply_to_id === null &&
  status.reblog == null &&
  status.account?.id === userId &&
  (status.visibility === 'public' || status.visibility === 'unlisted')

const postOf = (status: ListedStatus) =>
  foundPost({
    remoteId: status.url ?? status.id,
    postType: 'post',
    publishedAt: status.created_at,
    text: [status.spoiler_text, textOfHtml(status.content)].filter(Boolean).join('\n\n'),
    permalink: status.url,
    pictureUrl: null,
    figures: metricsIn(status),
  })
