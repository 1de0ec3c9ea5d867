import type { MediaFile, Outgoing, Platform, Publish } from '../../platforms/platform.ts'
import type { SafeAnswer } from '../../platforms/safeHttp.ts'

/* Correct adapters changed to break one rule each, which proves that the suite notices. */

const withPublish = (platform: Platform, change: (right: Publish) => Partial<Publish>): Platform => ({
  ...platform,
  publish: { ...platform.publish, ...change(platform.publish) },
})
const silent = (file: MediaFile): MediaFile => ({ ...file, altText: '' })
const withoutAltText = (post: Outgoing): Outgoing => ({
  ...post,
  contents: post.contents.map((item) => ({ ...item, media: item.media.map(silent) })),
})
const withoutText = (post: Outgoing): Outgoing => ({
  ...post,
  contents: post.contents.map((item) => ({ ...item, text: 'Something else' })),
})

export const broken: Record<string, (right: Platform) => Platform> = {
  'sends twice': (right) =>
    withPublish(right, ({ send }) => ({ send: async (...asked) => (await send(...asked), await send(...asked)) })),
  'takes a lost answer for a refusal': (right) =>
    withPublish(right, ({ send }) => ({
      send: async (...asked) => {
        const answer = await send(...asked)
        return answer.kind === 'unknown' ? { ...answer, kind: 'retry' } : answer
      },
    })),
  'settles as absent': (right) => withPublish(right, () => ({ reconcile: async () => ({ kind: 'absent' }) })),
  'believes the first page of a list': (right) =>
    withPublish(right, ({ reconcile }) => ({
      reconcile: (reach, ...asked) =>
        reconcile(
          { ...reach, fetch: async (url, request) => withoutPaging(await reach.fetch(url, request)) },
          ...asked,
        ),
    })),
  'settles parts as absent': (right) =>
    withPublish(right, () => ({ reconcileFollowUp: async () => ({ kind: 'absent' }) })),
  'drops what follows': (right) => withPublish(right, () => ({ followUps: () => [] })),
  'forgets alternative text': (right) =>
    withPublish(right, ({ prepare, send }) => ({
      prepare: (reach, secret, account, post) => prepare(reach, secret, account, withoutAltText(post)),
      send: (reach, secret, account, post) => send(reach, secret, account, withoutAltText(post)),
    })),
  'says something else': (right) =>
    withPublish(right, ({ prepare, send }) => ({
      prepare: (reach, secret, account, post) => prepare(reach, secret, account, withoutText(post)),
      send: (reach, secret, account, post) => send(reach, secret, account, withoutText(post)),
    })),
  'waits on a dead sign-in': (right) =>
    withPublish(right, ({ prepare, send }) => ({
      prepare: async (...asked) => {
        const answer = await prepare(...asked)
        return answer.kind === 'reconnect' ? { kind: 'retry', reason: answer.reason } : answer
      },
      send: async (...asked) => {
        const answer = await send(...asked)
        return answer.kind === 'reconnect' ? { kind: 'retry', reason: answer.reason } : answer
      },
    })),
  'gives up when told to wait': (right) =>
    withPublish(right, ({ prepare, send }) => ({
      prepare: async (...asked) => rejecting(await prepare(...asked)),
      send: async (...asked) => rejecting(await send(...asked)),
    })),
  'asks what the platform does not know': (right) =>
    withPublish(right, ({ send }) => ({
      send: (reach, ...asked) =>
        send(
          {
            ...reach,
            fetch: (url, request) =>
              reach.fetch(
                request.method === 'POST' ? `${url}${url.includes('?') ? '&' : '?'}not_a_parameter=1` : url,
                request.method === 'POST' && typeof request.body === 'string'
                  ? { ...request, body: `${request.body}&not_a_parameter=1` }
                  : request,
              ),
          },
          ...asked,
        ),
    })),
  'leaves what it removes': (right) => withPublish(right, () => ({ remove: async () => ({ kind: 'removed' }) })),
  'finds nothing': (right) => ({
    ...right,
    ...(right.metrics && { metrics: { ...right.metrics, read: async () => ({ kind: 'metrics', of: new Map() }) } }),
  }),
}

/** The result as if nothing followed it. */
function withoutPaging(answer: SafeAnswer): SafeAnswer {
  if (answer.kind !== 'answer') return answer
  const text = new TextDecoder().decode(answer.body).replace(/,"paging":\{.*\}\}$/, '}')
  return { ...answer, body: new TextEncoder().encode(text) }
}

function rejecting<T extends { kind: string }>(answer: T): T {
  return answer.kind === 'retry' ? { ...answer, kind: 'rejected' } : answer
}
