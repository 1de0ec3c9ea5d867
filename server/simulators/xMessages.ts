import { z } from 'zod'
import { pageOf, type Call, type Reply, type Route, type World } from './world.ts'
import { charge, person } from './xMentions.ts'

/*
 * Direct messages of X, newest first. Each costs something when it's shown, once on a day. The switch `closed messages` refuses
 * messages to others.
 */

const api = 'api.x.com/2'
/** US dollars, prices of August 2026. */
const PRICES = { event: 0.01, user: 0.01 }

type Message = { id: string; from: string; to: string; text: string; at: number; group?: true }
const all = new WeakMap<World, Message[]>()
const told = new WeakMap<World, Set<string>>()

/** Someone writes to someone else, or in a group. Returns the message's ID, which is a new one unless it's given. */
export function writeMessage(world: World, message: Omit<Message, 'id'> & { id?: string }): string {
  const { id = world.nextId() } = message
  all.set(world, [...(all.get(world) ?? []), { ...message, id }])
  return id
}
/** What was written, oldest first. */
export const writtenMessages = (world: World): readonly Message[] => all.get(world) ?? []

const conversationOf = ({ from, to, group }: Message): string =>
  group ? `9${from}` : [from, to].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).join('-')

const Text = z.object({ text: z.string().min(1).max(10_000) })

export function messages(world: World): Route[] {
  const list = (call: Call, isAsked: (message: Message, account: string) => boolean): Reply => {
    const { account } = world.who(call, 'dm.read')
    const size = Number(call.text('max_results')) || 100
    if (size < 1 || size > 100) world.no('request', 'max_results must be between 1 and 100.')
    const found = writtenMessages(world)
      .filter((message) => [message.from, message.to].includes(account) && isAsked(message, account))
      .toReversed()
    const { items, next } = pageOf(found, size, call.text('pagination_token'))
    const senders = call.text('expansions').split(',').includes('sender_id')
      ? [...new Set(items.map(({ from }) => from))]
      : []
    // the same thing again on the same day is free
    const day = new Date(call.now).toISOString().slice(0, 10)
    const known = told.get(world) ?? new Set()
    told.set(world, known)
    for (const [keys, price] of [
      [items.map(({ id }) => `${day} ${id}`), PRICES.event],
      [senders.map((id) => `${day} ${id}`), PRICES.user],
    ] as const)
      for (const key of keys) {
        if (!known.has(key)) charge(world, price)
        known.add(key)
      }
    return {
      json: {
        ...(items.length > 0 && {
          data: items.map((message) => ({
            id: message.id,
            event_type: 'MessageCreate',
            text: message.text,
            sender_id: message.from,
            dm_conversation_id: conversationOf(message),
            created_at: new Date(message.at).toISOString(),
          })),
        }),
        ...(senders.length > 0 && { includes: { users: senders.map((id) => person(world, id)) } }),
        meta: {
          result_count: items.length,
          // X's tokens have 16 characters or more
          ...(next && { next_token: next.padStart(16, '0') }),
        },
      },
    }
  }
  return [
    [`GET ${api}/dm_events`, (call) => list(call, () => true)],
    [
      `GET ${api}/dm_conversations/with/{id}/dm_events`,
      (call) => list(call, ({ from, to, group }) => !group && [from, to].includes(call.path.id ?? '')),
    ],
    [
      `POST ${api}/dm_conversations/with/{id}/messages`,
      (call): Reply => {
        const { account } = world.who(call, 'dm.write')
        const to = call.path.id ?? ''
        if (!world.account(to)) world.no('missing', 'Could not find this user.')
        if (world.switches.has('closed messages'))
          world.no('scope', 'You do not have permission to DM one or more participants.')
        const { text } = Text.parse(call.body.value)
        const message = { from: account, to, text, at: call.now }
        const id = writeMessage(world, message)
        return {
          status: 201,
          json: { data: { dm_conversation_id: conversationOf({ ...message, id }), dm_event_id: id } },
        }
      },
    ],
  ]
}
