import { z } from 'zod'
import { pageOf, sizeOf, type Call, type Reply, type Route, type SimulatedPost, type World } from './world.ts'

/*
 * LinkedIn's comments, one level of replies, reactions, and what happened to a Page. A comment is a post of kind `comment`
 * whose parent is the post, or the comment that it answers: `more.editedAt`, `more.deletedAt` in milliseconds. The switch
 * `nameless` refuses who wrote them, as to some apps.
 */

const rest = 'api.linkedin.com/rest'
const at = `${rest}/socialActions/{urn}/comments`
const TEXT_MOST = 1250
const Written = z.object({
  actor: z.string(),
  parentComment: z.string().optional(),
  message: z.object({ text: z.string() }),
})
const Change = z.object({ patch: z.object({ message: z.object({ $set: z.object({ text: z.string() }) }) }) })
const Reaction = z.object({ root: z.string(), reactionType: z.string() })

type Author = (world: World, call: Call, urn: string) => string

export function comments(world: World, author: Author): Route[] {
  /** Actor and what they reacted to, with the kind of reaction. */
  const reactions = new Map<string, string>()
  const isComment = ({ kind }: SimulatedPost): boolean => kind === 'comment'
  /** By its name, `urn:li:comment:(post,id)`, or its id. */
  const commentAt = (urn: string): SimulatedPost | undefined => {
    const id = /(\d+)\)?$/.exec(urn)?.[1] ?? urn
    const found = world.find(id)
    return found && isComment(found) ? found : undefined
  }
  const postOf = (comment: SimulatedPost): string => commentAt(comment.parent ?? '')?.parent ?? comment.parent ?? ''
  const urnOf = (comment: SimulatedPost): string => `urn:li:comment:(${postOf(comment)},${comment.id})`
  /** What is commented on: a post or a comment. */
  const target = (urn: string): SimulatedPost =>
    urn.startsWith('urn:li:comment:') ? (commentAt(urn) ?? world.no('missing', 'Not found')) : world.post(urn)
  const below = (one: SimulatedPost): SimulatedPost[] => world.live((post) => isComment(post) && post.parent === one.id)

  const shown = (comment: SimulatedPost, isNamed: boolean): Record<string, unknown> => {
    const parent = commentAt(comment.parent ?? '')
    const changed = Number(comment.more.editedAt ?? comment.createdAt)
    return {
      id: comment.id,
      commentUrn: urnOf(comment),
      $URN: urnOf(comment),
      actor: comment.account,
      ...(isNamed && { 'actor~': named(comment.account) }),
      object: postOf(comment),
      ...(parent && { parentComment: urnOf(parent) }),
      message: { text: comment.text, attributes: [] },
      created: { actor: comment.account, time: comment.createdAt },
      lastModified: { actor: comment.account, time: changed },
      commentsSummary: {
        totalFirstLevelComments: below(comment).length,
        aggregatedTotalComments: below(comment).length,
      },
      likesSummary: { totalLikes: 0, aggregatedTotalLikes: 0, likedByCurrentUser: false, selectedLikes: [] },
    }
  }
  const named = (urn: string): Record<string, unknown> => {
    const [, kind, id = ''] = /^urn:li:(\w+):(.+)$/.exec(urn) ?? []
    const one = world.account(id)
    if (!one) return {}
    const [first = '', ...others] = one.name.split(' ')
    return kind === 'organization'
      ? { localizedName: one.name, vanityName: one.handle }
      : {
          localizedFirstName: first,
          localizedLastName: others.join(' '),
          vanityName: one.handle,
          profilePicture: { 'displayImage~': { elements: [{ identifiers: [{ identifier: one.picture }] }] } },
        }
  }
  const textIn = (text: string): string => {
    if (text.trim() === '') world.no('request', 'message.text is empty.')
    if (Array.from(text).length > TEXT_MOST) world.no('request', 'COMMENT_LENGTH_TOO_LONG')
    return text
  }

  return [
    [
      `POST ${at}`,
      (call) => {
        const { actor, parentComment, message } = Written.parse(call.body.value)
        const on = target(call.path.urn ?? '')
        if (isComment(on) && commentAt(on.parent ?? '')) world.no('request', 'Replies to replies are not supported.')
        if (isComment(on) !== (parentComment !== undefined)) world.no('request', 'parentComment does not fit.')
        const text = textIn(message.text)
        const by = author(world, call, actor)
        const comment = world.publish({ account: by, kind: 'comment', text, parent: on.id }, call.now)
        return { status: 201, headers: { 'x-restli-id': comment.id }, json: shown(comment, false) }
      },
    ],
    [
      `GET ${at}`,
      (call) => {
        world.who(call, 'r_organization_social_feed', 'r_organization_social', 'r_member_social')
        const isNamed = call.text('projection').includes('actor~')
        if (isNamed && world.switches.has('nameless')) world.no('scope', 'Not enough permissions to access: actor~')
        const all = below(target(call.path.urn ?? ''))
        const count = sizeOf(call, 'count', { usual: 10, most: 100 })
        const { items } = pageOf(all, count, call.text('start'))
        const start = Number(call.text('start')) || 0
        return {
          json: {
            elements: items.map((one) => shown(one, isNamed)),
            paging: { start, count, total: all.length, links: [] },
          },
        }
      },
    ],
    [
      `POST ${at}/{comment}`,
      (call) => {
        const comment = commentAt(call.path.comment ?? '') ?? world.no('missing', 'Not found')
        const { text } = Change.parse(call.body.value).patch.message.$set
        if (author(world, call, call.text('actor')) !== comment.account) world.no('scope', 'Not your comment.')
        comment.text = textIn(text)
        comment.more.editedAt = call.now
        return { status: 204 }
      },
    ],
    [
      `DELETE ${at}/{comment}`,
      (call) => {
        const comment = commentAt(call.path.comment ?? '') ?? world.no('missing', 'Not found')
        const by = author(world, call, call.text('actor') || comment.account)
        // a Page may delete what others wrote below its posts
        if (by !== comment.account && world.post(postOf(comment)).account !== by) world.no('scope', 'Not your comment.')
        deleteComment(world, comment, call.now)
        return { status: 204 }
      },
    ],
    [
      `POST ${rest}/reactions`,
      (call): Reply => {
        const { root, reactionType } = Reaction.parse(call.body.value)
        const key = `${author(world, call, call.text('actor'))} ${target(root).id}`
        if (reactions.has(key))
          return { status: 409, json: { status: 409, code: 'CONFLICT', message: 'A reaction exists.' } }
        reactions.set(key, reactionType)
        return { status: 201, headers: { 'x-restli-id': 'urn:li:reaction:(simulated)' } }
      },
    ],
    [
      `DELETE ${rest}/reactions/{key}`,
      (call): Reply => {
        const [, actor = '', entity = ''] = /^\(actor:(.+),entity:(.+)\)$/.exec(call.path.key ?? '') ?? []
        const key = `${author(world, call, decodeURIComponent(actor))} ${target(decodeURIComponent(entity)).id}`
        if (!reactions.delete(key)) world.no('missing', 'Not found')
        return { status: 204 }
      },
    ],
    [
      `GET ${rest}/organizationalEntityNotifications`,
      (call) => {
        world.who(call, 'rw_organization_admin')
        const page = call.text('organizationalEntity')
        const [, from = '0', to = '0'] = /^\(start:(\d+),end:(\d+)\)$/.exec(call.text('timeRange')) ?? []
        const wanted = call
          .text('actions')
          .replace(/^List\((.*)\)$/, '$1')
          .split(',')
        const notes = [...world.posts.values()]
          .flatMap((post) => (isComment(post) ? noted(post, page) : mentioned(post, page)))
          .filter(
            ({ action, lastModifiedAt: when }) => wanted.includes(action) && when >= Number(from) && when <= Number(to),
          )
          .toSorted((a, b) => b.lastModifiedAt - a.lastModifiedAt)
        const count = sizeOf(call, 'count', { usual: 10, most: 100 })
        const { items } = pageOf(notes, count, call.text('start'))
        return { json: { elements: items, paging: { start: Number(call.text('start')) || 0, count, links: [] } } }
      },
    ],
  ]

  function noted(comment: SimulatedPost, page: string): Note[] {
    const post = world.posts.get(postOfAny(comment))
    if (post?.account !== page) return []
    const { editedAt, deletedAt } = comment.more
    const generatedActivity = `urn:li:comment:(${post.id},${comment.id})`
    const note = (action: string, lastModifiedAt: number): Note => ({
      organizationalEntity: page,
      action,
      sourcePost: post.id,
      decoratedSourcePost: { entity: post.id, owner: post.account, text: post.text, mediaCategory: 'NONE' },
      generatedActivity,
      decoratedGeneratedActivity: {
        comment: { entity: generatedActivity, owner: comment.account, text: comment.text, mediaCategory: 'NONE' },
      },
      lastModifiedAt,
    })
    return [
      note(comment.account === page ? 'ADMIN_COMMENT' : 'COMMENT', comment.createdAt),
      ...(typeof editedAt === 'number' ? [note('COMMENT_EDIT', editedAt)] : []),
      ...(typeof deletedAt === 'number' ? [note('COMMENT_DELETE', deletedAt)] : []),
    ]
  }

  /** Also of comments that are gone. */
  function postOfAny(comment: SimulatedPost): string {
    const parent = world.posts.get(comment.parent ?? '')
    return parent && isComment(parent) ? (parent.parent ?? '') : (comment.parent ?? '')
  }
}

type Note = { action: string; lastModifiedAt: number } & Record<string, unknown>

/** A post of someone that names the Page. */
function mentioned(post: SimulatedPost, page: string): Note[] {
  if (post.deleted || post.account === page || !post.text.includes(`(${page})`)) return []
  const share = { entity: post.id, owner: post.account, text: post.text, mediaCategory: 'NONE' }
  return [
    {
      organizationalEntity: page,
      action: 'SHARE_MENTION',
      sourcePost: post.id,
      generatedActivity: post.id,
      decoratedGeneratedActivity: { share },
      lastModifiedAt: post.createdAt,
    },
  ]
}

/** Someone deletes a comment, and with it what answers it. */
export function deleteComment(world: World, comment: SimulatedPost, now: number): void {
  for (const one of [comment, ...world.live((post) => post.kind === 'comment' && post.parent === comment.id)]) {
    one.deleted = true
    one.more.deletedAt = now
  }
}
