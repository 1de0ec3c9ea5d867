import type { CallOf, EndpointShape } from './endpoint.ts'

type Loose = { params?: Record<string, unknown>; query?: Record<string, unknown> }

/**
 * The URL of a call: its parameters filled into the path, lists in its query joined by commas, empty values left out.
 * Throws if a parameter is missing.
 */
export function addressOf<E extends EndpointShape>(endpoint: E, input: Omit<CallOf<E>, 'body'>): string {
  return looseAddressOf(endpoint, input)
}

/** The same if the types of the input are lost. */
export function looseAddressOf(endpoint: EndpointShape, input: Loose): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = textOf(input.params?.[name])
    if (value === '') throw new Error(`${endpoint.path} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    const text = Array.isArray(value) ? value.map(String).join(',') : textOf(value)
    if (text !== '') query.set(name, text)
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}
