import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { CallOf, EndpointShape, ReplyOf } from '#contract/endpoint.ts'
import { Problem } from '#contract/errors.ts'
import type { TestPerson } from './people.ts'

/** A failed call, with the server's response. */
export class ApiFailure extends Error {
  readonly problem: Problem
  readonly status: number
  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}${problem.errors ? ` ${JSON.stringify(problem.errors)}` : ''}`)
    this.name = 'ApiFailure'
    this.problem = problem
    this.status = problem.status
  }
  get code() {
    return this.problem.code
  }
}

export type CallOptions = {
  /** Whose browser sends it. */ as?: TestPerson
  headers?: Record<string, string>
  remoteAddress?: string
}
type AnyInput = { params?: unknown; query?: unknown; body?: unknown }

/** The typed client over app.inject: stores each person's cookies. */
export function clientOf(app: FastifyInstance) {
  /** Sends the request and returns the raw response. */
  async function send(
    endpoint: EndpointShape,
    input: AnyInput,
    options: CallOptions = {},
  ): Promise<LightMyRequestResponse> {
    const { as, headers = {}, remoteAddress } = options
    const cookie =
      as && as.cookies.size > 0 ? { cookie: [...as.cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}
    const request: InjectOptions = {
      method: endpoint.method,
      url: urlOf(endpoint, input),
      headers: { ...cookie, ...headers },
      ...(remoteAddress && { remoteAddress }),
    }
    if (input.body !== undefined) {
      request.payload = JSON.stringify(input.body)
      request.headers = { 'content-type': 'application/json', ...request.headers }
    }
    const response = await app.inject(request)
    if (as) keepCookies(as, response)
    return response
  }

  /** Calls an endpoint and returns its reply; throws ApiFailure for problem details. */
  async function call<E extends EndpointShape>(
    endpoint: E,
    input: CallOf<E>,
    options: CallOptions = {},
  ): Promise<ReplyOf<E>> {
    const response = await send(endpoint, input, options)
    if (response.statusCode >= 400) throw new ApiFailure(Problem.parse(response.json()))
    // the app under test runs with checkReplies, so the endpoint's schema has parsed the response
    return response.json<ReplyOf<E>>()
  }

  return { send, call }
}

/** Fills `:name` parameters and the query into the endpoint's path. */
export function urlOf(endpoint: EndpointShape, input: AnyInput): string {
  const params = new Map(Object.entries(input.params ?? {}))
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params.get(name) ?? '')))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  return query.size > 0 ? `${path}?${query.toString()}` : path
}

function keepCookies(person: TestPerson, response: LightMyRequestResponse): void {
  for (const cookie of response.cookies) {
    if (cookie.maxAge === 0 || cookie.value === '') person.cookies.delete(cookie.name)
    else person.cookies.set(cookie.name, cookie.value)
  }
}
