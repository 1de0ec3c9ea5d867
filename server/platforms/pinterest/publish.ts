import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { foundAs, lookBack } from '../lookBack.ts'
import type { MediaFile, Outgoing, Publish, Refusal, ReconcileAnswer } from '../platform.ts'
import { both, isText } from '../alterations.ts'
import { reconciledAs } from '../findSent.ts'
import { call, isGone, pageOf, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { needsPrepare, prepare, videoOf } from './prepare.ts'
import { refusalOf, unclear } from './refusals.ts'
import { Made, Nothing, Pin, Prepared } from './schemas.ts'

const SEND_TIMEOUT_MS = 60_000
const CHANGE_TIMEOUT_MS = 20_000
/**
 * How many pages of the board one search may read: the order isn't guaranteed, so the newest Pin needn't be on the
 * first.
 */
const PAGES = 10

const boardGone = because('pinterest-board-gone')
const posting = { doing: 'publish-pin', irreversible: true, gone: boardGone } as const
const changing = { doing: 'change-pin', irreversible: false, gone: because('pinterest-pin-gone') } as const
const noBoard: Refusal = { kind: 'rejected', reason: { ...because('pinterest-no-board'), platformCode: 'no-board' } }
const noMedia: Refusal = { kind: 'rejected', reason: { ...because('pinterest-no-media'), platformCode: 'no-media' } }
const notReady: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: 'Pinterest' }), platformCode: 'not-prepared' },
}

const detail = ({ details }: Pick<Outgoing, 'details'>, name: 'boardId' | 'link'): string => {
  const value = details[name]
  return typeof value === 'string' ? value : ''
}

/** The texts of a Pin. */
function wordsOf(post: Outgoing): { title: string; description: string; link: string; alt_text: string } {
  const [item] = post.contents
  const altText = item?.media.find((file) => file.altText !== '')?.altText
  return {
    title: item?.title ?? '',
    description: item?.text ?? '',
    link: detail(post, 'link'),
    alt_text: altText ?? '',
  }
}

/** A Pin's page. */
export const addressOf = (id: string): string => `https://www.pinterest.com/pin/${id}/`

const base64 = async (file: MediaFile): Promise<{ content_type: string; data: string }> => ({
  content_type: file.contentType,
  data: Buffer.from(await file.read()).toString('base64'),
})

/** Pictures as a URL if we can be reached from outside, otherwise in the call itself. */
async function sourceOf(post: Outgoing): Promise<{ kind: 'source'; source: Record<string, unknown> } | Refusal> {
  const files = post.contents[0]?.media ?? []
  const video = videoOf(post)
  if (video) return await videoSource(post, video)
  const [only] = files
  if (!only) return noMedia
  const urls = files.map((file) => file.url())
  const reachable = urls.every((url) => url !== null)
  if (files.length > 1)
    return {
      kind: 'source',
      source: reachable
        ? { source_type: 'multiple_image_urls', items: urls.map((url) => ({ url })) }
        : { source_type: 'multiple_image_base64', items: await Promise.all(files.map(base64)) },
    }
  return {
    kind: 'source',
    source: reachable
      ? { source_type: 'image_url', url: urls[0] }
      : { source_type: 'image_base64', ...(await base64(only)) },
  }
}

async function videoSource(
  post: Outgoing,
  video: MediaFile,
): Promise<{ kind: 'source'; source: Record<string, unknown> } | Refusal> {
  const { mediaId, ready } = Prepared.parse(post.progress)
  if (mediaId === null || !ready) return notReady
  const cover = video.thumbnail && (await base64(video.thumbnail))
  // without a thumbnail, its first frame is used
  return {
    kind: 'source',
    source: {
      source_type: 'video_id',
      media_id: mediaId,
      ...(cover
        ? { cover_image_content_type: cover.content_type, cover_image_data: cover.data }
        : { cover_image_key_frame_time: 0 }),
    },
  }
}

const send: Publish['send'] = withSecret(async (reach, own, _account, post) => {
  const board = detail(post, 'boardId')
  if (!board) return noBoard
  const media = await sourceOf(post)
  if (media.kind !== 'source') return media
  const words = Object.fromEntries(Object.entries(wordsOf(post)).filter(([, value]) => value))
  // one attempt: Pinterest accepts the same Pin any number of times
  const made = await call(reach, own, {
    path: '/pins',
    method: 'POST',
    json: { board_id: board, ...words, media_source: media.source },
    reply: Made,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return made.kind === 'ok'
    ? { kind: 'sent', remoteId: made.value.id, progress: { ...post.progress, files: filesOf(post) } }
    : refusalOf(made, posting)
})

const filesOf = (post: Pick<Outgoing, 'contents'>): string[] =>
  (post.contents[0]?.media ?? []).map(({ assetId }) => assetId)

/** The oldest Pin on the board with this text, since the planned time. */
const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post): Promise<ReconcileAnswer> => {
  const { title, description } = wordsOf(post)
  const path = `/boards/${encodeURIComponent(detail(post, 'boardId'))}/pins`
  let boardIsGone = false
  const found = await lookBack({
    label: 'Pinterest',
    things: 'Pins on the board',
    since: post.createdAt,
    order: 'not promised',
    mostPages: PAGES,
    page: async (bookmark) => {
      const list = await pageOf(reach, own, path, Pin, bookmark)
      if (list.kind === 'ok')
        return {
          kind: 'page',
          items: list.value.items.map((pin) => ({ ...pin, at: pin.created_at })),
          next: list.value.bookmark,
        }
      boardIsGone = isGone(list)
      return unclear(list)
    },
    isIt: (pin) => both(isText(pin.title, title), isText(pin.description, description)),
  })
  // a deleted board has no Pins
  if (boardIsGone) return { kind: 'absent' }
  return reconciledAs(foundAs(found), { ...post.progress, files: filesOf(post) })
})

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, _post, remoteId) => {
  const found = await call(reach, own, { path: `/pins/${encodeURIComponent(remoteId)}`, reply: Pin })
  if (found.kind === 'ok') return { kind: 'live', permalink: addressOf(found.value.id) }
  return isGone(found) ? { kind: 'missing' } : unclear(found)
})

/** Succeeds if it's already deleted, so it can be repeated. */
const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  const gone = await call(reach, own, {
    path: `/pins/${encodeURIComponent(remoteId)}`,
    method: 'DELETE',
    reply: Nothing,
    timeoutMs: CHANGE_TIMEOUT_MS,
  })
  return gone.kind === 'ok' || isGone(gone)
    ? { kind: 'removed' }
    : refusalOf(gone, { doing: 'delete-pin', irreversible: false })
})

/** Changes texts, link and board; the Pin's files can't be changed. */
const edit: Publish['edit'] = withSecret(async (reach, own, _account, post, remoteId) => {
  const { files } = Prepared.parse(post.progress)
  if (files && files.join() !== filesOf(post).join())
    return { kind: 'rejected', reason: { ...because('pinterest-not-editable'), platformCode: 'not-editable' } }
  const path = `/pins/${encodeURIComponent(remoteId)}`
  const now = await call(reach, own, { path, reply: Pin })
  if (now.kind !== 'ok') return refusalOf(now, changing)
  const board = detail(post, 'boardId')
  const { title, description, link, alt_text } = wordsOf(post)
  // a field that was never set isn't cleared: an empty link might be refused
  const json = {
    title,
    description,
    ...((link || now.value.link) && { link }),
    ...((alt_text || now.value.alt_text) && { alt_text }),
    ...(board && { board_id: board }),
  }
  const changed = await call(reach, own, { path, method: 'PATCH', json, reply: Made, timeoutMs: CHANGE_TIMEOUT_MS })
  return changed.kind === 'ok' ? { kind: 'edited', remoteId } : refusalOf(changed, changing)
})

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (SEND_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare,
  prepare,
  send,
  readBack,
  reconcile,
  sendIsRepeatable: false,
  remove,
  edit,
}
