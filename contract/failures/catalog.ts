import type { z } from 'zod'
import { bluesky } from './bluesky.ts'
import { boosts } from './boosts.ts'
import { calls } from './calls.ts'
import {
  about,
  Quote,
  type Entry,
  type Occasion,
  type Remedy,
  remedies,
  type Say,
  type StoredReason,
} from './define.ts'
import { google } from './google.ts'
import { inbox } from './inbox.ts'
import { linkedin } from './linkedin.ts'
import { mastodon } from './mastodon.ts'
import { meta } from './meta.ts'
import { pinterest } from './pinterest.ts'
import { formerly, publishing } from './publishing.ts'
import { tiktok } from './tiktok.ts'
import { x } from './x.ts'

const known = {
  ...calls,
  ...publishing,
  ...boosts,
  ...bluesky,
  ...google,
  ...inbox,
  ...linkedin,
  ...mastodon,
  ...meta,
  ...pinterest,
  ...tiktok,
  ...x,
}
type Known = typeof known
export type ReasonCode = keyof Known
type ParamsOf<Code extends ReasonCode> = z.infer<Known[Code]['params']>

/** Texts stored before reasons had codes. Nothing new is written with it: `because` doesn't offer it. */
const other = about(
  { sentence: Quote, advice: Quote },
  ({ sentence }) => sentence,
  ({ advice }) => advice,
)

/** Every code, by its name. */
export const catalog: ReadonlyMap<string, Entry> = new Map<string, Entry>(
  Object.entries({ ...known, ...formerly, other }),
)

declare const ofTheCatalog: unique symbol
/**
 * Why something failed: a code of the catalog with its parameters, and the platform's own code. Only `because` creates
 * one.
 */
export type Reason = StoredReason & { readonly code: ReasonCode; readonly [ofTheCatalog]: true }

type Arguments<Code extends ReasonCode> = ParamsOf<Code> extends Record<string, never> ? [] : [params: ParamsOf<Code>]

/** A reason, with the parameters of its code. */
export const because = <Code extends ReasonCode>(code: Code, ...[params]: Arguments<Code>): Reason =>
  // the mark only exists in types, and is only set here: no adapter can store a sentence of its own
  ({ code, ...(params && { params }) }) as Reason

const IN_A_FEW_MINUTES = 'Try again in a few minutes.'
const AUTOMATICALLY = "We'll try again automatically."
const AS_SOON_AS_ALLOWED = "We'll try again as soon as the platform allows it."
const NEXT_UPDATE = "We'll try again with the next update."

const remedyFor: Record<Remedy, Record<Occasion, string>> = {
  retry: {
    post: AUTOMATICALLY,
    edit: IN_A_FEW_MINUTES,
    remove: IN_A_FEW_MINUTES,
    connect: IN_A_FEW_MINUTES,
    renewal: AUTOMATICALLY,
    lookup: IN_A_FEW_MINUTES,
    addition: IN_A_FEW_MINUTES,
    figures: NEXT_UPDATE,
    boost: AUTOMATICALLY,
    inbox: AUTOMATICALLY,
    reply: IN_A_FEW_MINUTES,
  },
  slow: {
    post: AS_SOON_AS_ALLOWED,
    edit: IN_A_FEW_MINUTES,
    remove: IN_A_FEW_MINUTES,
    connect: IN_A_FEW_MINUTES,
    renewal: AS_SOON_AS_ALLOWED,
    lookup: IN_A_FEW_MINUTES,
    addition: IN_A_FEW_MINUTES,
    figures: NEXT_UPDATE,
    boost: AS_SOON_AS_ALLOWED,
    inbox: AS_SOON_AS_ALLOWED,
    reply: IN_A_FEW_MINUTES,
  },
  change: {
    post: 'Change the post and send it again.',
    edit: 'Change the post and save it again.',
    remove: 'Delete it on the platform itself.',
    connect: 'Start again, or connect another account.',
    renewal: 'Reconnect the channel.',
    lookup: 'Try other words.',
    addition: 'Change what you entered, or add it on the platform itself.',
    figures: `You don't have to do anything. ${NEXT_UPDATE}`,
    boost: 'Check it in Ads Manager, then promote the post again.',
    inbox: 'Reconnect the channel.',
    reply: 'Change the text and send it again.',
  },
}
const isRemedy = (advice: string): advice is Remedy => remedies.some((remedy) => remedy === advice)

/** Written by a newer version, or damaged. */
const UNKNOWN = 'Something went wrong.'

const wording = (occasion: Occasion): Say => ({
  sentence: (reason) => worded(reason, 'sentence', occasion) ?? UNKNOWN,
  advice: (reason) => {
    const advice = worded(reason, 'advice', occasion) ?? ''
    return isRemedy(advice) ? remedyFor[advice][occasion] : advice
  },
})

function worded({ code, params }: StoredReason, what: 'sentence' | 'advice', occasion: Occasion): string | undefined {
  const entry = catalog.get(code)
  const parsed = entry?.params.safeParse(params ?? {})
  return entry && parsed?.success ? entry[what](parsed.data, wording(occasion)) : undefined
}

/** What happened, as one or more whole sentences. A code that this version doesn't know is worded in general terms. */
export const sentenceOf = (reason: Pick<StoredReason, 'code' | 'params'>): string => wording('post').sentence(reason)

/** What to do next, depending on what was being done; '' if there's nothing to do. */
export const adviceFor = (reason: Pick<StoredReason, 'code' | 'params'>, occasion: Occasion = 'post'): string =>
  wording(occasion).advice(reason)

/** Both, one after the other. */
export const wordsOf = (reason: Pick<StoredReason, 'code' | 'params'>, occasion: Occasion = 'post'): string =>
  [sentenceOf(reason), adviceFor(reason, occasion)].filter(Boolean).join(' ')
