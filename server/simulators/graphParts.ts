import { grown, pageOf, sizeOf, type Call, type Reply, type SimulatedPost, type Why } from './world.ts'

/* What Facebook, Instagram and Threads share: the Graph API's formats. */

const codes: Record<Why, { status: number; code: number; error_subcode?: number; type: string }> = {
  token: { status: 400, code: 190, error_subcode: 467, type: 'OAuthException' },
  expired: { status: 400, code: 190, error_subcode: 463, type: 'OAuthException' },
  scope: { status: 403, code: 200, type: 'OAuthException' },
  request: { status: 400, code: 100, type: 'OAuthException' },
  missing: { status: 400, code: 100, error_subcode: 33, type: 'GraphMethodException' },
  limit: { status: 400, code: 4, type: 'OAuthException' },
  duplicate: { status: 400, code: 506, type: 'OAuthException' },
  media: { status: 400, code: 324, type: 'OAuthException' },
}

/** A Graph error: `(#100) what` with code and subcode, usually HTTP 400. */
export function graphRefusal(why: Why, detail: string): Reply {
  const { status, ...error } = codes[why]
  return { status, json: { error: { message: `(#${error.code}) ${detail}`, ...error, fbtrace_id: 'Simulated' } } }
}

/** An error with its own codes. */
export function graphError(code: number, subcode: number | undefined, message: string, status = 400): Reply {
  return {
    status,
    json: {
      error: {
        message,
        type: 'OAuthException',
        code,
        ...(subcode !== undefined && { error_subcode: subcode }),
        is_transient: false,
        fbtrace_id: 'Simulated',
      },
    },
  }
}

/** Only the requested fields, and the ID. */
export function fieldsOf(call: Call, whole: Record<string, unknown>): Record<string, unknown> {
  const asked = call.text('fields')
  if (!asked) return whole
  const names = asked
    .replaceAll(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, '')
    .split(',')
    .map((name) => (name.split('.')[0] ?? '').trim())
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name === 'id' || names.includes(name)))
}

/** Meta's time format: `2026-11-21T06:00:00+0000`. */
export function graphTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, '+0000')
}

/** Metrics in the insights format; an unknown name fails the whole call. */
export function insights(call: Call, post: SimulatedPost, known: Record<string, number>): Reply {
  const names = call.text('metric').split(',').filter(Boolean)
  const wrong = names.filter((name) => known[name] === undefined)
  if (wrong.length > 0 || names.length === 0)
    return graphRefusal('request', `The value must be a valid insights metric: ${wrong.join(', ') || 'none given'}`)
  return {
    json: {
      data: names.map((name) => ({
        name,
        period: 'lifetime',
        values: [{ value: grown(post, name, call.now, known[name]) }],
        title: name,
        id: `${post.id}/insights/${name}/lifetime`,
      })),
    },
  }
}

/** What was published in the range that a call names, both seconds included. */
export function within(call: Call, posts: readonly SimulatedPost[]): SimulatedPost[] {
  const [since, until] = [Number(call.text('since')) || 0, Number(call.text('until')) || Infinity]
  return posts.filter(({ createdAt }) => {
    const second = Math.floor(createdAt / 1000)
    return second >= since && second <= until
  })
}

/** A page of an edge, newest first. Every page has cursors, `next` only if another one follows. */
export function edgePage(
  call: Call,
  posts: readonly SimulatedPost[],
  most: number,
  node: (post: SimulatedPost) => unknown,
): Reply {
  const { items, next } = pageOf(posts, sizeOf(call, 'limit', { usual: 25, most }), call.text('after'))
  const address = new URL(call.url)
  address.searchParams.set('after', next ?? '')
  return {
    json: {
      data: items.map(node),
      ...(items.length > 0 && {
        paging: {
          cursors: { before: call.text('after') || '0', after: next ?? String(posts.length) },
          ...(next !== undefined && { next: address.href }),
        },
      }),
    },
  }
}

export const isTrue = (text: string): boolean => text === 'true' || text === '1'
