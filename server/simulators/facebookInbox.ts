import { edgeIn, parseFields, selected, type Field } from './graphFields.ts'
import { graphError, graphTime } from './graphParts.ts'
import { nodeOf, pageOfCall } from './facebookPage.ts'
import {
  Refused,
  seedOf,
  type Call,
  type Reply,
  type Route,
  type SimulatedPost,
  type Token,
  type World,
} from './world.ts'

/*
 * What people write to Pages: comments, posts of visitors, posts that tag a Page, and Messenger. People write by
 * `world.publish`: a comment has a parent, the others have the Page in `more.page`.
 */

const graph = 'graph.facebook.com/{v}'
const DAY = 24 * 3_600_000

/** What was asked for; a syntax error is answered as the Graph does. */
export function fieldsAsked(call: Call): Field[] {
  try {
    return parseFields(call.text('fields') || 'id')
  } catch (error) {
    throw new Refused(graphError(2500, undefined, String(error)))
  }
}

/** The Page that the token is for: only that one's people are shown. */
const contentRights = ['pages_read_user_content']

export function commentsOf(world: World, post: SimulatedPost): SimulatedPost[] {
  const under = (id: string): boolean => {
    const parent = world.posts.get(id)?.parent ?? null
    return parent !== null && (parent === post.id || under(parent))
  }
  return world.live(({ kind, id }) => kind === 'comment' && under(id)).toSorted((a, b) => b.createdAt - a.createdAt)
}

/** A post with its comments as an edge. Who wrote them is withheld without the right to read what people write. */
export function withComments(
  world: World,
  token: Token,
  post: SimulatedPost,
  node: Record<string, unknown>,
): Record<string, unknown> {
  const { comments: counted } = node
  return {
    ...node,
    comments: (modifiers: Record<string, string>) => {
      if (modifiers.summary !== undefined) return counted
      if (modifiers.filter !== 'stream' || modifiers.order !== 'reverse_chronological')
        world.no('request', 'The simulator lists comments as a stream, newest first.')
      return edgeIn(`https://graph.facebook.com/v25.0/${post.id}/comments`, commentsOf(world, post), modifiers, (one) =>
        commentNode(world, token, one),
      )
    },
  }
}

export function commentNode(world: World, token: Token, comment: SimulatedPost): Record<string, unknown> {
  const parent = comment.parent === null ? undefined : world.posts.get(comment.parent)
  const above = parent?.kind === 'comment' ? parent : undefined
  const higher = above?.parent ? world.posts.get(above.parent) : undefined
  const isShown = comment.account === token.account || token.scopes.some((right) => contentRights.includes(right))
  return {
    id: comment.id,
    message: comment.text,
    created_time: graphTime(comment.createdAt),
    is_hidden: comment.more.hidden === true,
    permalink_url: `https://www.facebook.com/${comment.id}`,
    comment_count: world.live(({ parent: of }) => of === comment.id).length,
    user_likes: comment.more.liked === true,
    ...(isShown && { from: { id: comment.account, name: world.account(comment.account)?.name ?? 'Someone' } }),
    ...(above && {
      parent: { id: above.id, ...(higher?.kind === 'comment' && { parent: { id: higher.id } }) },
    }),
    ...(typeof comment.more.picture === 'string' && {
      attachment: { type: 'photo', url: comment.more.picture, media: { image: { src: comment.more.picture } } },
    }),
  }
}

export function facebookInboxRoutes(world: World): Route[] {
  return [
    ...(['visitor_posts', 'tagged'] as const).map((edge): Route => [
      `GET ${graph}/{id}/${edge}`,
      (call) => {
        const { page, token } = pageOfCall(world, call, ...contentRights)
        const posts = world.live(({ kind, more }) => kind === edge && more.page === page)
        return listed(call, posts, (post) =>
          withComments(world, token, post, {
            id: post.id,
            message: post.text,
            created_time: graphTime(post.createdAt),
            permalink_url: post.permalink,
            from: { id: post.account, name: world.account(post.account)?.name ?? 'Someone' },
          }),
        )
      },
    ]),
    [`GET ${graph}/{id}/conversations`, (call) => conversations(world, call)],
    [`POST ${graph}/{id}/messages`, (call) => sendMessage(world, call)],
    [`POST ${graph}/{id}/likes`, (call) => like(world, call, true)],
    [`DELETE ${graph}/{id}/likes`, (call) => like(world, call, false)],
    [`POST ${graph}/{id}`, (call) => changeComment(world, call)],
    [
      `DELETE ${graph}/{id}`,
      (call) => {
        const found = commentOfCall(world, call)
        if (!found) return undefined
        if (!found.isOurs && !found.isUnderOurs)
          world.no('scope', 'Only comments on posts of this Page can be deleted.')
        found.comment.deleted = true
        return { json: { success: true } }
      },
    ],
    [`GET ${graph}/{id}/subscribed_apps`, (call) => subscriptions(world, call)],
    [
      `POST ${graph}/{id}/subscribed_apps`,
      (call) => {
        const { page, token } = pageOfCall(world, call, 'pages_manage_metadata')
        const fields = call.text('subscribed_fields').split(',').filter(Boolean)
        if (fields.length === 0) world.no('request', 'The parameter subscribed_fields is required.')
        if (fields.some((field) => field.startsWith('message'))) world.who(call, 'pages_messaging')
        world.pending.set(subscriptionOf(page, token.clientId), { app: token.clientId, page, fields })
        return { json: { success: true } }
      },
    ],
    [
      `DELETE ${graph}/{id}/subscribed_apps`,
      (call) => {
        const { page, token } = pageOfCall(world, call, 'pages_manage_metadata')
        world.pending.delete(subscriptionOf(page, token.clientId))
        return { json: { success: true } }
      },
    ],
  ]
}

/** A comment that a call changes, and what the Page is to it. */
function commentOfCall(world: World, call: Call) {
  const comment = world.posts.get(call.path.id ?? '')
  if (comment?.kind !== 'comment' || comment.deleted) return undefined
  const token = world.who(call, 'pages_manage_engagement')
  if (token.kind !== 'page') world.no('scope', 'A Page access token is required.')
  let root = comment
  while (root.parent !== null) root = world.post(root.parent)
  const isUnderOurs = root.account === token.account || root.more.page === token.account
  return { comment, isOurs: comment.account === token.account, isUnderOurs }
}

function changeComment(world: World, call: Call): Reply | undefined {
  const found = commentOfCall(world, call)
  if (!found) return undefined
  const { comment, isOurs, isUnderOurs } = found
  if (call.text('is_hidden') !== '') {
    if (isOurs || !isUnderOurs) world.no('scope', "Only comments of others on this Page's posts can be hidden.")
    comment.more.hidden = call.text('is_hidden') === 'true'
  }
  if (call.text('message') !== '') {
    if (!isOurs) world.no('scope', 'Only its author can change a comment.')
    comment.text = call.text('message')
  }
  return { json: { success: true } }
}

const subscriptionOf = (page: string, app: string): string => `subscription ${page} ${app}`

/** The fields that an app is subscribed to for a Page; none where it isn't. */
export const subscribedFields = (world: World, page: string, app: string): string[] => {
  const found = world.pending.get(subscriptionOf(page, app))
  return Array.isArray(found?.fields) ? found.fields.map(String) : []
}

function subscriptions(world: World, call: Call): Reply {
  const { page, token } = pageOfCall(world, call, 'pages_manage_metadata')
  const fields = subscribedFields(world, page, token.clientId)
  return { json: { data: fields.length === 0 ? [] : [{ id: token.clientId, subscribed_fields: fields }] } }
}

/** A page of an edge with fields inside of fields. */
export function listed<T>(call: Call, items: readonly T[], node: (item: T) => Record<string, unknown>): Reply {
  const fields = fieldsAsked(call)
  const address = new URL(call.url)
  for (const name of ['limit', 'after']) address.searchParams.delete(name)
  const limit = String(Math.min(Number(call.text('limit')) || 25, 100))
  const modifiers = { limit, after: call.text('after') || '0' }
  return { json: edgeIn(address.href, items, modifiers, (item) => selected(fields, node(item))) }
}

/** Messages between a Page and one person, newest first. */
function messagesWith(world: World, page: string, person: string): SimulatedPost[] {
  return world.live(({ kind, more }) => kind === 'message' && more.page === page && more.with === person)
}

function conversations(world: World, call: Call): Reply | undefined {
  if (call.text('platform') === 'instagram') return undefined
  const { page } = pageOfCall(world, call, 'pages_messaging')
  const only = call.text('user_id')
  const people = new Set(
    world.live(({ kind, more }) => kind === 'message' && more.page === page).map(({ more }) => String(more.with)),
  )
  const name = (id: string): string => world.account(id)?.name ?? 'Someone'
  return listed(
    call,
    [...people].filter((person) => only === '' || person === only),
    (person) => {
      const messages = messagesWith(world, page, person)
      return {
        id: threadOf(page, person),
        link: `/${page}/inbox/${person}/`,
        updated_time: graphTime(messages[0]?.createdAt ?? 0),
        participants: {
          data: [person, page].map((id) => ({ id, name: name(id), email: `${id}@facebook.com` })),
        },
        // no more than the newest 20 can be read
        messages: ({ limit = '25', after = '0' }: Record<string, string>) =>
          edgeIn(
            `https://graph.facebook.com/v25.0/${threadOf(page, person)}/messages`,
            messages,
            { limit: String(Math.min(Number(limit), 20)), after },
            (message) => messageNode(message, { id: message.account, name: name(message.account) }),
          ),
      }
    },
  )
}

const threadOf = (page: string, person: string): string => `t_${seedOf(`${page} ${person}`)}`

export const messageNode = (message: SimulatedPost, from: Record<string, unknown>): Record<string, unknown> => ({
  id: message.id,
  created_time: graphTime(message.createdAt),
  from,
  message: message.text,
  ...(typeof message.more.picture === 'string' && {
    attachments: {
      data: [
        {
          id: `${message.id}0`,
          mime_type: 'image/jpeg',
          name: 'picture.jpg',
          image_data: { url: message.more.picture },
        },
      ],
    },
  }),
})

/** A field that is an object: JSON in a form. */
export function objectIn(call: Call, name: string): Record<string, unknown> {
  const given = call.fields[name]
  const value: unknown = typeof given === 'string' ? JSON.parse(given || '{}') : given
  // what isn't an object has no names
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function sendMessage(world: World, call: Call): Reply | undefined {
  const recipient = objectIn(call, 'recipient')
  const { page } = pageOfCall(world, call, 'pages_messaging')
  const person = typeof recipient.id === 'string' ? recipient.id : ''
  const theirs = messagesWith(world, page, person).find(({ account }) => account === person)
  // Send API, error codes: 100/2018001 for nobody who ever wrote
  if (!theirs) return graphError(100, 2_018_001, '(#100) No matching user found')
  const action = call.text('sender_action')
  if (action !== '') {
    const { message_id: id } = objectIn(call, 'payload')
    const message = messagesWith(world, page, person).find((one) => one.id === id)
    if (!message) return graphError(100, 2_018_001, '(#100) No such message')
    message.more.reaction = action.toLowerCase() === 'react'
    return { json: { recipient_id: person } }
  }
  return (
    windowRefusal(call, theirs) ??
    sent(world, call, { page, person }, `m_${seedOf(`${page}${world.nextId()}`)}${world.nextId()}`)
  )
}

/** Messages may be answered for 24 hours, and for 7 days by a person with the tag HUMAN_AGENT. */
export function windowRefusal(call: Call, theirs: SimulatedPost): Reply | undefined {
  const age = call.now - theirs.createdAt
  const isTagged = call.text('messaging_type') === 'MESSAGE_TAG'
  if (isTagged ? call.text('tag') === 'HUMAN_AGENT' && age <= 7 * DAY : age <= DAY) return undefined
  return graphError(10, 2_018_278, '(#10) This message is sent outside of allowed window.', 403)
}

/** What was sent stands in the conversation. */
export function sent(world: World, call: Call, { page, person }: { page: string; person: string }, id: string): Reply {
  const message = objectIn(call, 'message')
  const { attachment } = message
  // parsed JSON; an attachment is an object
  const payload = (attachment as { payload?: { url?: string } } | undefined)?.payload
  const text = typeof message.text === 'string' ? message.text : ''
  if (text === '' && payload?.url === undefined)
    return graphError(100, 2_018_032, '(#100) Message cannot be empty, must provide valid attachment or text')
  if (text.length > 2000)
    return graphError(100, undefined, '(#100) Length of param message[text] must be less than or equal to 2000')
  world.publish(
    {
      id,
      account: page,
      kind: 'message',
      text,
      more: { page, with: person, ...(payload?.url !== undefined && { picture: payload.url }) },
    },
    call.now,
  )
  return { json: { recipient_id: person, message_id: id } }
}

function like(world: World, call: Call, liked: boolean): Reply {
  const token = world.who(call, 'pages_manage_engagement')
  if (token.kind !== 'page') world.no('scope', 'A Page access token is required.')
  nodeOf(world, call.path.id ?? '').more.liked = liked
  return { json: { success: true } }
}
