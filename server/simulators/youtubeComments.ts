import { z } from 'zod'
import { googleError } from './google.ts'
import { pageOf, sizeOf, type Call, type Reply, type Route, type SimulatedPost, type World } from './world.ts'

/*
 * YouTube's comments: threads under videos, one level of replies, what is held for review. A comment's `more.status` is one of
 * moderationStatus, published without it. The switch `comments off` closes them under every
 * video, `more.commentsOff` under one.
 */

const SCOPE = 'https://www.googleapis.com/auth/youtube.force-ssl'
const TEXT_MOST = 10_000
/** Replies that a thread brings along. */
const ALONG = 5
const states = ['published', 'heldForReview', 'likelySpam', 'rejected'] as const
type State = (typeof states)[number]

type On = (method: string, path: string, answer: Route[1]) => Route[]

const NewThread = z.object({
  snippet: z.object({
    videoId: z.string(),
    topLevelComment: z.object({ snippet: z.object({ textOriginal: z.string() }) }),
  }),
})
const NewReply = z.object({ snippet: z.object({ parentId: z.string(), textOriginal: z.string() }) })
const Change = z.object({ id: z.string(), snippet: z.object({ textOriginal: z.string() }) })

const stateOf = ({ more }: SimulatedPost): State => states.find((one) => one === more.status) ?? 'published'
const isComment = ({ kind }: SimulatedPost): boolean => kind === 'comment'
const missing = (reason: string): Reply => googleError(404, reason, 'The comment could not be found.', 'NOT_FOUND')
const forbidden = (): Reply =>
  googleError(403, 'forbidden', 'The request might not be properly authorized.', 'PERMISSION_DENIED')

export function comments(world: World, on: On): Route[] {
  const findOf = (kind: string, id: string | null): SimulatedPost | undefined => {
    const found = id === null ? undefined : world.find(id)
    return found?.kind === kind ? found : undefined
  }
  const find = (id: string): SimulatedPost | undefined => findOf('comment', id)
  const topOf = (comment: SimulatedPost): SimulatedPost => find(comment.parent ?? '') ?? comment
  /** The video that a comment is under. */
  const videoOf = (comment: SimulatedPost): SimulatedPost | undefined => findOf('video', topOf(comment).parent)
  const repliesTo = (id: string): SimulatedPost[] => world.live((post) => isComment(post) && post.parent === id)

  /** Even plain text isn't what was written: links to videos become their titles (discovery document, CommentSnippet). */
  const displayed = (text: string): string =>
    text.replaceAll(
      /https?:\/\/(?:www\.youtube\.com\/watch\?v=|youtu\.be\/)([\w-]+)/g,
      (link, id: string) =>
        z.object({ snippet: z.object({ title: z.string() }) }).safeParse(world.find(id)?.more).data?.snippet.title ??
        link,
    )

  const show = (comment: SimulatedPost, viewer: string, byId = false): Record<string, unknown> => {
    const person = world.account(comment.account)
    const video = videoOf(comment)
    const parent = find(comment.parent ?? '')
    const handle = `@${person?.handle ?? 'someone'}`
    return {
      kind: 'youtube#comment',
      etag: 'simulated',
      id: comment.id,
      snippet: {
        ...(comment.account === viewer && { textOriginal: comment.text }),
        textDisplay: displayed(comment.text),
        ...(video && { videoId: video.id, channelId: video.account }),
        ...(parent && { parentId: parent.id }),
        authorDisplayName: handle,
        authorProfileImageUrl: person?.picture ?? '',
        authorChannelUrl: `http://www.youtube.com/${handle}`,
        authorChannelId: { value: comment.account },
        canRate: true,
        viewerRating: 'none',
        likeCount: 0,
        ...(video?.account === viewer && !byId && { moderationStatus: stateOf(comment) }),
        publishedAt: new Date(comment.createdAt).toISOString(),
        updatedAt: new Date(Number(comment.more.updatedAt ?? comment.createdAt)).toISOString(),
      },
    }
  }
  const thread = (top: SimulatedPost, viewer: string, state: State, parts: readonly string[]) => {
    const all = repliesTo(top.id).filter((one) => state !== 'published' || stateOf(one) === 'published')
    return {
      kind: 'youtube#commentThread',
      etag: 'simulated',
      id: top.id,
      snippet: {
        channelId: videoOf(top)?.account ?? '',
        videoId: top.parent ?? '',
        topLevelComment: show(top, viewer),
        canReply: true,
        totalReplyCount: all.length,
        isPublic: stateOf(top) === 'published',
      },
      ...(parts.includes('replies') &&
        all.length > 0 && { replies: { comments: all.slice(0, ALONG).map((one) => show(one, viewer)) } }),
    }
  }
  const write = (call: Call, of: Pick<SimulatedPost, 'account' | 'text'> & { id: string; parent: string }) =>
    world.publish({ ...of, kind: 'comment' }, call.now)
  const wrongText = (text: string): Reply | undefined => {
    if (text.trim() === '') return googleError(400, 'commentTextRequired', 'Comments cannot be empty.')
    return Array.from(text).length > TEXT_MOST
      ? googleError(400, 'commentTextTooLong', 'The comment has too many characters.')
      : undefined
  }
  const closed = (video: SimulatedPost | undefined): Reply | undefined => {
    if (!video) return googleError(404, 'videoNotFound', 'The video could not be found.', 'NOT_FOUND')
    return world.switches.has('comments off') || video.more.commentsOff === true
      ? googleError(403, 'commentsDisabled', 'The video has disabled comments.', 'PERMISSION_DENIED')
      : undefined
  }

  return [
    ...on('POST', '/youtube/v3/commentThreads', (call) => {
      const { account } = world.who(call, SCOPE)
      const { videoId, topLevelComment } = NewThread.parse(call.body.value).snippet
      const video = world.post(videoId)
      const text = topLevelComment.snippet.textOriginal
      const wrong = closed(video) ?? wrongText(text)
      if (wrong) return wrong
      const status = z.object({ privacyStatus: z.string() }).safeParse(video.more.status).data
      if (status?.privacyStatus === 'private') return forbidden()
      const comment = write(call, { id: `Ug${world.nextId()}`, account, text, parent: video.id })
      return { json: thread(comment, account, 'published', ['snippet']) }
    }),
    ...on('GET', '/youtube/v3/commentThreads', (call) => {
      const { account } = world.who(call, SCOPE)
      const channel = call.text('allThreadsRelatedToChannelId')
      const state = states.find((one) => one === (call.text('moderationStatus') || 'published')) ?? 'published'
      if (state === 'rejected') world.no('request', 'rejected is not a filter.')
      const video = call.text('videoId')
      if (!channel && !video) return googleError(400, 'missingRequiredParameter', 'No filter selected.')
      if (channel && channel !== account) return forbidden()
      if (video) {
        const wrong = closed(world.post(video))
        if (wrong) return wrong
      }
      const page = call.text('pageToken')
      if (page !== '' && !/^\d+$/.test(page))
        return googleError(400, 'invalidPageToken', 'The request specifies an invalid page token.')
      const isHeld = (one: SimulatedPost): boolean => stateOf(one) === state
      const tops = world.live((post) => {
        if (!isComment(post) || find(post.parent ?? '') !== undefined) return false
        const about = videoOf(post)
        if (!about || (video ? about.id !== video : about.account !== channel)) return false
        return isHeld(post) || (state !== 'published' && repliesTo(post.id).some(isHeld))
      })
      const newest = tops.toSorted((a, b) => b.createdAt - a.createdAt)
      const { items, next } = pageOf(newest, sizeOf(call, 'maxResults', { usual: 20, most: 100 }), page)
      const parts = call.text('part').split(',')
      return listed(
        'commentThread',
        items.map((one) => thread(one, account, state, parts)),
        next,
      )
    }),
    ...on('GET', '/youtube/v3/comments', (call) => {
      const { account } = world.who(call, SCOPE)
      const ids = call.text('id').split(',').filter(Boolean)
      if (ids.length > 0) {
        if (call.text('maxResults')) world.no('request', 'maxResults is not supported with id.')
        return listed(
          'comment',
          ids.flatMap((id) => {
            const one = find(id)
            return one && stateOf(one) !== 'rejected' ? [show(one, account, true)] : []
          }),
        )
      }
      const top = find(call.text('parentId'))
      if (!top) return missing('commentNotFound')
      const { items, next } = pageOf(
        repliesTo(top.id).filter((one) => stateOf(one) === 'published'),
        sizeOf(call, 'maxResults', { usual: 20, most: 100 }),
        call.text('pageToken'),
      )
      return listed(
        'comment',
        items.map((one) => show(one, account)),
        next,
      )
    }),
    ...on('POST', '/youtube/v3/comments', (call) => {
      const { account } = world.who(call, SCOPE)
      const { parentId, textOriginal: text } = NewReply.parse(call.body.value).snippet
      const top = find(parentId)
      if (!top) return missing('parentCommentNotFound')
      const wrong = closed(videoOf(top)) ?? wrongText(text)
      if (wrong) return wrong
      if (top.parent !== null && find(top.parent))
        return googleError(400, 'operationNotSupported', 'Replies to replies are not supported.')
      return {
        json: show(write(call, { id: `${top.id}.${world.nextId()}`, account, text, parent: top.id }), account),
      }
    }),
    ...on('PUT', '/youtube/v3/comments', (call) => {
      const { account } = world.who(call, SCOPE)
      const { id, snippet } = Change.parse(call.body.value)
      const comment = find(id)
      if (!comment) return missing('commentNotFound')
      if (comment.account !== account) return forbidden()
      const wrong = wrongText(snippet.textOriginal)
      if (wrong) return wrong
      comment.text = snippet.textOriginal
      comment.more.updatedAt = call.now
      return { json: show(comment, account) }
    }),
    ...on('DELETE', '/youtube/v3/comments', (call) => {
      const { account } = world.who(call, SCOPE)
      const comment = find(call.text('id'))
      if (!comment) return missing('commentNotFound')
      if (comment.account !== account) return forbidden()
      for (const one of [comment, ...repliesTo(comment.id)]) one.deleted = true
      return { status: 204 }
    }),
    ...on('POST', '/youtube/v3/comments/setModerationStatus', (call) => {
      const { account } = world.who(call, SCOPE)
      const state = states.find((one) => one === call.text('moderationStatus'))
      if (state === undefined || state === 'likelySpam')
        return googleError(400, 'operationNotSupported', 'This status cannot be set.')
      if (call.text('banAuthor') === 'true' && state !== 'rejected')
        return googleError(400, 'banWithoutReject', 'Only authors of rejected comments can be banned.')
      const found = call
        .text('id')
        .split(',')
        .map((id) => find(id))
      if (found.some((one) => one === undefined)) return missing('commentNotFound')
      for (const one of found) {
        if (!one || videoOf(one)?.account !== account) return forbidden()
        one.more.status = state
      }
      return { status: 204 }
    }),
  ]
}

const listed = (kind: string, items: unknown[], next?: string): Reply => ({
  json: {
    kind: `youtube#${kind}ListResponse`,
    etag: 'simulated',
    items,
    pageInfo: { totalResults: items.length, resultsPerPage: items.length },
    ...(next && { nextPageToken: next }),
  },
})
