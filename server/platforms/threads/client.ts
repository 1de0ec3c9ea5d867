import type { z } from 'zod'
import { graph, isGone, type GraphCall, type GraphFailed } from '../graph.ts'
import type { ContainerApi, Form } from '../graphContainers.ts'
import type { Reach } from '../platform.ts'
import { secretReader, withSecretOf } from '../secretReader.ts'
import { LABEL, refusalOf, refusalOfContainer } from './refusals.ts'
import { Container, Made, ThreadsSecret } from './schemas.ts'

export const HOST = 'https://graph.threads.net'
export const BASE = `${HOST}/v1.0`
export const READ_TIMEOUT_MS = 10_000
const CREATE_TIMEOUT_MS = 30_000

export const readSecret = secretReader(ThreadsSecret)
export const withSecret = withSecretOf(ThreadsSecret)

/** Reads fields of a node or an edge. */
export const read = <T>(
  reach: Reach,
  secret: ThreadsSecret,
  path: string,
  fields: string,
  reply: z.ZodType<T>,
  query: Record<string, string> = {},
): Promise<{ kind: 'ok'; value: T; headers: Record<string, string> } | GraphFailed> =>
  graph(reach, {
    base: BASE,
    path,
    token: secret.accessToken,
    query: { fields, ...query },
    reply,
    timeoutMs: READ_TIMEOUT_MS,
  })

/** One call that creates or changes something. */
export const change = <T>(
  reach: Reach,
  secret: ThreadsSecret,
  call: Pick<GraphCall<T>, 'path' | 'method' | 'form' | 'reply' | 'timeoutMs'>,
) => graph(reach, { base: BASE, token: secret.accessToken, ...call })

/** This account's containers. Videos take a minute; the platform asks for a check about every 30 s (Threads, posts). */
export function containersOf(reach: Reach, secret: ThreadsSecret): ContainerApi {
  return {
    label: LABEL,
    everySeconds: 30,
    problem: refusalOfContainer,
    create: async (form: Form) => {
      const made = await change(reach, secret, {
        path: `/${secret.userId}/threads`,
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
      const seen = await read(reach, secret, `/${id}`, 'status,error_message', Container)
      if (seen.kind === 'ok')
        return { kind: 'state', state: seen.value.status, problem: seen.value.error_message ?? '' }
      return isGone(seen) || (seen.cause === 'answered' && seen.code === 24)
        ? { kind: 'gone' }
        : refusalOf(seen, { doing: 'show-progress', irreversible: false })
    },
  }
}
