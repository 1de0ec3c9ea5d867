import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { EndpointShape } from '#contract/endpoint.ts'
import { exampleOf, exampleOfJson } from './example.ts'

type Schema = { [key: string]: unknown }
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One field of an endpoint's input that accepts a long text or many values: its path and its limit. */
export type WideField = {
  in: 'query' | 'body'
  path: readonly string[]
  kind: 'text' | 'ids' | 'texts'
  most: number
  isBounded: boolean
}

/** Texts from this many characters, and lists from this many entries, count as long. */
const LONG = 100
const MANY = 20
/** If a list has no maximum, its URL or body limits it. */
const MOST_IN_ADDRESS = 300
const ITEM = '[]'

/** Every field of the endpoint that accepts long texts, many IDs or many texts. */
export function wideFields(endpoint: EndpointShape): WideField[] {
  const fields: WideField[] = []
  for (const where of ['query', 'body'] as const) {
    const schema = endpoint[where]
    if (schema) collect(jsonSchemaOf(schema), where, [], fields)
  }
  return fields
}

function collect(schema: unknown, where: 'query' | 'body', path: readonly string[], into: WideField[]): void {
  if (!isSchema(schema)) return
  for (const choice of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[choice])) for (const one of schema[choice]) collect(one, where, path, into)
  const isNew = (kind: string) =>
    !into.some((field) => field.in === where && field.kind === kind && field.path.join('.') === path.join('.'))
  if (isFreeText(schema) && lengthOf(schema) >= LONG && isNew('text'))
    into.push({ in: where, path, kind: 'text', most: lengthOf(schema), isBounded: 'maxLength' in schema })
  if (schema['type'] === 'array') {
    const most = Number(schema['maxItems'] ?? MOST_IN_ADDRESS)
    const items = schema['items']
    const kind = isSchema(items) && items['format'] === 'uuid' ? 'ids' : isFreeText(items) ? 'texts' : undefined
    if (kind && most >= MANY && isNew(kind)) into.push({ in: where, path, kind, most, isBounded: 'maxItems' in schema })
    collect(items, where, [...path, ITEM], into)
  }
  if (isSchema(schema['properties']))
    for (const [name, field] of Object.entries(schema['properties'])) collect(field, where, [...path, name], into)
}

const isFreeText = (schema: unknown): schema is Schema =>
  isSchema(schema) &&
  schema['type'] === 'string' &&
  !['const', 'enum', 'format', 'pattern'].some((rule) => rule in schema)
const lengthOf = (schema: Schema): number => Number(schema['maxLength'] ?? 1000)

/** The text repeated to this length. */
export const filled = (pattern: string, length: number): string =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)

/**
 * The smallest input that the endpoint's schemas accept (or `base`, if they require more than JSON schema can say), but
 * with the field at its maximum size, made of `pattern`. Undefined if the schemas refuse that, such as an invalid URL.
 */
export function inputWith(endpoint: EndpointShape, field: WideField, pattern: string, base?: unknown) {
  const value =
    field.kind === 'text'
      ? filled(pattern, field.most)
      : Array.from({ length: field.most }, () => (field.kind === 'ids' ? randomUUID() : filled(pattern, 40)))
  const schema = endpoint[field.in]
  if (!schema) return undefined
  const json = jsonSchemaOf(schema)
  const start = field.in === 'body' && base !== undefined ? base : exampleOfJson(json)
  const whole = put(json, start, field.path, field.in === 'query' && Array.isArray(value) ? value.join() : value)
  if (!schema.safeParse(whole).success) return undefined
  const other = field.in === 'query' ? endpoint.body : endpoint.query
  return { ...(other && { [field.in === 'query' ? 'body' : 'query']: exampleOf(other) }), [field.in]: whole }
}

const jsonSchemaOf = (schema: z.ZodType): unknown => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** Sets the value at the path; missing parents are made from the schema. */
function put(schema: unknown, into: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  const own = alternativesOf(schema).find((one) =>
    step === ITEM ? 'items' in one : isSchema(one['properties']) && step in one['properties'],
  )
  if (step === ITEM) {
    const first = Array.isArray(into) && into.length > 0 ? into[0] : exampleOfJson(own?.['items'])
    return [put(own?.['items'], first, rest, value)]
  }
  const object = isSchema(into) ? into : exampleOfJson(own)
  const properties = own?.['properties']
  const field = isSchema(properties) ? properties[step] : undefined
  return {
    ...(isSchema(object) && object),
    [step]: put(field, isSchema(object) ? object[step] : undefined, rest, value),
  }
}

/** The schema, or its alternatives. */
function alternativesOf(schema: unknown): Schema[] {
  if (!isSchema(schema)) return []
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((choice) => (Array.isArray(schema[choice]) ? schema[choice] : []))
  return choices.length > 0 ? choices.flatMap(alternativesOf) : [schema]
}
