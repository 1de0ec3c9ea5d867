import { randomUUIDv7 } from 'node:crypto'
import sharp from 'sharp'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { entitlements } from '#contract/plans.ts'
import { storeChannel } from '../channels/connect.ts'
import { asTenant } from '../db/tenant.ts'
import { storeKey } from '../media/keep.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Platform } from '../platforms/platform.ts'
import type { TestHome } from './people.ts'

const ever = { planId: 'team', status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null } as const

/** Builders of what is posted and where to, in the state that the verbs would have left. */
export function contentOn(deps: Pick<Dependencies, 'databases' | 'clock' | 'secrets' | 'media'>) {
  const { databases, clock } = deps

  /** A connected channel of the project. Returns its id. */
  async function channel(
    home: TestHome,
    options: { handle?: string; remoteId?: string; service?: string; platform?: PlatformKey } = {},
  ): Promise<string> {
    const remoteId = options.remoteId ?? `did:plc:${randomUUIDv7()}`
    const handle = options.handle ?? `@${remoteId.slice(-6)}.example`
    const store = {
      now: clock.now(),
      personId: home.person.personId,
      org: { orgId: home.orgId, isAdmin: true, plan: ever, entitlements: entitlements(ever, clock.now()) },
      project: { projectId: home.projectId, channelIds: null },
      platform: options.platform ?? 'bluesky',
      keys: deps.secrets,
      simulated: false,
    } as const
    const account = {
      remoteId,
      name: handle.slice(1),
      handle,
      pictureUrl: null,
      service: options.service ?? 'https://pds.example',
    }
    const stored = await asTenant(databases.web, home.orgId, (tx) =>
      storeChannel({ ...store, tx }, { account, secret: { token: 'a token of the tests' }, expiresAt: null }),
    )
    return stored.channelId
  }

  /** A picture that was uploaded. Returns its asset id. */
  async function picture(
    home: TestHome,
    options: { width?: number; height?: number; type?: 'jpeg' | 'png'; bytes?: number } = {},
  ): Promise<string> {
    const { width = 40, height = 30, type = 'jpeg' } = options
    const bytes = await drawPicture({ width, height, type })
    const id = randomUUIDv7()
    const key = storeKey(home.orgId, id)
    await deps.media.put(key, bytes)
    await asTenant(databases.web, home.orgId, (tx) =>
      tx
        .insertInto('asset')
        .values({
          org_id: home.orgId,
          id,
          project_id: home.projectId,
          state: 'ready',
          file_name: `picture.${type}`,
          content_type: `image/${type}`,
          bytes: options.bytes ?? bytes.length,
          width,
          height,
          store_key: key,
          created_at: clock.now(),
          created_by: home.person.personId,
        })
        .execute(),
    )
    return id
  }

  return { channel, picture }
}

/** A picture with something in it, whose size grows with its sides. */
export async function drawPicture({
  width,
  height,
  type = 'jpeg',
  noise = false,
  alpha = false,
}: {
  width: number
  height: number
  type?: 'jpeg' | 'png' | 'gif' | 'webp'
  noise?: boolean
  alpha?: boolean
}): Promise<Buffer> {
  const background = { r: 10, g: 120, b: 200, alpha: alpha ? 0.5 : 1 }
  const plain = noise
    ? sharp({ create: { width, height, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    : sharp({ create: { width, height, channels: alpha ? 4 : 3, background } })
  return await plain.toFormat(type, type === 'jpeg' ? { quality: 100 } : {}).toBuffer()
}

/** A platform for tests of everything around it: it accepts what the test says. Its responses can be replaced. */
export function testPlatform(
  answers: {
    key?: PlatformKey
    hosts?: readonly string[]
    lookups?: Platform['lookups']
    closedLookups?: Platform['closedLookups']
    additions?: Platform['additions']
    changes?: Platform['changes']
    needsRefresh?: Platform['connect']['needsRefresh']
    connect?: Platform['connect']['withCredentials']
    page?: Platform['connect']['withPage']
    revoke?: Platform['connect']['revoke']
    check?: Platform['connect']['check']
    refresh?: Platform['connect']['refresh']
    remove?: Platform['publish']['remove']
    needsPrepare?: boolean
  } = {},
): Platform {
  const unasked = async (): Promise<never> => {
    throw new Error('the test did not expect this call')
  }
  return {
    key: answers.key ?? 'bluesky',
    hosts: answers.hosts ?? [],
    ...(answers.lookups && { lookups: answers.lookups }),
    ...(answers.closedLookups && { closedLookups: answers.closedLookups }),
    ...(answers.additions && { additions: answers.additions }),
    ...(answers.changes && { changes: answers.changes }),
    connect: {
      method: 'credentials',
      ...(answers.connect && { withCredentials: answers.connect }),
      ...(answers.page && { withPage: answers.page }),
      ...(answers.revoke && { revoke: answers.revoke }),
      ...(answers.check && { check: answers.check }),
      refresh: answers.refresh ?? unasked,
      needsRefresh: answers.needsRefresh ?? (() => false),
    },
    publish: {
      chooseSendKey: () => randomUUIDv7(),
      sendTimeoutSeconds: 10,
      prepare: unasked,
      needsPrepare: ({ contents }) => answers.needsPrepare ?? contents.some(({ media }) => media.length > 0),
      send: unasked,
      readBack: unasked,
      reconcile: unasked,
      sendIsRepeatable: false,
      ...(answers.remove && { remove: answers.remove }),
    },
    budgets: [],
  }
}
