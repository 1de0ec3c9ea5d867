import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail, type Failure } from '../errors.ts'
import { counter, hasBody, networkOf, whenOver } from './connections.ts'

/** Bytes of bodies in memory at once. docs/operations.md prints them. */
export type BodyShares = {
  /** Of callers who aren't known to be signed in. */
  strangers: { all: number; address: number }
  /** Of people whose session was checked on this node. */
  people: { all: number; address: number; person: number }
}

export const BODY_SHARES: BodyShares = {
  strangers: { all: 64_000_000, address: 8_000_000 },
  people: { all: 192_000_000, address: 24_000_000, person: 8_000_000 },
}

declare module 'fastify' {
  interface FastifyInstance {
    /** How many bytes of bodies are in memory right now. */
    heldBytes(): number
  }
}

/**
 * Limits the bytes of bodies in memory. They count as they arrive, because announcing a
 * length costs nothing, and until the response is sent. Strangers have a share of their own, which leaves the other one
 * to people who are signed in. `personOf` returns the caller's key, or undefined for a stranger.
 */
export function boundBodies(
  app: FastifyInstance,
  { strangers, people }: BodyShares,
  personOf: (request: FastifyRequest) => string | undefined,
): void {
  const ofStrangers = new Share(strangers.all, { makesRoom: true })
  const ofPeople = new Share(people.all, { makesRoom: false })
  /** Decided with the first byte: a large body is read only after its session was checked. */
  const holdersOf = (request: FastifyRequest): [Share, Holders] => {
    const person = personOf(request)
    const address = (most: number) => ({ key: `address ${networkOf(request.ip)}`, most, refusal: NETWORK })
    if (person === undefined) return [ofStrangers, [address(strangers.address)]]
    return [ofPeople, [{ key: person, most: people.person, refusal: PERSON }, address(people.address)]]
  }

  app.addHook('preParsing', async (request, reply, payload) => {
    if (!hasBody(request) || request.routeOptions.config.streamed) return payload
    const body = new Body((refused) => meter.destroy(refused))
    const meter = metered(payload, (bytes) => body.take(bytes, () => holdersOf(request)))
    whenOver(reply.raw, () => body.giveBack())
    payload.once('end', () => body.arrived())
    return meter
  })
  app.decorate('heldBytes', () => ofStrangers.held + ofPeople.held)
}

/** What one request's body holds. */
class Body {
  #of: [Share, Holders] | undefined
  #booked = 0
  #isOver = false
  readonly #end: (refused: Failure) => void

  constructor(end: (refused: Failure) => void) {
    this.#end = end
  }

  take(bytes: number, holders: () => [Share, Holders]): void {
    // nobody keeps what arrives after the response
    if (this.#isOver) return
    this.#of ??= holders()
    const [share, by] = this.#of
    share.take(by, bytes, this)
    this.#booked += bytes
  }

  /** It's all there: it no longer makes room for others. */
  arrived(): void {
    this.#of?.[0].arrived(this.#of[1], this)
  }

  /** Ends with the refusal. */
  cut(refused: Failure): void {
    this.giveBack()
    this.#end(refused)
  }

  giveBack(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.arrived()
    this.#of?.[0].giveBack(this.#of[1], this.#booked)
  }
}

type Holder = { key: string; most: number; refusal: () => Failure }
type Holders = readonly [Holder, ...Holder[]]

const SOON = { retryAfterSeconds: 10 }
const NETWORK = () =>
  fail('RATE_LIMITED', {
    detail: 'Your network is sending too much at once. Nothing was changed. Try again in a moment.',
    meta: SOON,
  })
const PERSON = () =>
  fail('TOO_MANY_REQUESTS', {
    detail: "You're sending too much at once. Nothing was changed. Try again in a moment.",
    meta: { ...SOON, limit: 'person' },
  })
const BUSY = () =>
  fail('UNAVAILABLE', { detail: 'Rookery is busy. Nothing was changed. Try again in a moment.', meta: SOON })

/**
 * Bytes that many hold. Besides its own limit, the first holder of each body can't hold more than what it leaves free, so
 * however many hold something, there's some left for the next. Where the first holder is an address, which many people
 * may share, its unfinished bodies make room for the newest, the oldest first: a login arrives at once, so nobody keeps
 * others out by sending slowly.
 */
class Share {
  readonly #all: number
  readonly #makesRoom: boolean
  readonly #by = counter()
  /** What is still arriving, by first holder, oldest first. */
  readonly #arriving = new Map<string, Set<Body>>()
  #held = 0

  constructor(all: number, { makesRoom }: { makesRoom: boolean }) {
    this.#all = all
    this.#makesRoom = makesRoom
  }

  get held(): number {
    return this.#held
  }

  /** Throws the refusal of the holder that would have too much, and takes nothing then. */
  take(holders: Holders, bytes: number, body: Body): void {
    const { key } = holders[0]
    for (let refused = this.#refusal(holders, bytes); refused; refused = this.#refusal(holders, bytes)) {
      const oldest = this.#arriving.get(key)?.values().next().value
      if (!this.#makesRoom || oldest === undefined || oldest === body) throw refused()
      oldest.cut(refused())
    }
    this.#add(holders, bytes)
    const arriving = this.#arriving.get(key) ?? new Set()
    this.#arriving.set(key, arriving.add(body))
  }

  arrived([{ key }]: Holders, body: Body): void {
    const arriving = this.#arriving.get(key)
    arriving?.delete(body)
    if (arriving?.size === 0) this.#arriving.delete(key)
  }

  giveBack(holders: Holders, bytes: number): void {
    this.#add(holders, -bytes)
  }

  #refusal(holders: Holders, bytes: number): (() => Failure) | undefined {
    const full = holders.find(({ key, most }) => this.#by.of(key) + bytes > most)
    if (full) return full.refusal
    return this.#by.of(holders[0].key) + bytes > this.#all - this.#held - bytes ? BUSY : undefined
  }

  #add(holders: Holders, bytes: number): void {
    this.#held += bytes
    for (const { key } of holders) this.#by.add(key, bytes)
  }
}

/** The same bytes, each piece booked before it's passed on. Reads nothing before it's read itself. */
function metered(payload: NodeJS.ReadableStream, book: (bytes: number) => void): Readable {
  let isStarted = false
  const pass = (chunk: Buffer) => {
    try {
      book(chunk.length)
    } catch (refused) {
      payload.removeListener('data', pass)
      meter.destroy(refused instanceof Error ? refused : new Error(String(refused)))
      return
    }
    if (!meter.push(chunk)) payload.pause()
  }
  const start = () => {
    payload.on('data', pass)
    payload.once('end', () => meter.push(null))
    payload.once('error', (error) => meter.destroy(error))
  }
  const meter = new Readable({
    read() {
      if (isStarted) payload.resume()
      else if ('destroyed' in payload && payload.destroyed) meter.destroy(new Error('the client disconnected'))
      else start()
      isStarted = true
    },
  })
  // its reader listens for as long as it matters
  meter.on('error', () => undefined)
  return meter
}
