import type { AsOf } from './route.ts'

/** How many bytes of replies one node holds. */
const MOST_BYTES = 16_000_000
/** A larger reply would take the place of many. In bytes. */
const LARGEST = 2_000_000
/** How many questions are remembered that were asked once. */
const MOST_ASKED = 2000
/** About what an entry takes besides its bytes. */
const EACH = 1000

export type Encoding = 'br' | 'gzip'
export type HeldReply = {
  asOf: AsOf
  /** For lists: the query as the ETag names it. */
  question: string
  body: Buffer
  /** The body compressed, from when it's first sent that way. */
  compressed: Map<Encoding, Promise<Buffer>>
}

/**
 * Replies that may be sent again if a check at the database finds that nothing in them changed. In this node's memory,
 * never more than a fixed number of bytes; what wasn't sent for the longest time is dropped first.
 */
export class HeldReplies {
  readonly #most: number
  readonly #held = new Map<string, { reply: HeldReply; bytes: number }>()
  readonly #asked = new Set<string>()
  #bytes = 0

  constructor(most = MOST_BYTES) {
    this.#most = most
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Whether anyone asked this lately. What is asked once isn't worth finding out how long its reply holds. Always false
   * if no replies are held.
   */
  isAskedAgain(question: string): boolean {
    if (this.#most === 0) return false
    if (this.#asked.has(question)) return true
    this.#asked.add(question)
    for (const oldest of this.#asked) {
      if (this.#asked.size <= MOST_ASKED) break
      this.#asked.delete(oldest)
    }
    return false
  }

  get(key: string): HeldReply | undefined {
    const found = this.#held.get(key)
    if (!found) return undefined
    this.#held.delete(key)
    this.#held.set(key, found)
    return found.reply
  }

  put(key: string, asOf: AsOf, question: string, json: string): void {
    const body = bytesOf(json)
    this.#drop(key)
    if (body.length > LARGEST) return
    this.#held.set(key, { reply: { asOf, question, body, compressed: new Map() }, bytes: 0 })
    this.#grow(key, body.length + EACH + 2 * key.length)
  }

  /** The reply's body in this encoding: compressed by `compress` for the first who asks, kept for the others. */
  compressed(key: string, reply: HeldReply, encoding: Encoding, compress: Compress): Promise<Buffer> {
    const known = reply.compressed.get(encoding)
    if (known) return known
    const making = this.#compress(key, reply, encoding, compress)
    reply.compressed.set(encoding, making)
    return making
  }

  async #compress(key: string, reply: HeldReply, encoding: Encoding, compress: Compress): Promise<Buffer> {
    try {
      const made = apart(await compress(encoding, reply.body))
      if (this.#held.get(key)?.reply === reply) this.#grow(key, made.length)
      return made
    } catch (error) {
      reply.compressed.delete(encoding)
      throw error
    }
  }

  #grow(key: string, bytes: number): void {
    const held = this.#held.get(key)
    if (!held) return
    held.bytes += bytes
    this.#bytes += bytes
    for (const [oldest] of this.#held) {
      if (this.#bytes <= this.#most) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const held = this.#held.get(key)
    if (!held) return
    this.#bytes -= held.bytes
    this.#held.delete(key)
  }
}

/** Node cuts small buffers out of large ones, which each of them would keep: these have their own memory. */
function apart(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

function bytesOf(json: string): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  own.write(json)
  return own
}

type Compress = (encoding: Encoding, bytes: Buffer) => Promise<Buffer>
