import { sentenceOf } from '#contract/failures/catalog.ts'
import { LOOKUP_MOST } from '#contract/lookups.ts'
import type { LookupAccount, LookupItem, LookupKind, PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { Caller, CallerOrg, ProjectContext } from '../http/route.ts'
import { assertWithinLimit, count, type Limit } from '../http/attempts.ts'
import { storable } from '../delivery/storable.ts'
import type { AccountRef, Change, LookupAnswer, Platform, Reach, Refusal, Secret } from '../platforms/platform.ts'
import { ask, askable, channelToAsk, type Asked, type AskDeps } from '../delivery/ask.ts'
import { pictureLinks } from './foreignPictures.ts'

/*
 * What a person chooses from while composing. Results are cached for a minute on this node, so that typing back and
 * forth, and colleagues in the same channel, ask the platform once.
 */

const KEPT_MS = 60_000
const KEPT_MOST = 500
const LOOKUP_MS = 15_000
/** Lookups that reach a platform, per person: they count against the rate limit that publishing needs. */
const questions = { name: 'channel-lookups', most: 120, seconds: 60 } as const satisfies Limit

type LookupContext = {
  caller: Caller
  org: Pick<CallerOrg, 'orgId'>
  now: Date
  inTenant: <T>(fn: (t: ProjectContext) => Promise<T>) => Promise<T>
}
type Wanted = {
  channelId: string
  kind: LookupKind
  query: string
  /** A channel of another platform doesn't exist for the call. */ platform?: PlatformKey
}
type Found = { items: LookupItem[]; offered: boolean; reason: string | null; account: LookupAccount | null }

const notOffered = (reason: string | null): Found => ({ items: [], offered: false, reason, account: null })

export type Lookups = {
  find(c: LookupContext, wanted: Wanted): Promise<Found>
  /** Adds one at the platform; the next lookup shows it. */
  add(
    c: LookupContext,
    wanted: Omit<Wanted, 'query'>,
    thing: { name: string; description: string; isPublic: boolean },
  ): Promise<LookupItem>
  /** Changes one at the platform; the next lookup shows it changed. */
  change(
    c: LookupContext,
    wanted: Omit<Wanted, 'query'> & { id: string },
    change: Parameters<Change>[4],
  ): Promise<LookupItem>
}

/** This node's lookups, with their cached results. */
export function openLookups(deps: AskDeps): Lookups {
  const kept = new Map<string, { until: number; answer: Promise<Found> }>()
  const linkTo = pictureLinks(deps)
  /** Names come from strangers, so control characters are removed; pictures use URLs of ours. */
  const shown = <T extends LookupAccount>({ org, now }: LookupContext, one: T): T => ({
    ...storable(one),
    pictureUrl: linkTo(org.orgId, one.pictureUrl, now),
  })
  const served = (c: LookupContext, { items, account, ...rest }: Found): Found => ({
    ...rest,
    items: items.map((item) => shown(c, item)),
    account: account && shown(c, account),
  })
  // the version is part of the key: another sign-in may see other things
  const nameOf = ({ channel, kept: secret }: Asked, kind: LookupKind) =>
    `${channel.id} ${secret?.version ?? 0} ${kind} `

  function keep(name: string, now: number, answer: Promise<Found>): void {
    for (const [other, { until }] of kept) if (until <= now) kept.delete(other)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT_MOST && oldest !== undefined) kept.delete(oldest)
    kept.set(name, { until: now + KEPT_MS, answer })
    // failures aren't cached
    answer.catch(() => kept.delete(name))
  }

  function forget(asked: Asked, kind: LookupKind): void {
    for (const name of kept.keys()) if (name.startsWith(nameOf(asked, kind))) kept.delete(name)
  }

  async function load(
    c: LookupContext,
    { channelId, platform }: Pick<Wanted, 'channelId' | 'platform'>,
  ): Promise<Asked> {
    const asked = await c.inTenant((t) => channelToAsk(t, channelId))
    if (platform !== undefined && asked.platform !== platform) throw fail('NOT_FOUND')
    return asked
  }

  /** Adds or changes one at the platform; the next lookup shows it. */
  async function writeAt(
    c: LookupContext,
    asked: Asked,
    kind: LookupKind,
    platform: Platform,
    write: (
      reach: Reach,
      secret: Secret,
      account: AccountRef,
    ) => Promise<{ kind: 'added' | 'changed'; item: LookupItem } | Refusal>,
  ): Promise<LookupItem> {
    await mayAsk(deps, c)
    const { item } = await ask(deps, platform, asked, LOOKUP_MS, write, 'addition')
    forget(asked, kind)
    return shown(c, item)
  }

  return {
    async find(c, wanted) {
      const asked = await load(c, wanted)
      const platform = deps.platforms(asked.platform)
      const find = platform?.lookups?.[wanted.kind]
      if (!platform || !find) {
        const closed = platform?.closedLookups?.[wanted.kind]
        return notOffered(closed ? sentenceOf(closed) : null)
      }
      const name = `${nameOf(asked, wanted.kind)}${wanted.query.toLowerCase()}`
      const now = c.now.getTime()
      const known = kept.get(name)
      if (known && known.until > now) return served(c, await known.answer)
      const fetchItems = async () => {
        await mayAsk(deps, c)
        const answer: LookupAnswer = await ask(
          deps,
          platform,
          asked,
          LOOKUP_MS,
          (reach, secret, account) => find(reach, secret, account, { query: wanted.query, limit: LOOKUP_MOST }),
          'lookup',
        )
        if (answer.kind === 'closed') return notOffered(sentenceOf(answer.reason))
        const { items, account } = answer
        return {
          items: items.slice(0, LOOKUP_MOST),
          offered: true,
          reason: null,
          account: account ?? null,
        }
      }
      // cached before it arrives, so that two simultaneous requests ask the platform once
      const answer = fetchItems()
      keep(name, now, answer)
      return served(c, await answer)
    },
    async add(c, wanted, thing) {
      const asked = await load(c, wanted)
      const platform = askable(deps, asked.platform)
      const add = platform.additions?.[wanted.kind]
      if (!add) throw fail('CHANNEL_REFUSED', { detail: 'You can only add this on the platform itself.' })
      return await writeAt(c, asked, wanted.kind, platform, (reach, secret, account) =>
        add(reach, secret, account, thing),
      )
    },
    async change(c, wanted, change) {
      const asked = await load(c, wanted)
      const platform = askable(deps, asked.platform)
      const apply = platform.changes?.[wanted.kind]
      if (!apply) throw fail('CHANNEL_REFUSED', { detail: 'You can only change this on the platform itself.' })
      return await writeAt(c, asked, wanted.kind, platform, (reach, secret, account) =>
        apply(reach, secret, account, wanted.id, change),
      )
    },
  }
}

async function mayAsk({ databases }: AskDeps, { caller, now }: LookupContext): Promise<void> {
  assertWithinLimit(await asSystem(databases.system, (tx) => count(tx, questions, caller.personId, now)))
}
