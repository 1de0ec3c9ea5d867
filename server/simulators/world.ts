import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { PlatformKey, PostType } from '#contract/platforms/rules.ts'
import type { SeenBody } from './seenBody.ts'

/* What the simulated platforms share: calls and replies, tokens, people, and what they published. */

export type Call = {
  method: string
  /** The URL on the real platform. */
  url: URL
  headers: Record<string, string>
  /** Segments of the path, by their names in the route. */
  path: Record<string, string>
  query: Record<string, string>
  body: SeenBody
  /** Query, form and JSON object together; text stays text. */
  fields: Record<string, unknown>
  /** One field as text; empty if it's absent. */
  text: (name: string) => string
  now: number
}

export type Reply = { status?: number; json?: unknown; html?: string; headers?: Record<string, string> }

/** Thrown to respond with a refusal. */
export class Refused extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('refused')
    this.reply = reply
  }
}

/** `undefined` leaves the call to the next matching route. */
export type Route = readonly [pattern: string, answer: (call: Call) => Reply | undefined | Promise<Reply | undefined>]

/** Why a call is refused; each platform has its own format for it. */
export type Why = 'token' | 'expired' | 'scope' | 'request' | 'missing' | 'limit' | 'duplicate' | 'media'

export type SimulatedAccount = {
  id: string
  name: string
  handle: string
  picture: string
  /** The account's other objects, such as its Pages. */
  owns: SimulatedAccount[]
}

export type SimulatedPost = {
  id: string
  account: string
  kind: string
  text: string
  /** IDs of uploaded files, or fetched URLs. */
  media: readonly string[]
  createdAt: number
  permalink: string
  /** The post that this one replies to. */
  parent: string | null
  deleted: boolean
  /** The platform's own fields. */
  more: Record<string, unknown>
}

/** A post that was published elsewhere: `number` is one that its time would have given it. */
export type Native = { account: string; text: string; postType: PostType; number: string; at: number }

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
 * Tokens contain what they're for, so a restarted simulator accepts those of the previous one, and channels in
 * development and of the seed stay signed in. Earlier revocations are forgotten.
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

/**
 * What a platform sends by itself. Nothing delivers it but tests do: now, later, twice or not at all, and `answered` tells the
 * platform how it was answered.
 */
export type SentByPlatform = {
  url: string
  headers: Record<string, string>
  body: Buffer
  answered: (status: number) => void
}

/** One world per platform; two platforms that share a host can read each other's. */
export class World {
  readonly key: PlatformKey
  readonly refuse: (why: Why, detail: string) => Reply
  readonly accounts: SimulatedAccount[]
  /** People who write here and can't sign in. */
  readonly others: SimulatedAccount[] = []
  readonly posts = new Map<string, SimulatedPost>()
  /** Shared by platforms with the same sign-in. */
  readonly tokens: Map<string, Token>
  /** Unfinished objects: containers, upload sessions, codes. */
  readonly pending = new Map<string, Record<string, unknown>>()
  /** How many checks a processed object needs until it's done. */
  looks = 1
  /** Unusual behavior that a test turns on, by names that the platform's file explains. */
  readonly switches = new Set<string>()
  /** How many posts an account may publish in 24 hours, if the platform says so. */
  limit = Infinity
  /** Self-registered apps that are no longer known, by client ID. */
  readonly forgottenApps = new Set<string>()
  /**
   * How many posts from another tool follow each post at once: a busy account. With the switch `no idempotency`,
   * duplicates aren't refused either.
   */
  busy = 0
  readonly outbox: SentByPlatform[] = []
  /**
   * How it stores a text. Platforms don't say whether they keep white space and Unicode normalization, so adapters must
   * recognize their posts without: simulated ones compose letters, and drop white space at the ends of lines.
   */
  keeps = (text: string): string =>
    text
      .normalize('NFC')
      .replaceAll(/[^\S\n]+$/gm, '')
      .trim()
  /** What else happens when something is published: notifications. */
  onPublished: (post: SimulatedPost, now: number) => void = () => undefined
  /** What a post from another tool is here: its kind and its own fields, and its ID if that isn't the number alone. */
  native = ({ number }: Native): Pick<SimulatedPost, 'id' | 'kind'> & Partial<SimulatedPost> => ({
    id: number,
    kind: 'post',
  })
  /** The type of a post from elsewhere, unless another one is named. */
  usualType: PostType = 'post'
  #last: bigint
  /** Numbers that posts of earlier times got. */
  readonly #early = new Set<bigint>()

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

  /** A number that this platform hasn't used yet. */
  nextId(): string {
    this.#last += 7n
    return String(this.#last)
  }

  /** A number as this platform would have given it then: below all that were given since, and higher the later. */
  numberAt(at: number): string {
    let number = BigInt(at) * 8n
    while (this.#early.has(number)) number += 1n
    this.#early.add(number)
    return String(number)
  }

  account(id: string): SimulatedAccount | undefined {
    const all = [...this.accounts.flatMap((account) => [account, ...account.owns]), ...this.others]
    return all.find((account) => account.id === id)
  }

  /** Adds this many people, each with the same as the first one; returns their IDs. */
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

  /** Expires every token with a limited lifetime. */
  expireTokens(): void {
    for (const token of this.tokens.values()) if (token.kind !== 'refresh') token.expiresAt = 0
  }

  /** The caller's token. Refuses without a valid token with these permissions. */
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
      text: this.keeps(post.text),
      id,
      createdAt: now,
    }
    this.posts.set(id, whole)
    this.onPublished(whole, now)
    for (let nth = 0; nth < this.busy && whole.more.hidden !== true; nth++) this.#publishByAnother(whole)
    return whole
  }

  /** Publishes a post of the same kind in the same place from another tool, with its own text and files. */
  #publishByAnother(post: SimulatedPost): void {
    const number = this.nextId()
    const id = /\d{6,}$/.test(post.id) ? post.id.replace(/\d+$/, number) : `${post.id}${number}`
    const text = `Another tool wrote ${number}`
    const told = JSON.stringify(post.more)
    const ours = JSON.stringify(post.text).slice(1, -1)
    // parsed again, because it was replaced as JSON text
    const more = JSON.parse(ours === '' ? told : told.replaceAll(ours, text)) as Record<string, unknown>
    this.posts.set(id, { ...post, id, text, media: [], more: { ...more, byAnother: true } })
  }

  /** Published posts, newest first. */
  live(of: (post: SimulatedPost) => boolean = () => true): SimulatedPost[] {
    return this.newestFirst((post) => !post.deleted && of(post))
  }

  /** Posts that were ever published, newest first: lists go on after one that was deleted. */
  newestFirst(of: (post: SimulatedPost) => boolean): SimulatedPost[] {
    const found = [...this.posts.values()].filter(of).toReversed()
    return found.toSorted((a, b) => b.createdAt - a.createdAt)
  }

  /** The published post of this id. */
  find(id: string): SimulatedPost | undefined {
    const post = this.posts.get(id)
    return post?.deleted ? undefined : post
  }

  post(id: string): SimulatedPost {
    return this.find(id) ?? this.no('missing', `Object ${id} does not exist.`)
  }

  /** True after `looks` checks; before that it's still being processed. */
  done(thing: Record<string, unknown>): boolean {
    const seen = typeof thing.looks === 'number' ? thing.looks : 0
    thing.looks = seen + 1
    return seen >= this.looks
  }
}

/** A metric that grows with the post's age: it never falls, and differs between posts. */
export function grown(post: SimulatedPost, name: string, now: number, each = 1): number {
  const told = toldOf(post, name, now)
  if (told !== undefined) return told
  const minutes = Math.max(0, now - post.createdAt) / 60_000
  const pull = 1 + (seedOf(`${post.id}${name}`) % 20)
  return Math.floor(each * pull * Math.sqrt(minutes + 1))
}

/** What a post of before is known to have: most of it came on its first day. Undefined for all others. */
export function toldOf(post: SimulatedPost, name: string, now: number): number | undefined {
  const inTheEnd = EndFigures.safeParse(post.more.figures).data?.[name]
  if (inTheEnd === undefined) return undefined
  return Math.round(inTheEnd * (1 - Math.exp(-Math.max(0, now - post.createdAt) / (14 * 3_600_000))))
}
const EndFigures = z.record(z.string(), z.number().optional())

export function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

const names = ['Nora Quill', 'The Corner Bakery', 'Harbour Books', 'Field Notes Studio', 'Otis Lund'] as const

/** People who exist on every platform, with the platform's own IDs. */
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
  /** Real hosts that it serves; `*.simulated` for servers of a federation. */
  hosts: readonly string[]
  routes: readonly Route[]
  /** If two share a host: whether a call is this one's. */
  owns?: (url: URL) => boolean
}

/** The requested page size, within the platform's maximum. */
export const sizeOf = (call: Call, name: string, { usual, most }: { usual: number; most: number }): number =>
  Math.min(Number(call.text(name)) || usual, most)

/** A page of a list, with offset cursors. */
export function pageOf<T>(
  items: readonly T[],
  limit: number,
  cursor: string,
): { items: T[]; next: string | undefined } {
  const start = Number(cursor) || 0
  const end = start + limit
  return { items: items.slice(start, end), next: end < items.length ? String(end) : undefined }
}
