import type { Page } from '@playwright/test'
import type { CallOf, EndpointShape, ReplyOf } from '#contract/endpoint.ts'

/**
 * Calls an endpoint as the page's user, bypassing the page: for what a journey needs before it begins. Throws if the
 * call is refused.
 */
export async function callAs<E extends EndpointShape>(
  page: Page,
  endpoint: E,
  ...args: object extends CallOf<E> ? [] : [input: CallOf<E>]
): Promise<ReplyOf<E>> {
  const { params = {}, body } = partsOf(args[0])
  const address = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const reply = await page.request.fetch(address, {
    method: endpoint.method,
    ...(body === undefined ? {} : { data: body }),
  })
  if (!reply.ok()) throw new Error(`${endpoint.method} ${address}: ${reply.status()} ${await reply.text()}`)
  // the server's own tests check its replies against their contract
  return (await reply.json()) as ReplyOf<E>
}

/** The typed input as its loose parts; CallOf guarantees to the caller what these types don't. */
function partsOf(input: object | undefined): { params?: Record<string, unknown>; body?: unknown } {
  return input ?? {}
}
