import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { SeenBody } from './seenBody.ts'

/*
 * What the simulated platforms are made of: calls and replies, tokens, people, and what they published.
 */

export type Call = {
  method: string
  /** The address at the real platform. */
  url: URL
  headers: Record<string, string>
  /** Parts of the path, by the names in the route. */
  path: Record<string, string>
  query: Record<string, string>
  body: SeenBody
  /** Query, form and JSON object together, as text where they are text. */
  fields: Record<string, unknown>
  /** One field as text; empty when it is absent. */
  text: (name: string) => string
  now: number
}

export type Reply = { status?: number; json?: unknown; html?: string; headers?: Record<string, string> }

/** Thrown by what answers a call, to answer something else. */
export class Refused extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('refused')
    this.reply = reply
  }
}

/** `undefined` leaves the call to the next route that fits. */
export type Route = readonly [pattern: string, answer: (call: Call) => Reply | undefined | Promise<Reply | undefined>]

/** Why a call is refused; each platform says it in its own words. */
export type Why = 'token' | 'expired' | 'scope' | 'request' | 'missing' | 'limit' | 'duplicate' | 'media'

export type SimulatedAccount = {
  id: string
  name: string
  handle: string
  picture: string
  /** What else a platform knows of it, such as its Pages. */
  owns: SimulatedAccount[]
}

export type SimulatedPost = {
  id: string
  account: string
  kind: string
  text: string
  /** Ids of what was uploaded, or addresses that were pulled. */
  media: readonly string[]
  createdAt: number
  permalink: string
  /** The post that this one answers. */
  parent: string | null
  deleted: boolean
  /** The platform's own fields. */
  more: Record<string, unknown>
}

const Told = z.object({
  kind: z.string(),
  account: z.string(),
  scopes: z.array(z.string()),
  asked: z.array(z.string()),
  clientId: z.string(),
  expiresAt: z.number().nullable(),
  issuedAt: z.number(),
})

/**
 * Tokens say what they are: a simulator that was started again knows those of the one before, so that channels of
 * development and of the seed stay signed in. What it revoked before is forgotten.
 */
class Tokens extends Map<string, Token> {
  override get(text: string): Token | undefined {
    const known = super.get(text)
    if (known) return known
    const [, told] = /^sim-[a-z]+-[a-z]+-[\da-f]+\.([\w-]+)$/.exec(text) ?? []
    const read = told === undefined ? undefined : Told.safeParse(parsed(Buffer.from(told, 'base64url').toString())).data
    if (!read) return undefined
    const token = { ...read, text, revoked: false }
    this.set(text, token)
    return token
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Token = {
  text: string
  kind: string
  account: string
  scopes: readonly string[]
  asked: readonly string[]
  clientId: string
  expiresAt: number | null
  issuedAt: number
  revoked: boolean
}

/** One world per platform; two platforms behind one host look into each other's. */
export class World {
  readonly key: PlatformKey
  readonly refuse: (why: Why, detail: string) => Reply
  readonly accounts: SimulatedAccount[]
  readonly posts = new Map<string, SimulatedPost>()
  /** Shared by platforms that people sign in to in one place. */
  readonly tokens: Map<string, Token>
  /** Things on their way: containers, upload sessions, codes. */
  readonly pending = new Map<string, Record<string, unknown>>()
  /** Looks at something that is processed before it is done. */
  looks = 1
  /** Doubtful behavior that a test turns on, by names that the platform's file explains. */
  readonly switches = new Set<string>()
  /** Posts that an account may publish in 24 hours, where the platform tells. */
  limit = Infinity
  /** Apps, by client id, that registered themselves and are no longer known. */
  readonly forgottenApps = new Set<string>()
  /**
   * How many posts of another tool follow each post at once: a busy account. With the switch `no idempotency`, repeats
   * aren't noticed either.
   */
  busy = 0
  #last: bigint

  constructor(
    key: PlatformKey,
    accounts: SimulatedAccount[],
    refuse: (why: Why, detail: string) => Reply,
    tokens: Map<string, Token> = new Tokens(),
  ) {
    this.key = key
    this.tokens = tokens
    this.accounts = accounts
    this.refuse = refuse
    this.#last = 17_800_000_000_000n + BigInt(seedOf(key) % 1000) * 1_000_000n
  }

  /** A number that this platform hasn't given yet. */
  nextId(): string {
    this.#last += 7n
    return String(this.#last)
  }

  account(id: string): SimulatedAccount | undefined {
    return this.accounts.flatMap((account) => [account, ...account.owns]).find((account) => account.id === id)
  }

  /** So many more people, each with what the first one has; answers their ids. */
  morePeople(count: number): string[] {
    const like = (account: SimulatedAccount, nth: number): SimulatedAccount => ({
      ...account,
      id: this.nextId(),
      handle: `${account.handle}${nth}`,
      owns: account.owns.map((owned) => like(owned, nth)),
    })
    const [first] = this.accounts
    if (!first) return []
    const people = Array.from({ length: count }, (_, i) => like(first, i + 1))
    this.accounts.push(...people)
    return people.map(({ id }) => id)
  }

  issue(
    kind: string,
    of: Pick<Token, 'account' | 'scopes' | 'asked' | 'clientId'>,
    seconds: number | null,
    now: number,
  ): Token {
    const told = {
      kind,
      account: of.account,
      scopes: of.scopes,
      asked: of.asked,
      clientId: of.clientId,
      issuedAt: now,
      expiresAt: seconds === null ? null : now + seconds * 1000,
    }
    const token = {
      ...told,
      text: `sim-${this.key}-${kind}-${randomBytes(12).toString('hex')}.${Buffer.from(JSON.stringify(told)).toString('base64url')}`,
      revoked: false,
    }
    this.tokens.set(token.text, token)
    return token
  }

  /** Every token that runs out is out. */
  expireTokens(): void {
    for (const token of this.tokens.values()) if (token.kind !== 'refresh') token.expiresAt = 0
  }

  /** Who calls. Refuses without a token that is good and has the right. */
  who(call: Call, ...rights: string[]): Token {
    const text = /^(?:Bearer|OAuth) (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? call.text('access_token')
    const token = this.tokens.get(text)
    if (!token || token.revoked || token.kind === 'refresh')
      throw new Refused(this.refuse('token', 'The access token is not valid.'))
    if (token.expiresAt !== null && token.expiresAt <= call.now)
      throw new Refused(this.refuse('expired', 'The access token has expired.'))
    if (rights.length > 0 && !rights.some((right) => token.scopes.includes(right)))
      throw new Refused(this.refuse('scope', `The right ${rights[0]} is missing.`))
    return token
  }

  no(why: Why, detail: string): never {
    throw new Refused(this.refuse(why, detail))
  }

  publish(post: Pick<SimulatedPost, 'account' | 'kind' | 'text'> & Partial<SimulatedPost>, now: number): SimulatedPost {
    const id = post.id ?? this.nextId()
    const whole = {
      media: [],
      permalink: `https://${this.key}.simulated/${id}`,
      parent: null,
      deleted: false,
      more: {},
      ...post,
      id,
      createdAt: now,
    }
    this.posts.set(id, whole)
    for (let nth = 0; nth < this.busy && whole.more.hidden !== true; nth++) this.#publishByAnother(whole)
    return whole
  }

  /** The same kind of post in the same place, by another tool, with words and files of its own. */
  #publishByAnother(post: SimulatedPost): void {
    const number = this.nextId()
    const id = /\d{6,}$/.test(post.id) ? post.id.replace(/\d+$/, number) : `${post.id}${number}`
    const text = `Another tool wrote ${number}`
    const told = JSON.stringify(post.more)
    const ours = JSON.stringify(post.text).slice(1, -1)
    // what was JSON with other words in it is an object again
    const more = JSON.parse(ours === '' ? told : told.replaceAll(ours, text)) as Record<string, unknown>
    this.posts.set(id, { ...post, id, text, media: [], more: { ...more, byAnother: true } })
  }

  /** What stands there, newest first. */
  live(of: (post: SimulatedPost) => boolean = () => true): SimulatedPost[] {
    return [...this.posts.values()].filter((post) => !post.deleted && of(post)).toReversed()
  }

  post(id: string): SimulatedPost {
    const post = this.posts.get(id)
    return post && !post.deleted ? post : this.no('missing', `Object ${id} does not exist.`)
  }

  /** True once it was looked at often enough: `looks` times it is still worked on. */
  done(thing: Record<string, unknown>): boolean {
    const seen = typeof thing.looks === 'number' ? thing.looks : 0
    thing.looks = seen + 1
    return seen >= this.looks
  }
}

/** A figure of a post that grows with its age: it never falls, and differs from post to post. */
export function grown(post: SimulatedPost, name: string, now: number, each = 1): number {
  const minutes = Math.max(0, now - post.createdAt) / 60_000
  const pull = 1 + (seedOf(`${post.id}${name}`) % 20)
  return Math.floor(each * pull * Math.sqrt(minutes + 1))
}

export function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

const names = ['Nora Quill', 'The Corner Bakery', 'Harbour Books', 'Field Notes Studio', 'Otis Lund'] as const

/** People whom every platform knows, with ids of its own. */
export function peopleOf(key: PlatformKey, count: number, what: readonly string[] = names): SimulatedAccount[] {
  return what.slice(0, count).map((name) => {
    const handle = name.toLowerCase().replaceAll(/\W+/g, '')
    return {
      id: String(10_000_000_000 + (seedOf(`${key}/${name}`) % 89_000_000) * 100 + 1),
      name,
      handle,
      picture: `https://${key}.simulated/pictures/${handle}.png`,
      owns: [],
    }
  })
}

/** One platform's part of the program. */
export type PlatformSimulator = {
  world: World
  /** Real hosts that it answers for; `*.simulated` for servers of a federation. */
  hosts: readonly string[]
  routes: readonly Route[]
  /** Where two share a host: whether a call is this one's. */
  owns?: (url: URL) => boolean
}

/** The size of a page as asked for, within what the platform gives at most. */
export const sizeOf = (call: Call, name: string, { usual, most }: { usual: number; most: number }): number =>
  Math.min(Number(call.text(name)) || usual, most)

/** The listed page of something, by offset cursors. */
export function pageOf<T>(
  items: readonly T[],
  limit: number,
  cursor: string,
): { items: T[]; next: string | undefined } {
  const start = Number(cursor) || 0
  const end = start + limit
  return { items: items.slice(start, end), next: end < items.length ? String(end) : undefined }
}
