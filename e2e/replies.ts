import type { Page } from '@playwright/test'
import { EARLY_ELEMENT } from '#contract/early.ts'
import { errorCatalog, type ErrorCode } from '#contract/errors.ts'

/** Pages of projects come without early data, so that their first replies pass through the routes of a test. */
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

/** Answers the next call to the address with a refusal, as the server writes it; later calls reach the server. */
export async function refuseOnce(
  page: Page,
  address: string | RegExp,
  code: ErrorCode,
  facts: Facts = {},
): Promise<void> {
  await refuse(page, address, code, facts, 1)
}

/** Answers all calls to the address so, until `page.unroute`, or so many of them. */
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
  await page.route(
    address,
    (route) => route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    times === undefined ? {} : { times },
  )
}

/** Lets the server answer and changes what it says, for states that only time brings about. */
export async function changeReply(
  page: Page,
  address: string | RegExp,
  change: (reply: unknown) => unknown,
): Promise<void> {
  await withoutEarlyData(page)
  await page.route(address, async (route) => {
    // a reply that is known already has no body to change
    const { 'if-none-match': _, ...headers } = route.request().headers()
    const answer = await route.fetch({ headers })
    await route.fulfill({ response: answer, json: change(await answer.json()) })
  })
}
