import type { Access, EndpointShape } from '#contract/endpoint.ts'
import { entranceOf, pastEntrance, type Entered } from '../db/tenant.ts'
import { admit, type Grant } from './access.ts'
import { countOnce, noteUse, setWho, type Call } from './call.ts'
import type { Question } from './checks.ts'
import { compressKept, encodingFor, isLargeEnough, vary } from './compress.ts'
import type { HeldReply } from './heldReplies.ts'
import { parse } from './input.ts'
import { sendJson } from './present.ts'
import {
  figureRightsOf,
  questionOf,
  readTag,
  renewedTag,
  rightsOf,
  stillHolds,
  tagOf,
  type KnownTag,
} from './revision.ts'
import type { AsOf } from './route.ts'

/*
 * Replies that were made before. A request is answered with 304, or with the bytes of an earlier reply to the same
 * question of the same person, if one check at the database (checks.ts) finds that its caller may still enter with the
 * same rights, and that nothing in the reply changed. In any doubt, the request is answered as if there were none.
 */

/**
 * Answers from an earlier reply. Returns whether it did: false if there's none that still holds. Throws what the access
 * check throws.
 */
export async function answerHeld(call: Call): Promise<boolean> {
  const { endpoint, request, reply, options, ids, now } = call
  if (endpoint.method !== 'GET' || endpoint.changes || endpoint.access.kind !== 'project') return false
  const { url, headers } = request
  const tag = endpoint.revisioned ? readTag(headers['if-none-match']) : undefined
  const past = pastEntrance(options.pool, ids)
  const before = past && readerIfAdmitted(past.entered, endpoint, now)
  const key = before && keyOf(before, url)
  const held = key === undefined ? undefined : options.held.get(key)
  if (!tag && !held) return false
  const ask = () => options.checks.ask(questionFor(call, tag, held))
  // strangers wait for their turn at the database
  const checked = await (past ? ask() : options.admission.atDatabase(ids, request, ask))
  if (!checked) return false
  const entered = entranceOf(options.pool, ids, checked.entered)
  setWho(call, entered)
  const { grant, rights } = readerOf(entered, endpoint, now)
  const reader = { what: endpoint.revisioned ?? 'posts', rights, now }
  countOnce(call, grant)
  if (tag && stillHolds(tag, checked, reader)) {
    // a held reply's URL was parsed when the reply was made
    if (!held) parse(endpoint, request)
    const question = held?.question ?? questionOf(endpoint, url)
    const next = tag.question === question && renewedTag(question, checked, reader)
    if (next) {
      noteUse(call, entered)
      void reply.code(304).header('etag', next).send()
      return true
    }
  }
  if (!key || !held || !stillHolds(held.asOf, checked, reader)) return false
  const next = 'stamp' in held.asOf ? undefined : renewedTag(held.question, checked, reader)
  if (next) void reply.header('etag', next)
  noteUse(call, entered)
  await sendHeld(call, key, held)
  return true
}

/** Holds a reply that was just made, and gives it its ETag. */
export function hold(call: Call, asOf: AsOf, json: string): void {
  const { endpoint, request, reply, options, ids, who } = call
  const question = questionOf(endpoint, request.url)
  const tag = endpoint.revisioned && 'recent' in asOf ? tagOf(question, asOf) : undefined
  if (tag !== undefined) void reply.header('etag', tag)
  if ('recent' in asOf && asOf.recent === null) return
  if (endpoint.method !== 'GET' || endpoint.access.kind !== 'project' || !ids.tokenHash || !who.personId) return
  options.held.put(keyOf({ personId: who.personId, rights: asOf.revision.rights }, request.url), asOf, question, json)
}

type Endpoint = Pick<EndpointShape, 'access' | 'revisioned'>
type Reader = { grant: Grant; personId: string; rights: string }

/** One person's replies are never another's, even where both have the same rights. */
const keyOf = ({ personId, rights }: Pick<Reader, 'personId' | 'rights'>, url: string): string =>
  `${personId} ${rights} ${url}`

const readers = new WeakMap<Entered, WeakMap<Access, Reader>>()

/** What an entrance grants, decided once for as long as it's the same. Its plan facts are as of the first time. */
function readerOf(entered: Entered, { access, revisioned }: Endpoint, now: Date): Reader {
  if (revisioned === 'figures') return figureReaderOf(entered, access, now)
  const byAccess = readers.get(entered) ?? new WeakMap<Access, Reader>()
  readers.set(entered, byAccess)
  const known = byAccess.get(access)
  if (known) return known
  const grant = admit(access, entered, now)
  const reader = { grant, personId: grant.caller?.personId ?? '', rights: rightsOf(grant) }
  byAccess.set(access, reader)
  return reader
}

/** Figures also depend on what the plan includes at this time, and on the day. */
function figureReaderOf(entered: Entered, access: Access, now: Date): Reader {
  const grant = admit(access, entered, now)
  return { grant, personId: grant.caller?.personId ?? '', rights: figureRightsOf(grant, now) }
}

function readerIfAdmitted(entered: Entered, endpoint: Endpoint, now: Date): Reader | undefined {
  try {
    return readerOf(entered, endpoint, now)
  } catch {
    // the refusal is thrown by what the database returns now
    return undefined
  }
}

/** What has to be known to judge the client's tag and the held reply. */
function questionFor({ ids, endpoint }: Call, tag: KnownTag | undefined, held: HeldReply | undefined): Question {
  const post = held && 'stamp' in held.asOf ? held.asOf : undefined
  const lists = [tag, post ? undefined : held?.asOf].flatMap((asOf) => (asOf ? [BigInt(asOf.revision.xid)] : []))
  const since = lists.length === 0 ? undefined : lists.reduce((one, other) => (one < other ? one : other)).toString()
  return {
    ids,
    ...(since !== undefined && { since, what: endpoint.revisioned ?? 'posts' }),
    ...(post && { postId: post.postId }),
  }
}

async function sendHeld({ request, reply, options }: Call, key: string, held: HeldReply): Promise<void> {
  const encoding = isLargeEnough(held.body.length) ? encodingFor(request) : undefined
  const body = encoding ? await options.held.compressed(key, held, encoding, compressKept) : held.body
  if (encoding) vary(reply.header('content-encoding', encoding))
  void sendJson(reply, body)
}
