import { randomUUID } from 'node:crypto'
import type { PastItem, PastOfAccount } from '../past.ts'
import type { PastPost } from '../pastPosts.ts'
import type { Account, Accounts } from './accounts.ts'

/* What people write on the simulated network, and how an account receives it: notifications, threads, chat. */

export type Written = {
  /** The author's handle. */
  from: string
  text: string
  /** The URI of the post that it replies to. */
  parent?: string | undefined
  /** Handles that it mentions. */
  mentions?: readonly string[] | undefined
  /** The URI of the post that it quotes. */
  quote?: string | undefined
}
export type SentInChat = { convoId: string; message?: { text: string }; messageId?: string; value?: string }
export type Said = { from: string; to: string; text: string }

type Post = {
  text?: string
  createdAt?: string
  reply?: { root: { uri: string }; parent: { uri: string } }
  facets?: { features: { did?: string }[] }[]
  embed?: { record?: { uri?: string; record?: { uri?: string } } }
}
type Found = { account: Account; uri: string; cid: string; record: Post }
type Message = { id: string; rev: string; sender: { did: string }; text?: string; sentAt: string }
type Convo = { id: string; members: string[]; messages: Message[] }

/** A remembered conversation's ID, which its messages are listed under. */
export const convoOf = (one: string, other: string): string => `convo-${[one, other].toSorted().join('-')}`

const LETTERS = '234567abcdefghijklmnopqrstuvwxyz'
/** A key that increases over time, like the network's own (atproto.com/specs/tid). */
function keyAt(milliseconds: number, nth: number): string {
  let left = BigInt(Math.round(milliseconds)) * 1000n * 1024n + BigInt(nth)
  let key = ''
  for (let place = 0; place < 13; place++, left >>= 5n) key = `${LETTERS[Number(left & 31n)]}${key}`
  return key
}

export class People {
  readonly #accounts: Accounts
  readonly #now: () => number
  readonly #convos: Convo[] = []
  readonly #log: { type: string; convo: Convo; message: Message; rev: string }[] = []
  #count = 0
  /** Reactions to messages, by message ID. */
  readonly reactions = new Map<string, string>()
  /** Posts that their servers list and the app view hasn't indexed yet, by URI. */
  readonly unindexed = new Set<string>()

  constructor(accounts: Accounts, now: () => number) {
    this.#accounts = accounts
    this.#now = now
  }

  /** Someone posts. Returns the URI. */
  write({ from, text, parent, mentions = [], quote }: Written): string {
    const author = this.#accounts.named(from)
    const key = this.#key()
    const above = parent === undefined ? undefined : this.#at(parent)
    const reference = ({ uri, cid }: Found) => ({ uri, cid })
    const quoted = quote === undefined ? undefined : this.#at(quote)
    this.#accounts.create(
      author,
      key,
      {
        $type: 'app.bsky.feed.post',
        text,
        createdAt: new Date(this.#now()).toISOString(),
        ...(above && { reply: { root: this.#rootOf(above), parent: reference(above) } }),
        ...(mentions.length > 0 && {
          facets: mentions.map((handle) => ({
            index: { byteStart: 0, byteEnd: 1 },
            features: [{ $type: 'app.bsky.richtext.facet#mention', did: this.#accounts.named(handle).did }],
          })),
        }),
        ...(quoted && { embed: { $type: 'app.bsky.embed.record', record: reference(quoted) } }),
      },
      this.#now(),
    )
    return `at://${author.did}/app.bsky.feed.post/${key}`
  }

  /** What people wrote to accounts before, and the accounts' answers. */
  remember(past: readonly PastOfAccount[]): void {
    for (const { account: did, posts } of past) for (const post of posts) this.#rememberOwn(did, post)
    for (const { account: did, items } of past)
      for (const item of items.toSorted((a, b) => a.at - b.at)) {
        const author = this.#accounts.named(item.author?.remoteId ?? did)
        if (item.author) author.handle = item.author.handle.replace(/^@/, '')
        if (item.conversation === 'message') this.#rememberMessage(did, author, item)
        else this.#rememberPost(did, author, item)
      }
  }

  #rememberOwn(did: string, { remoteId, text, at, figures }: PastPost): void {
    if (this.#at(remoteId)) return
    const account = this.#accounts.named(did)
    this.#store(account, remoteId, text, at)
    const stored = account.records.get(remoteId.split('/').at(-1) ?? '')
    if (stored && Object.keys(figures).length > 0) stored.figures = figures
  }

  #rememberPost(did: string, author: Account, item: PastItem): void {
    const { subject, parent } = item
    if (subject && !this.#at(subject.remoteId))
      this.#store(this.#accounts.named(did), subject.remoteId, subject.text, subject.at)
    const above = this.#at(parent ?? subject?.remoteId ?? '')
    const isMention = item.conversation === 'mention' && parent === null
    this.#store(author, item.remoteId, item.text, item.at, {
      ...(above && { reply: { root: this.#rootOf(above), parent: { uri: above.uri, cid: above.cid } } }),
      ...(isMention && {
        facets: [
          { index: { byteStart: 0, byteEnd: 1 }, features: [{ $type: 'app.bsky.richtext.facet#mention', did }] },
        ],
      }),
    })
    if (item.deleted) this.remove(item.remoteId)
  }

  #store(author: Account, uri: string, text: string, at: number, more: Record<string, unknown> = {}): void {
    const record = { $type: 'app.bsky.feed.post', text, createdAt: new Date(at).toISOString(), ...more }
    this.#accounts.create(author, uri.split('/').at(-1) ?? '', record, at)
  }

  #rememberMessage(did: string, author: Account, item: PastItem): void {
    const id = convoOf(did, item.counterpart?.remoteId ?? author.did)
    const known = this.#convos.find((convo) => convo.id === id)
    const convo = known ?? { id, members: [did, item.counterpart?.remoteId ?? author.did], messages: [] }
    if (!known) this.#convos.push(convo)
    this.#count += 1
    const rev = keyAt(item.at, this.#count)
    const said = { id: item.remoteId, rev, sender: { did: author.did }, sentAt: new Date(item.at).toISOString() }
    const message = { ...said, ...(!item.deleted && { text: item.text }) }
    convo.messages.unshift(message)
    this.#log.push({ type: 'logCreateMessage', convo, message, rev })
  }

  /** Someone deletes a post of theirs. */
  remove(uri: string): void {
    const found = this.#at(uri)
    found?.account.records.delete(uri.split('/').at(-1) ?? '')
  }

  /** app.bsky.notification.listNotifications. A reply that also mentions the account is listed as a mention. */
  notifications(account: Account, params: URLSearchParams): unknown {
    const limit = Number(params.get('limit') ?? 50)
    const reasons = params.getAll('reasons')
    const all = this.#all()
      .flatMap((found) => {
        const reason = found.account === account ? undefined : reasonOf(found.record, account.did)
        return reason ? [{ ...found, reason }] : []
      })
      .toSorted((a, b) => ((a.record.createdAt ?? '') < (b.record.createdAt ?? '') ? 1 : -1))
    const start = Number(params.get('cursor') ?? 0)
    // like the app view: a page can be empty although there are more
    const page = all
      .slice(start, start + limit)
      .filter(({ reason }) => reasons.length === 0 || reasons.includes(reason))
    return {
      ...(start + limit < all.length && { cursor: String(start + limit) }),
      notifications: page.map(({ account: author, uri, cid, record, reason }) => ({
        uri,
        cid,
        author: { did: author.did, handle: author.handle },
        reason,
        record,
        isRead: false,
        indexedAt: record.createdAt,
      })),
    }
  }

  /** app.bsky.feed.getPostThread, upwards; undefined if there is no such post. `view` renders a post. */
  thread(uri: string, view: (uri: string) => unknown): unknown {
    const found = this.#at(uri)
    if (!found) return undefined
    const parent = found.record.reply?.parent.uri
    return {
      $type: 'app.bsky.feed.defs#threadViewPost',
      post: view(uri),
      ...(parent !== undefined && {
        parent: this.thread(parent, view) ?? { $type: 'app.bsky.feed.defs#notFoundPost', uri: parent, notFound: true },
      }),
    }
  }

  /** Someone sends a message. Returns its ID. */
  say({ from, to, text }: Said): string {
    const members = [this.#accounts.named(from).did, this.#accounts.named(to).did]
    const known = this.#convos.find((convo) => members.every((did) => convo.members.includes(did)))
    const convo = known ?? { id: `convo${this.#convos.length}`, members, messages: [] }
    if (!known) this.#convos.push(convo)
    const rev = this.#key()
    const message = {
      id: randomUUID(),
      rev,
      sender: { did: members[0] ?? '' },
      text,
      sentAt: new Date(this.#now()).toISOString(),
    }
    convo.messages.unshift(message)
    this.#log.push({ type: 'logCreateMessage', convo, message, rev })
    return message.id
  }

  /** The texts of all messages. */
  said(): string[] {
    return this.#convos.flatMap(({ messages }) => messages.flatMap(({ text }) => text ?? []))
  }

  /** Deletes a message. */
  unsay(id: string): void {
    for (const convo of this.#convos)
      for (const message of convo.messages)
        if (message.id === id) {
          delete message.text
          this.#log.push({ type: 'logDeleteMessage', convo, message, rev: this.#key() })
        }
  }

  /** The write calls of chat.bsky.convo; undefined for others, and for conversations and messages that don't exist. */
  writeInChat(account: Account, method: string, { convoId, message, messageId, value }: SentInChat): unknown {
    const convo = this.#convos.find(({ id, members }) => id === convoId && members.includes(account.did))
    if (!convo) return undefined
    if (method === 'chat.bsky.convo.sendMessage' && message) {
      const rev = this.#key()
      const said = {
        id: randomUUID(),
        rev,
        sender: { did: account.did },
        text: message.text,
        sentAt: new Date(this.#now()).toISOString(),
      }
      convo.messages.unshift(said)
      this.#log.push({ type: 'logCreateMessage', convo, message: said, rev })
      return messageView(said)
    }
    const named = convo.messages.find(({ id }) => id === messageId)
    if (!named || value === undefined) return undefined
    if (method === 'chat.bsky.convo.addReaction') this.reactions.set(named.id, value)
    else if (method === 'chat.bsky.convo.removeReaction') this.reactions.delete(named.id)
    else return undefined
    return { message: messageView(named) }
  }

  /** The read calls of chat.bsky.convo; undefined for others. */
  chat(account: Account, method: string, params: URLSearchParams): unknown {
    const own = this.#convos.filter(({ members }) => members.includes(account.did))
    const named = own.find(({ id }) => id === params.get('convoId'))
    const view = ({ id, members, messages }: Convo) => ({
      id,
      rev: messages[0]?.rev ?? '',
      members: members.map((did) => ({ did, handle: this.#accounts.named(did).handle })),
      muted: false,
      unreadCount: 0,
    })
    if (method === 'chat.bsky.convo.listConvos')
      return { convos: own.map(view).toSorted((a, b) => (a.rev < b.rev ? 1 : -1)) }
    if (method === 'chat.bsky.convo.getMessages') return { messages: (named?.messages ?? []).map(messageView) }
    if (method === 'chat.bsky.convo.getConvo') return named && { convo: view(named) }
    if (method !== 'chat.bsky.convo.getLog') return undefined
    const after = params.get('cursor') ?? ''
    const logs = this.#log.filter(({ convo, rev }) => own.includes(convo) && rev > after)
    return {
      cursor: logs.at(-1)?.rev ?? after,
      logs: logs.map(({ type, convo, message, rev }) => ({
        $type: `chat.bsky.convo.defs#${type}`,
        rev,
        convoId: convo.id,
        message: messageView(message),
      })),
    }
  }

  #key(): string {
    this.#count += 1
    return keyAt(this.#now(), this.#count)
  }

  #rootOf({ uri, cid, record }: Found): unknown {
    return record.reply?.root ?? { uri, cid }
  }

  #at(uri: string): Found | undefined {
    const [, did = '', key = ''] = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(uri) ?? []
    const account = this.#accounts.known(did)
    const stored = account?.records.get(key)
    // records are posts, by our own adapter or by the people in this file
    return account && stored && { account, uri, cid: stored.cid, record: stored.record as Post }
  }

  #all(): Found[] {
    return this.#accounts
      .all()
      .flatMap((account) =>
        [...account.records.keys()].flatMap((key) => this.#at(`at://${account.did}/app.bsky.feed.post/${key}`) ?? []),
      )
  }
}

const messageView = (message: Message) => ({
  $type: `chat.bsky.convo.defs#${message.text === undefined ? 'deletedMessageView' : 'messageView'}`,
  ...message,
})

function reasonOf({ reply, facets = [], embed }: Post, did: string): string | undefined {
  const isOf = (uri: string | undefined): boolean => uri?.startsWith(`at://${did}/`) === true
  if (facets.some(({ features }) => features.some((one) => one.did === did))) return 'mention'
  if (isOf(reply?.parent.uri)) return 'reply'
  return isOf(embed?.record?.uri ?? embed?.record?.record?.uri) ? 'quote' : undefined
}
