import { z } from 'zod'

type Schema = { [key: string]: unknown }

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that the schema accepts as far as JSON schema can tell: required fields only, the first of each choice, and examples where it has some. */
export function exampleOf(schema: z.ZodType): unknown {
  return exampleOfJson(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

const formats: Record<string, string> = {
  uuid: '01920000-0000-7000-8000-00000000000e',
  date: '2027-01-01',
  'date-time': '2027-01-01T12:00:00.000Z',
  uri: 'https://example.org/',
  email: 'someone@example.org',
  base64: 'eHh4',
}

/** The same for a JSON schema. */
export function exampleOfJson(schema: unknown): unknown {
  if (!isSchema(schema)) return null
  if ('const' in schema) return schema['const']
  if ('default' in schema) return schema['default']
  if (Array.isArray(schema['examples'])) return schema['examples'][0]
  for (const choice of ['enum', 'anyOf', 'oneOf'] as const) {
    const choices = schema[choice]
    if (Array.isArray(choices)) return choice === 'enum' ? choices[0] : exampleOfJson(choices[0])
  }
  switch (schema['type']) {
    case 'object':
      return exampleObject(schema)
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () => exampleOfJson(schema['items']))
    case 'string':
      return typeof schema['format'] === 'string' && formats[schema['format']]
        ? formats[schema['format']]
        : 'x'.repeat(Math.max(1, Number(schema['minLength'] ?? 1)))
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1))
    case 'boolean':
      return true
    default:
      return null
  }
}

function exampleObject(schema: Schema): unknown {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(required.map((name) => [name, exampleOfJson(properties[name])]))
}
