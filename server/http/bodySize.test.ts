import { describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import { exampleOf } from '../testing/example.ts'
import { inputWith, wideFields } from '../testing/worstInput.ts'
import { bodyLimitOf } from './bodySize.ts'
import { SMALL_BODY } from './connections.ts'
import { MOST_VALUES } from './invalidText.ts'

const signedIn: [string, EndpointShape & { body: NonNullable<EndpointShape['body']> }][] = Object.entries(api).flatMap(
  ([name, endpoint]: [string, EndpointShape]) =>
    endpoint.body && endpoint.access.kind !== 'public' && endpoint.bodyLimit === undefined
      ? [[name, { ...endpoint, body: endpoint.body }] as const]
      : [],
)

/** An accepted input with every long text and list at its maximum, in characters of three bytes. */
function large(endpoint: EndpointShape & { body: NonNullable<EndpointShape['body']> }): unknown {
  let body: unknown = exampleOf(endpoint.body)
  for (const field of wideFields(endpoint))
    if (field.in === 'body') body = inputWith(endpoint, field, '€', body)?.body ?? body
  return body
}

describe('the largest body', () => {
  it('is never smaller than what an endpoint accepts', () => {
    const sizes = signedIn.map(([name, endpoint]) => ({
      name,
      limit: bodyLimitOf(endpoint),
      accepted: Buffer.byteLength(JSON.stringify(large(endpoint)) ?? ''),
    }))
    expect(sizes.filter(({ limit, accepted }) => accepted > limit)).toEqual([])
    // the inputs are really large ones
    expect(sizes.filter(({ accepted }) => accepted > SMALL_BODY).length).toBeGreaterThan(5)
  })

  it('has far fewer values than are refused', () => {
    const valuesIn = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum: number, one) => sum + 1 + valuesIn(one), 0)
        : 0
    const most = signedIn.map(([name, endpoint]) => ({ name, values: valuesIn(large(endpoint)) }))
    expect(most.filter(({ values }) => values > MOST_VALUES / 5)).toEqual([])
    expect(most.filter(({ values }) => values > 5000).map(({ name }) => name)).toEqual(['keepActive'])
  })

  it('is 32 kB for what needs no more, such as a label', () => {
    const small = signedIn.filter(([, endpoint]) => bodyLimitOf(endpoint) === SMALL_BODY).map(([name]) => name)
    expect(small.length).toBeGreaterThan(signedIn.length / 3)
    expect(small).toEqual(expect.arrayContaining(['createLabel', 'updateProfile', 'editCannedResponse']))
  })
})
