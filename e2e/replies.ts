import type { Page } from '@playwright/test'
import { EARLY_ELEMENT } from '#contract/early.ts'
import { errorCatalog, type ErrorCode } from '#contract/errors.ts'

/** Serves pages of projects without early data, so that their first responses pass through the routes of a test. */
async function withoutEarlyData(page: Page): Promise<void> {
  await page.route(
    ({ pathname }) => /^\/[^/]+\/project\//.test(pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return await route.fallback()
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: (await answer.text()).replace(EARLY_ELEMENT_TEXT, '') })
    },
  )
}
const EARLY_ELEMENT_TEXT = new RegExp(`<script id="${EARLY_ELEMENT.id}"[^]*?</script>`)

type Facts = { errors?: Record<string, string[]>; meta?: Record<string, unknown> }

/** Responds to the next call of the path with a refusal, as the server words it; later calls reach the server. */
export async function refuseOnce(
  page: Page,
  address: string | RegExp,
  code: ErrorCode,
  facts: Facts = {},
): Promise<void> {
  await refuse(page, address, code, facts, 1)
}

/**
 * Responds to all calls of the path like this, until `page.unroute`, or to this many of them. With errors of fields only to
 * those that write: a screen may read the same path at any moment.
 */
export async function refuse(
  page: Page,
  address: string | RegExp,
  code: ErrorCode,
  facts: Facts = {},
  times?: number,
): Promise<void> {
  await withoutEarlyData(page)
  const { status, detail } = errorCatalog[code]
  const problem = { type: `urn:rookery:error:${code}`, title: code, status, detail, code, requestId: 'test', ...facts }
  let left = times ?? Infinity
  await page.route(address, async (route) => {
    if (left === 0 || ('errors' in facts && route.request().method() === 'GET')) {
      await route.fallback()
      return
    }
    left -= 1
    await route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) })
  })
}

/** Lets the server respond and changes the response, for states that only time would bring about. */
export async function changeReply(
  page: Page,
  address: string | RegExp,
  change: (reply: unknown) => unknown,
): Promise<void> {
  await withoutEarlyData(page)
  await page.route(address, async (route) => {
    // a response that is already cached has no body to change
    const { 'if-none-match': _, ...headers } = route.request().headers()
    const answer = await route.fetch({ headers })
    await route.fulfill({ response: answer, json: change(await answer.json()) })
  })
}
