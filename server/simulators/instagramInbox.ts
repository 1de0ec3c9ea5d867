import { z } from 'zod'
import { edgeIn, selected } from './graphFields.ts'
import { fieldsAsked, listed, messageNode, objectIn, sent, windowRefusal } from './facebookInbox.ts'
import { graphError, graphTime } from './graphParts.ts'
import type { HandRule } from './handRule.ts'
import { seedOf, type Call, type Reply, type Route, type SimulatedPost, type World } from './world.ts'

/*
 * What people write to professional accounts: comments and replies to them, posts that tag an account, mentions that are only
 * notified of, and direct messages. Comments have one level of replies. People write by `world.publish`.
 */

const DAY = 24 * 3_600_000
const commentRights = ['instagram_business_manage_comments', 'instagram_manage_comments']
const messageRights = ['instagram_business_manage_messages', 'instagram_manage_messages']
const readRights = ['instagram_business_basic', 'instagram_basic']

type Both = (method: string, path: string, answer: Route[1]) => Route[]
/** The account that a call acts for, as the sign-in lets it. */
type AccountOf = (call: Call, id: string, ...rights: string[]) => string

/** Comments of a post, newest first; of a comment, its replies as they came. */
const commentsUnder = (world: World, id: string): SimulatedPost[] =>
  world.live(({ kind, parent }) => kind === 'comment' && parent === id).toSorted((a, b) => b.createdAt - a.createdAt)

export function commentEdge(world: World, post: SimulatedPost) {
  return (modifiers: Record<string, string>): unknown =>
    edgeIn(
      `https://graph.instagram.com/v25.0/${post.id}/comments`,
      commentsUnder(world, post.id),
      { ...modifiers, limit: String(Math.min(Number(modifiers.limit ?? 25), 50)) },
      (one) => commentNode(world, one),
    )
}

function commentNode(world: World, comment: SimulatedPost): Record<string, unknown> {
  const username = world.account(comment.account)?.handle
  const above = comment.parent === null ? undefined : world.posts.get(comment.parent)
  return {
    id: comment.id,
    text: comment.text,
    timestamp: graphTime(comment.createdAt),
    username,
    hidden: comment.more.hidden === true,
    like_count: 0,
    ...(comment.more.withheld !== true && { from: { id: comment.account, username } }),
    ...(above?.kind === 'comment' && { parent_id: above.id }),
    replies: (modifiers: Record<string, string>) =>
      edgeIn(
        `https://graph.instagram.com/v25.0/${comment.id}/replies`,
        commentsUnder(world, comment.id).toReversed(),
        modifiers,
        (one) => commentNode(world, one),
      ),
  }
}

/** The post that a comment or a reply to it stands under. */
function postOf(world: World, comment: SimulatedPost): SimulatedPost {
  const parent = world.post(comment.parent ?? '')
  return parent.kind === 'comment' ? postOf(world, parent) : parent
}

export function instagramInboxRoutes(world: World, facebook: World, both: Both, accountOf: AccountOf): Route[] {
  const own = (call: Call, ...rights: string[]): string => {
    const token = world.who(call, ...rights)
    const page = facebook.account(token.account)
    return page?.owns[0]?.id ?? token.account
  }
  return [
    ...both('GET', '{id}/comments', (call) => {
      const post = world.post(call.path.id ?? '')
      accountOf(call, post.account, ...commentRights)
      return listed(call, commentsUnder(world, post.id), (comment) => commentNode(world, comment))
    }),
    ...both('GET', '{id}/tags', (call) => {
      const account = accountOf(call, call.path.id ?? '', ...readRights)
      world.who(call, ...commentRights)
      return listed(
        call,
        world.live(({ kind, more }) => kind === 'tagged' && more.tags === account),
        (post) => ({
          id: post.id,
          caption: post.text,
          timestamp: graphTime(post.createdAt),
          permalink: post.permalink,
          username: world.account(post.account)?.handle,
          media_type: 'IMAGE',
          media_url: `https://instagram.simulated/media/${post.id}.jpg`,
        }),
      )
    }),
    // comments that are nodes of their own
    ...both('GET', '{id}', (call) => {
      const comment = world.posts.get(call.path.id ?? '')
      if (comment?.kind !== 'comment' || comment.deleted) return undefined
      accountOf(call, postOf(world, comment).account, ...commentRights)
      return { json: selected(fieldsAsked(call), commentNode(world, comment)) }
    }),
    ...both('GET', 'me/conversations', (call) => conversations(world, call, own(call, ...messageRights))),
    ...both('POST', 'me/messages', (call) => sendMessage(world, call, own(call, ...messageRights))),
    [
      'POST graph.instagram.com/{v}/me/subscribed_apps',
      (call) => {
        const token = world.who(call, ...readRights)
        const fields = call.text('subscribed_fields').split(',').filter(Boolean)
        if (fields.some((field) => field.startsWith('message'))) world.who(call, ...messageRights)
        world.pending.set(`subscription ${token.account} ${token.clientId}`, { fields })
        return { json: { success: true } }
      },
    ],
    [
      'DELETE graph.instagram.com/{v}/me/subscribed_apps',
      (call) => {
        const token = world.who(call, ...readRights)
        world.pending.delete(`subscription ${token.account} ${token.clientId}`)
        return { json: { success: true } }
      },
    ],
    ...both('GET', '{id}/replies', (call) => {
      const comment = world.post(call.path.id ?? '')
      accountOf(call, postOf(world, comment).account, ...commentRights)
      return listed(call, commentsUnder(world, comment.id).toReversed(), (reply) => commentNode(world, reply))
    }),
    ...both('POST', '{id}/mentions', (call) => {
      const account = accountOf(call, call.path.id ?? '', ...commentRights)
      const post = world.post(call.text('media_id'))
      // mentions in captions only: photos that tag an account take no comments by the API
      if (!post.text.includes(`@${world.account(account)?.handle}`))
        world.no('request', 'The account is not mentioned there.')
      const text = call.text('message')
      return { json: { id: world.publish({ account, kind: 'comment', text, parent: post.id }, call.now).id } }
    }),
    ...both('POST', '{id}/replies', (call) => {
      const comment = world.post(call.path.id ?? '')
      const account = accountOf(call, postOf(world, comment).account, ...commentRights)
      if (comment.kind !== 'comment') world.no('request', 'Only comments take replies.')
      if (call.text('message') === '') world.no('request', 'The parameter message is required.')
      // a reply to a reply stands below the comment that began it
      const above = world.post(comment.parent ?? '')
      const parent = above.kind === 'comment' ? above.id : comment.id
      return {
        json: { id: world.publish({ account, kind: 'comment', text: call.text('message'), parent }, call.now).id },
      }
    }),
    ...both('POST', '{id}', (call) => {
      const comment = world.posts.get(call.path.id ?? '')
      if (comment?.kind !== 'comment' || comment.deleted) return undefined
      accountOf(call, postOf(world, comment).account, ...commentRights)
      comment.more.hidden = call.text('hide') === 'true'
      return { json: { success: true } }
    }),
    ...both('DELETE', '{id}', (call) => {
      const comment = world.posts.get(call.path.id ?? '')
      if (comment?.kind !== 'comment' || comment.deleted) return undefined
      accountOf(call, postOf(world, comment).account, ...commentRights)
      comment.deleted = true
      return { json: { success: true } }
    }),
  ]
}

const messagesWith = (world: World, account: string, person: string): SimulatedPost[] =>
  world.live(({ kind, more }) => kind === 'message' && more.page === account && more.with === person)

function conversations(world: World, call: Call, account: string): Reply | undefined {
  if (call.text('platform') !== 'instagram') return undefined
  const only = call.text('user_id')
  // requests that nobody looked at for 30 days are not returned
  const all = world.live(
    ({ kind, more, createdAt }) =>
      kind === 'message' && more.page === account && (more.request !== true || call.now - createdAt < 30 * DAY),
  )
  const people = [...new Set(all.map(({ more }) => String(more.with)))]
  const who = (id: string): Record<string, unknown> => ({ id, username: world.account(id)?.handle ?? 'someone' })
  return listed(
    call,
    people.filter((person) => only === '' || person === only),
    (person) => {
      const messages = messagesWith(world, account, person)
      const id = `aWdfZAG06${seedOf(`${account} ${person}`)}`
      return {
        id,
        updated_time: graphTime(messages[0]?.createdAt ?? 0),
        participants: { data: [who(account), who(person)] },
        messages: ({ limit = '25', after = '0' }: Record<string, string>) =>
          edgeIn(
            `https://graph.instagram.com/v25.0/${id}/messages`,
            messages,
            { limit: String(Math.min(Number(limit), 20)), after },
            (message) => messageNode(message, who(message.account)),
          ),
      }
    },
  )
}

function sendMessage(world: World, call: Call, account: string): Reply | undefined {
  const recipient = objectIn(call, 'recipient')
  const person = typeof recipient.id === 'string' ? recipient.id : ''
  const theirs = messagesWith(world, account, person).find((one) => one.account === person)
  if (!theirs)
    return world.account(person) === undefined ? undefined : graphError(100, 2_018_001, '(#100) No matching user found')
  if (call.text('sender_action') !== '') {
    const { message_id: id } = objectIn(call, 'payload')
    const message = messagesWith(world, account, person).find((one) => one.id === id)
    if (!message) return graphError(100, 2_018_001, '(#100) No such message')
    message.more.reaction = call.text('sender_action').toLowerCase() === 'react'
    return { json: { recipient_id: person } }
  }
  const text = objectIn(call, 'message').text
  if (typeof text === 'string' && Buffer.byteLength(text) > 1000)
    return graphError(100, undefined, '(#100) Length of param message[text] must be less than or equal to 1000')
  return windowRefusal(call, theirs) ?? sent(world, call, { page: account, person }, `aWdfZAG1f${world.nextId()}`)
}

/** Calls of comment moderation by Instagram's own sign-in, which no description holds (Instagram Platform, comment moderation). */
const commentCall = { platforms: ['instagram'], host: /^graph\.instagram\.com$/, token: 'bearer' } as const
export const commentRules: readonly HandRule[] = [
  {
    ...commentCall,
    method: 'POST',
    path: /^\/v\d+\.\d+\/\d+$/,
    with: 'hide',
    params: z.strictObject({ hide: z.enum(['true', 'false']) }),
  },
  { ...commentCall, method: 'DELETE', path: /^\/v\d+\.\d+\/\d+$/, params: z.strictObject({}) },
  {
    ...commentCall,
    method: 'POST',
    path: /^\/v\d+\.\d+\/\d+\/replies$/,
    params: z.strictObject({ message: z.string().min(1) }),
  },
  {
    ...commentCall,
    method: 'GET',
    path: /^\/v\d+\.\d+\/\d+\/replies$/,
    params: z.strictObject({ fields: z.string(), limit: z.string().optional(), after: z.string().optional() }),
  },
]
