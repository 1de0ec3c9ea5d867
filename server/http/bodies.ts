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
  const ofStrangers = new Share(strangers.all)
  const ofPeople = new Share(people.all)
  /** Decided with the first byte: a large body is read only after its session was checked. */
  const holdersOf = (request: FastifyRequest): [Share, Holders] => {
    const person = personOf(request)
    const address = (most: number) => ({ key: `address ${networkOf(request.ip)}`, most, refusal: NETWORK })
    if (person === undefined) return [ofStrangers, [address(strangers.address)]]
    return [ofPeople, [{ key: person, most: people.person, refusal: PERSON }, address(people.address)]]
  }

  app.addHook('preParsing', async (request, reply, payload) => {
    if (!hasBody(request) || request.routeOptions.config.streamed) return payload
    let of: [Share, Holders] | undefined
    let booked = 0
    let isOver = false
    whenOver(reply.raw, () => {
      isOver = true
      if (of) of[0].giveBack(of[1], booked)
    })
    return metered(payload, (bytes) => {
      // nobody keeps what arrives after the response
      if (isOver) return
      of ??= holdersOf(request)
      of[0].take(of[1], bytes)
      booked += bytes
    })
  })
  app.decorate('heldBytes', () => ofStrangers.held + ofPeople.held)
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
 * however many hold something, there's some left for the next.
 */
class Share {
  readonly #all: number
  readonly #by = counter()
  #held = 0

  constructor(all: number) {
    this.#all = all
  }

  get held(): number {
    return this.#held
  }

  /** Throws the refusal of the holder that would have too much, and takes nothing then. */
  take(holders: Holders, bytes: number): void {
    for (const { key, most, refusal } of holders) if (this.#by.of(key) + bytes > most) throw refusal()
    if (this.#by.of(holders[0].key) + bytes > this.#all - this.#held - bytes) throw BUSY()
    this.#add(holders, bytes)
  }

  giveBack(holders: Holders, bytes: number): void {
    this.#add(holders, -bytes)
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
