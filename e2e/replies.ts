import type { Page } from '@playwright/test'
import { errorCatalog, type ErrorCode } from '#contract/errors.ts'

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
  await page.route(address, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: change(await answer.json()) })
  })
}
