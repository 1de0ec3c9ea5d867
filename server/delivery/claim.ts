import type pg from 'pg'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostFailure } from '#contract/postLists.ts'
import { statementName } from '../db/statements.ts'
import type { Platform } from '../platforms/platform.ts'
import { budgetsOffered } from './budgets.ts'
import type { WaitingFor } from './failures.ts'
import type { PublishingOptions } from './options.ts'
import { platformUse, type DeliveryStep, type SubjectKind } from './steps.ts'

/** A delivery that this node has claimed, with everything its step needs. The columns of claim_deliveries(). */
export type Claimed = {
  org_id: string
  channel_id: string
  subject: SubjectKind
  subject_id: string
  /** Distinguishes deliveries of the same subject. */
  key: string
  platform: PlatformKey
  credentials: string
  step: DeliveryStep
  /** Every write for this claim is rejected once the row's fence differs. */
  fence: number
  started_at: Date
  tries: number
  send_key: string | null
  progress: Record<string, unknown>
  /** The subject's own data, stored with the delivery. */
  details: unknown
  /** The time it was meant to be sent; lateness counts from here. */
  wanted_at: Date
  /** The creation time of what it creates, on platforms where no two of an account may share one (`Publish.distinctTimes`). */
  dated_at: Date | null
  sent_at: Date | null
  absent_at: Date | null
  remote_id: string | null
  /** What it waited for, or why the last try failed. */
  failure: PostFailure | null
  account_id: string
  handle: string
  service: string | null
  channel_name: string
  lateness_minutes: number
  why: WaitingFor | null
  /** The exhausted rate limit that its step waits for; null if it waits for none. */
  used_up: string | null
  /** The subject's row, as the subject reads it. */
  loaded: unknown
} & (
  | {
      verdict: 'go'
      attempt_id: string
      lease_until: Date
      key_id: string | null
      sealed: Buffer | null
      secret_expires_at: Date | null
      secret_version: number | null
    }
  | {
      verdict: 'late' | 'blocked' | 'used_up'
      attempt_id: null
      lease_until: null
      key_id: null
      sealed: null
      secret_expires_at: null
      secret_version: null
    }
)

/** A claim that is to be worked on. */
export type Going = Extract<Claimed, { verdict: 'go' }>

/** The capacity that a node offers in one claim. */
export type Offer = {
  now: Date
  nodeId: string
  slots: number
  transfers: number
  shares: ReadonlyMap<Platform, number>
  /** How many slots of each platform one of its federated servers has on this node. */
  shareOfServer: (platform: Platform) => number
  /** Organizations that come after all others, by platform. */
  crowded: ReadonlyMap<Platform, readonly string[]>
  /** What each federated server uses on this node, by platform. */
  held: ReadonlyMap<Platform, LaneLoad>
}

/** Slots and transfers in use by each server, by its address, and the slots of those that have other than their share. */
export type LaneLoad = {
  used: Record<string, number>
  moving: Record<string, number>
  windows?: Record<string, number>
}

const CLAIM = 'select claim from claim_deliveries($1, $2, $3, $4, $5, $6)'
const NEXT = `
  select min(l.wake_at) as wake_at from unnest($1::text[]) as p(platform)
  cross join lateral (select wake_at from lane where platform = p.platform and wake_at is not null order by wake_at limit 1) l`

/** Claims what is due, in one statement and one durable commit. Throws when the database is unavailable; then assume nothing. */
export async function claimDeliveries(pool: pg.Pool, offer: Offer, options: PublishingOptions): Promise<Claimed[]> {
  const { now, nodeId, slots, transfers, shares, shareOfServer, crowded, held } = offer
  const { server } = options
  const moving = [...held.values()].flatMap((each) => Object.values(each.moving)).reduce((sum, n) => sum + n, 0)
  const offers = [...shares].map(([platform, share]) => ({
    platform: platform.key,
    share,
    overlap: platform.publish.simultaneousSends ?? 1,
    alike: platform.publish.findsByText ?? false,
    crowded: crowded.get(platform) ?? [],
    lease_ms: platform.publish.sendTimeoutSeconds * 1000 + options.leaseSlack,
    read_lease_ms: options.readLease,
    margin_ms: options.reconcileMargin,
    keys: Array.from({ length: share }, () => platform.publish.chooseSendKey(now)),
    dates: platform.publish.distinctTimes ?? false,
    budgets: budgetsOffered(platform),
    hosts: {
      main: platform.mainServers ?? [],
      slots: shareOfServer(platform),
      transfers: server.transfers,
      moving_left: Math.max(0, server.allTransfers - moving),
      ...held.get(platform),
    },
  }))
  const values = [now, nodeId, slots, transfers, JSON.stringify(offers), `${options.lookAgain} milliseconds`]
  const { rows } = await pool.query<{ claim: ClaimRow }>({ name: statementName(CLAIM), text: CLAIM, values })
  return rows.map(({ claim }) => revived(claim))
}

const CLAIM_ONE = 'select claim from claim_delivery($1, $2, $3, $4, $5)'

/** A delivery that is claimed without its lane: with the fence that its request left, or without one if a job works on it. */
export type Unclaimed = Pick<Claimed, 'org_id' | 'subject' | 'subject_id'> & {
  fence?: number
  /** Whether it creates something on a platform with `distinctTimes`. */
  dates?: boolean
}
export type Wanted = Unclaimed & { fence: number }

/** Claims one delivery without its lane; undefined while another worker has it. */
export async function claimDelivery(
  pool: pg.Pool,
  { now, nodeId }: Pick<Offer, 'now' | 'nodeId'>,
  wanted: Unclaimed,
  lease: { milliseconds: number; margin: number },
): Promise<Going | undefined> {
  const milliseconds = (n: number): string => `${n} milliseconds`
  const values = [now, nodeId, JSON.stringify(wanted), milliseconds(lease.milliseconds), milliseconds(lease.margin)]
  const { rows } = await pool.query<{ claim: ClaimRow }>(CLAIM_ONE, values)
  const claimed = rows[0] && revived(rows[0].claim)
  return claimed?.verdict === 'go' ? claimed : undefined
}

type DateColumn =
  | 'started_at'
  | 'lease_until'
  | 'wanted_at'
  | 'dated_at'
  | 'sent_at'
  | 'absent_at'
  | 'secret_expires_at'
type ClaimRow = Omit<Claimed, DateColumn | 'sealed'> & Record<DateColumn | 'sealed', string | null>

/** JSON has neither times nor bytes. */
function revived(row: ClaimRow): Claimed {
  const at = (text: string | null): Date | null => (text === null ? null : new Date(text))
  const claim = {
    ...row,
    started_at: at(row.started_at),
    lease_until: at(row.lease_until),
    wanted_at: at(row.wanted_at),
    dated_at: at(row.dated_at),
    sent_at: at(row.sent_at),
    absent_at: at(row.absent_at),
    secret_expires_at: at(row.secret_expires_at),
    sealed: row.sealed === null ? null : Buffer.from(row.sealed.slice('\\x'.length), 'hex'),
  }
  // the columns as claim_deliveries makes them
  return claim as Claimed
}

/** How the claim's step is counted at its platform. */
export const useOf = ({ subject, step }: Pick<Claimed, 'subject' | 'step'>) => platformUse(subject, step)

/** When the earliest lane of these platforms is due; null when none is. */
export async function nextWake(pool: pg.Pool, platforms: readonly Platform[]): Promise<Date | null> {
  const { rows } = await pool.query<{ wake_at: Date | null }>({
    name: statementName(NEXT),
    text: NEXT,
    values: [platforms.map((platform) => platform.key)],
  })
  return rows[0]?.wake_at ?? null
}
