import { z } from 'zod'
import type { Access, EndpointShape } from '#contract/endpoint.ts'
import { errorCatalog, type ErrorCode, Problem } from '#contract/errors.ts'

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' })
  return rest
}

/** Failures that follow from the access, before those that the endpoint declares. */
const implied: Record<Access['kind'], readonly ErrorCode[]> = {
  public: [],
  session: ['UNAUTHORIZED', 'TOO_MANY_REQUESTS'],
  user: ['UNAUTHORIZED', 'USER_NOT_CONFIRMED', 'TOO_MANY_REQUESTS'],
  member: ['UNAUTHORIZED', 'USER_NOT_CONFIRMED', 'IDENTIFIERS_ERROR', 'TOO_MANY_REQUESTS'],
  orgAdmin: ['UNAUTHORIZED', 'USER_NOT_CONFIRMED', 'IDENTIFIERS_ERROR', 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
  project: ['UNAUTHORIZED', 'USER_NOT_CONFIRMED', 'IDENTIFIERS_ERROR', 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
}

/** The OpenAPI 3.1 document of the endpoints, generated from the contract. */
export function openApi(
  endpoints: Record<string, EndpointShape>,
  version: string,
  publicUrl: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    ;(paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(operationId, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rookery',
      version,
      description:
        'Requests are authenticated by a session cookie. Errors are problem details (RFC 9457) with a `code`.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'rookery' } },
    },
  }
}

function operation(operationId: string, endpoint: EndpointShape): Record<string, unknown> {
  const errors = new Set<ErrorCode>([
    ...implied[endpoint.access.kind],
    ...(endpoint.errors ?? []),
    ...(endpoint.body || endpoint.query ? (['BAD_INPUT'] as const) : []),
  ])
  const byStatus = Map.groupBy(errors, (code) => errorCatalog[code].status)
  const problems = Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
  return {
    operationId,
    summary: endpoint.summary,
    tags: [
      endpoint.path
        .split('/')
        .find((part, i) => i > 1 && !part.startsWith(':') && part !== 'project' && part !== 'public') ?? 'organization',
    ],
    ...(endpoint.access.kind !== 'public' && { security: [{ session: [] }] }),
    'x-access': endpoint.access,
    'x-cost': endpoint.cost,
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.idempotent
        ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }]
        : []),
      ...(endpoint.revisioned
        ? [{ name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } }]
        : []),
    ],
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } },
    }),
    responses: {
      200: { description: 'Done', ...(content(endpoint) && { content: content(endpoint) }) },
      ...(endpoint.revisioned && { 304: { description: 'Unchanged since the ETag in If-None-Match' } }),
      ...problems,
    },
  }
}

function parameters(schema: z.ZodObject | undefined, where: 'path' | 'query') {
  if (!schema) return []
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || !field.safeParse(undefined).success,
    schema: schemaOf(field, 'input'),
  }))
}

function content(endpoint: EndpointShape) {
  if (endpoint.reply === 'stream') return { 'text/event-stream': { schema: { type: 'string' } } }
  if (endpoint.reply === 'bytes')
    return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  return { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } }
}
