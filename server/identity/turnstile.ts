import { z } from 'zod'
import type { Databases } from '../db/pools.ts'
import type { Env } from '../env.ts'
import type { Log } from '../log.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { installationSecret } from '../secret.ts'
import { createHumanCheck, type HumanCheck } from './humanCheck.ts'

/** Where Cloudflare verifies a token (developers.cloudflare.com/turnstile/get-started/server-side-validation). */
export const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

const Verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) })

type TurnstileOptions = {
  siteKey: string
  secretKey: string
  fetch: SafeFetch
  log: Log
  /** For tests. */ siteverify?: string
}

/** Turnstile if its keys are configured, otherwise our own puzzles. */
export function humanCheckOf(
  { env, databases, fetch, log }: { env: Env; databases: Databases; fetch: SafeFetch; log: Log },
  puzzles: () => HumanCheck = () => createHumanCheck(databases, installationSecret(env, 'human check')),
): HumanCheck {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey } = env
  return siteKey !== undefined && secretKey !== undefined
    ? createTurnstile({ siteKey, secretKey, fetch, log })
    : puzzles()
}

/**
 * The human check by Cloudflare Turnstile. Cloudflare makes sure that tokens work once, for 5 minutes. While it can't
 * be reached, nobody gets through, and the log says so.
 */
export function createTurnstile({
  siteKey,
  secretKey,
  fetch,
  log,
  siteverify = SITEVERIFY,
}: TurnstileOptions): HumanCheck {
  return {
    challenge: () => Promise.resolve({ kind: 'turnstile', siteKey }),
    async accepts(token) {
      const body = new URLSearchParams({ secret: secretKey, response: token }).toString()
      const answer = await fetch(siteverify, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
        timeoutMs: 10_000,
        maxBytes: 100_000,
      })
      const verdict = answer.kind === 'answer' ? read(answer.body) : undefined
      if (!verdict) {
        log.warn(
          { answer: answer.kind === 'answer' ? answer.status : answer.detail },
          "Turnstile can't be reached: nobody can pass the human check",
        )
        return false
      }
      const ours = verdict['error-codes'].filter((code) => code.includes('secret'))
      if (ours.length > 0)
        log.error({ errors: ours }, 'Turnstile rejects TURNSTILE_SECRET_KEY: nobody can pass the human check')
      return verdict.success
    },
  }
}

function read(body: Uint8Array): z.infer<typeof Verdict> | undefined {
  try {
    return Verdict.safeParse(JSON.parse(Buffer.from(body).toString('utf8'))).data
  } catch {
    // not JSON: no result
    return undefined
  }
}
