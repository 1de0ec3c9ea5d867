import type { z } from 'zod'
import { graph, isGone, type GraphCall } from '../graph.ts'
import type { ContainerApi, Form } from '../graphContainers.ts'
import { FACEBOOK } from '../graphLogin.ts'
import type { Reach } from '../platform.ts'
import { secretReader, withSecretOf } from '../secretReader.ts'
import { isGoneContainer, LABEL, refusalOf, refusalOfContainer } from './refusals.ts'
import { Container, InstagramSecret, Made } from './schemas.ts'

export const INSTAGRAM = 'https://graph.instagram.com'
export const READ_TIMEOUT_MS = 10_000
const CREATE_TIMEOUT_MS = 60_000

export const readSecret = secretReader(InstagramSecret)
export const withSecret = withSecretOf(InstagramSecret)

/** The same API on two hosts: which one depends on how the account was connected. */
const baseOf = ({ login }: InstagramSecret): string => (login === 'facebook' ? FACEBOOK : `${INSTAGRAM}/v25.0`)

/** Reads a node or an edge on the account's host. */
export const read = <T>(
  reach: Reach,
  secret: InstagramSecret,
  path: string,
  query: Record<string, string>,
  reply: z.ZodType<T>,
) => graph(reach, { base: baseOf(secret), path, token: secret.accessToken, query, reply, timeoutMs: READ_TIMEOUT_MS })
/** One call that creates or changes something on the account's host. */
export const change = <T>(
  reach: Reach,
  secret: InstagramSecret,
  call: Pick<GraphCall<T>, 'path' | 'method' | 'form' | 'reply' | 'timeoutMs'>,
) => graph(reach, { base: baseOf(secret), token: secret.accessToken, ...call })

/** This account's containers, checked once a minute (Instagram Platform, content publishing). */
export function containersOf(reach: Reach, secret: InstagramSecret): ContainerApi {
  return {
    label: LABEL,
    everySeconds: 60,
    problem: refusalOfContainer,
    create: async (form: Form) => {
      const made = await change(reach, secret, {
        path: `/${secret.userId}/media`,
        method: 'POST',
        form,
        reply: Made,
        timeoutMs: CREATE_TIMEOUT_MS,
      })
      return made.kind === 'ok'
        ? { kind: 'created', id: made.value.id }
        : refusalOf(made, { doing: 'publish-post', irreversible: false })
    },
    look: async (id: string) => {
      const seen = await read(reach, secret, `/${id}`, { fields: 'id,status_code,status' }, Container)
      if (seen.kind === 'ok') return { kind: 'state', state: seen.value.status_code, problem: seen.value.status }
      return isGone(seen) || isGoneContainer(seen)
        ? { kind: 'gone' }
        : refusalOf(seen, { doing: 'show-progress', irreversible: false })
    },
  }
}
