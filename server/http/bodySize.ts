import type { z } from 'zod'
import type { EndpointShape } from '#contract/endpoint.ts'
import { SIGNED_IN_BODY, SMALL_BODY } from './connections.ts'

/** Bytes of a UTF-16 unit in JSON: at most six, as an escape. */
const UNIT = 6
/** What texts and lists without a maximum can't exceed, because a pattern or format refuses more; a test checks it. */
const UNITS = 2000
/** Bytes of an id in JSON. */
const UUID = 38
/** Bytes of a number, a boolean or null in JSON. */
const PLAIN = 25

/**
 * The largest body of an endpoint, in bytes: what it declares, otherwise what its schema accepts at most. At least what
 * is read before the session is known; at most 2 MB, for schemas that accept more or don't say.
 */
export function bodyLimitOf({ access, bodyLimit, body }: Pick<EndpointShape, 'access' | 'bodyLimit' | 'body'>): number {
  if (bodyLimit !== undefined) return bodyLimit
  if (access.kind === 'public' || !body) return SMALL_BODY
  return Math.min(SIGNED_IN_BODY, Math.max(SMALL_BODY, largest(body)))
}

/** Bytes of the largest JSON that the schema accepts without superfluous white space. Infinity if it doesn't say. */
function largest(schema: z.core.$ZodType): number {
  // Zod's own schemas are one of these
  const { def } = (schema as z.core.$ZodTypes)._zod
  // the default covers what no body is made of
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (def.type) {
    case 'string':
      return 'format' in def && def.format === 'uuid' ? UUID : mostOf(def) * UNIT + 2
    case 'number':
    case 'boolean':
    case 'null':
      return PLAIN
    case 'enum':
      return maxOf(Object.values(def.entries).map(jsonBytes))
    case 'literal':
      return maxOf(def.values.map(jsonBytes))
    case 'array':
      return mostOf(def) * (largest(def.element) + 1) + 2
    case 'tuple':
      return def.rest ? Infinity : sumOf(def.items.map(largest)) + def.items.length + 2
    case 'object':
      if (def.catchall && def.catchall._zod.def.type !== 'never') return Infinity
      return sumOf(Object.entries(def.shape).map(([key, value]) => jsonBytes(key) + largest(value) + 2)) + 2
    case 'union':
      return maxOf(def.options.map(largest))
    case 'intersection':
      return largest(def.left) + largest(def.right)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return Math.max(PLAIN, largest(def.innerType))
    case 'pipe':
      // what is prepared before it's parsed is as large as what it becomes, give or take its spelling
      return largest((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in)
    case 'record':
      return recordOf(def)
    // others accept what only their code knows
    default:
      return Infinity
  }
}

/** The largest length that the schema's checks allow. */
function mostOf({ checks = [] }: z.core.$ZodTypeDef): number {
  const maxima = checks.flatMap((check) => {
    // Zod's own checks are among these
    const { def } = (check as z.core.$ZodChecks)._zod
    if (def.check === 'max_length') return [def.maximum]
    return def.check === 'length_equals' ? [def.length] : []
  })
  return maxima.length > 0 ? Math.min(...maxima) : UNITS
}

function recordOf({ keyType, valueType }: z.core.$ZodRecordDef): number {
  const { def } = (keyType as z.core.$ZodTypes)._zod
  if (def.type !== 'enum') return Infinity
  return sumOf(Object.values(def.entries).map((key) => jsonBytes(key) + largest(valueType) + 2)) + 2
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null') + 2
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
const maxOf = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), 0)
