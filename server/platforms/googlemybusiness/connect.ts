import { because } from '#contract/failures/catalog.ts'
import { googlemybusiness as rules } from '#contract/platforms/googlemybusiness.ts'
import { finishGoogle, needsRefresh, refreshGoogle, startGoogle, type GoogleSecret } from '../google.ts'
import type { Connect, ConnectByPage, Reach, Refusal, SignedIn, SignInAnswer } from '../platform.ts'
import { call, callAccounts, callLocations, LABEL, refusalOf, withSecret } from './client.ts'
import { Accounts, LocalPosts, Locations, type BusinessSecret, type Location } from './schemas.ts'

const SCOPES = rules.app?.scopes ?? []
const asking = { doing: 'list-locations', irreversible: false } as const
const READ_MASK = 'name,title,storefrontAddress,metadata'
/**
 * How many pages of accounts (20 each) and of one account's locations (100 each) are read: nobody chooses among more.
 */
const PAGES = 10

const begin: ConnectByPage['begin'] = async (reach, ask) => await startGoogle(reach, ask, SCOPES)

/** Every location that the person manages, each a channel of its own. */
const answer: ConnectByPage['answer'] = async (reach, keep, params): Promise<SignInAnswer> => {
  const google = await finishGoogle(reach, keep, params, SCOPES, LABEL)
  if (google.kind !== 'google') return google
  const parents = await accountsOf(reach, google.secret)
  if ('kind' in parents) return parents
  const found = new Map<string, SignedIn>()
  for (const account of parents) {
    const locations = await locationsOf(reach, google.secret, account)
    if ('kind' in locations) return locations
    // a location can be in a person's own account and in a group: it's one channel
    for (const location of locations)
      if (!found.has(location.name)) found.set(location.name, signedInTo(location, account, google.secret, google))
  }
  if (found.size === 0)
    return { kind: 'rejected', reason: { ...because('google-no-location'), platformCode: 'no-location' } }
  return { kind: 'accounts', accounts: [...found.values()] }
}

function signedInTo(
  location: Location,
  account: string,
  base: GoogleSecret,
  { expiresAt, endsAt, missing }: { expiresAt: Date | null; endsAt: Date | null; missing: readonly string[] },
): SignedIn {
  const { name, title, storefrontAddress: address, metadata } = location
  const secret: BusinessSecret = { ...base, parent: `${account}/${name}`, mapsUri: metadata.mapsUri }
  const where = [address?.addressLines[0], address?.locality].filter(Boolean).join(', ')
  const lacks = [...missing, ...(metadata.canOperateLocalPost === false ? ['LOCAL_POSTS'] : [])]
  return {
    account: {
      remoteId: name.slice('locations/'.length),
      name: title || name,
      handle: where || title || name,
      pictureUrl: null,
      service: null,
    },
    secret,
    expiresAt,
    endsAt,
    kind: 'Location',
    ...(lacks.length > 0 && { missing: lacks }),
  }
}

async function accountsOf(reach: Reach, secret: GoogleSecret): Promise<string[] | Refusal> {
  const names: string[] = []
  let pageToken: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const list = await callAccounts(reach, secret, {
      path: 'accounts',
      query: { pageSize: '20', pageToken },
      reply: Accounts,
    })
    if (list.kind !== 'ok') return refusalOf(list, asking)
    names.push(...list.value.accounts.map(({ name }) => name))
    pageToken = list.value.nextPageToken
    if (pageToken === undefined) break
  }
  return names
}

async function locationsOf(reach: Reach, secret: GoogleSecret, account: string): Promise<Location[] | Refusal> {
  const locations: Location[] = []
  let pageToken: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const list = await callLocations(reach, secret, {
      path: `${account}/locations`,
      query: { readMask: READ_MASK, pageSize: '100', pageToken },
      reply: Locations,
    })
    if (list.kind !== 'ok') return refusalOf(list, asking)
    locations.push(...list.value.locations)
    pageToken = list.value.nextPageToken
    if (pageToken === undefined) break
  }
  return locations
}

const check: Connect['check'] = withSecret(async (reach, own) => {
  const found = await call(reach, own, {
    path: `${own.parent}/localPosts`,
    query: { pageSize: '1' },
    reply: LocalPosts,
  })
  return found.kind === 'ok'
    ? { kind: 'works', endsAt: own.endsAt === null ? null : new Date(own.endsAt) }
    : refusalOf(found, { doing: 'show-posts', irreversible: false })
})

/**
 * There is no `revoke`: Google ends all sign-ins of a person to this app at once, and their other locations are
 * channels too.
 */
export const connect: Connect = {
  method: 'oauth',
  withPage: { begin, answer },
  check,
  refresh: refreshGoogle(LABEL),
  needsRefresh,
}
