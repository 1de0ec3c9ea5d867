import { randomUUIDv7 } from 'node:crypto'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { EntityType } from '#contract/inbox/terms.ts'
import { asSystem } from '../db/system.ts'
import { applyChanges, type Applied } from '../inbox/store.ts'
import type { InboxChange, RemoteItem, RemotePerson } from '../platforms/inbox.ts'
import type { TestHome } from './people.ts'
import type { TestApp } from './startApp.ts'

/** An app in the same process, or beside it with its database. */
type Place = { parts: Pick<TestApp['parts'], 'databases' | 'clock'> }

/** Someone on a platform, by their handle. */
const remotePerson = (handle: string, more: Partial<RemotePerson> = {}): RemotePerson => ({
  remoteId: `remote-${handle}`,
  name: handle.slice(0, 1).toUpperCase() + handle.slice(1),
  handle: `@${handle}.example`,
  pictureUrl: null,
  url: `https://social.example/${handle}`,
  ...more,
})

const types: Record<RemoteItem['conversation'], EntityType> = {
  comment: 'COMMENT',
  message: 'DIRECT_MESSAGE',
  mention: 'MENTION_POST',
  review: 'REVIEW',
}

export type ReceivedOptions = Partial<Omit<RemoteItem, 'author' | 'counterpart' | 'at'>> & {
  channelId: string
  /** The handle of the author, such as `maya`; `null` where the platform withholds it. */
  from?: string | null
  /** When it was written: now, unless said. */
  at?: Date
  /** The post that it is about, by the platform's id of it. */
  aboutPost?: string
  /** As the first reading of the channel brings it. */
  first?: boolean
}

/** An item as a platform tells of it: a comment that begins a conversation, unless more is said. */
export function remoteItem(options: ReceivedOptions): RemoteItem {
  const { from = 'maya', aboutPost, at = new Date(0) } = options
  const { channelId: _channel, from: _from, aboutPost: _post, first: _first, ...more } = options
  const remoteId = more.remoteId ?? `item-${randomUUIDv7()}`
  const conversation = more.conversation ?? 'comment'
  const person = from === null ? null : remotePerson(from)
  return {
    change: 'item',
    remoteId,
    threadKey: conversation === 'message' ? `with-${from}` : remoteId,
    conversation,
    type: types[conversation],
    parentRemoteId: null,
    author: more.isOurs ? null : person,
    isOurs: false,
    counterpart: conversation === 'message' ? person : null,
    text: 'Hello there',
    media: [],
    version: 0,
    editedAt: null,
    hidden: false,
    url: null,
    rating: null,
    subject:
      aboutPost === undefined
        ? null
        : { remoteId: aboutPost, text: 'Our post', at: null, url: null, isOurs: true, person: null },
    ...more,
    at,
  }
}

/** Stores what a platform tells of a channel, as reading it does. */
export async function storeChanges(
  app: Place,
  home: Pick<TestHome, 'orgId'>,
  channelId: string,
  changes: readonly InboxChange[],
  options: { first?: boolean; now?: Date } = {},
): Promise<Applied> {
  const { databases, clock } = app.parts
  return await asSystem(databases.system, async (tx) => {
    const row = await tx
      .selectFrom('channel')
      .select(['project_id', 'platform'])
      .where('org_id', '=', home.orgId)
      .where('id', '=', channelId)
      .executeTakeFirstOrThrow()
    const channel = {
      orgId: home.orgId,
      projectId: row.project_id,
      channelId,
      platform: PlatformKey.parse(row.platform),
    }
    return await applyChanges(tx, channel, changes, { now: clock.now(), ...options })
  })
}

/** Someone writes, or we do (`isOurs`), and the inbox hears of it. Returns where it is. */
export async function received(
  app: Place,
  home: Pick<TestHome, 'orgId'>,
  options: ReceivedOptions,
): Promise<{ conversationId: string; itemId: string; remoteId: string; threadKey: string }> {
  const item = remoteItem({ at: app.parts.clock.now(), ...options })
  await storeChanges(app, home, options.channelId, [item], { first: options.first ?? false })
  const row = await asSystem(app.parts.databases.system, (tx) =>
    tx
      .selectFrom('inbox_item')
      .select(['id', 'conversation_id'])
      .where('org_id', '=', home.orgId)
      .where('channel_id', '=', options.channelId)
      .where('remote_id', '=', item.remoteId)
      .executeTakeFirstOrThrow(),
  )
  return { conversationId: row.conversation_id, itemId: row.id, remoteId: item.remoteId, threadKey: item.threadKey }
}
