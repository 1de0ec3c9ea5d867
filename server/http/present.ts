import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { EndpointShape } from '#contract/endpoint.ts'
import { rawJsonOf } from './route.ts'

/** A verb's value as the JSON of the endpoint's contract. With `check`, as in tests, a difference is an error. */
export function jsonOf(endpoint: EndpointShape, value: unknown, reply: FastifyReply, check: boolean): string {
  const raw = rawJsonOf(value)
  if (endpoint.reply === 'bytes' || endpoint.reply === 'stream')
    throw new Error(`${endpoint.path} does not answer JSON`)
  if (check) {
    const parsed = endpoint.reply.safeParse(raw === undefined ? value : JSON.parse(raw))
    if (!parsed.success)
      throw new Error(`${endpoint.path} does not answer by its contract: ${z.prettifyError(parsed.error)}`)
  }
  // replies are objects by their contracts
  return raw ?? serializerOf(endpoint.reply, reply)(value as Record<string, unknown>)
}

/** Sends JSON that was written already. */
export const sendJson = (reply: FastifyReply, json: string | Buffer): FastifyReply =>
  reply.type('application/json; charset=utf-8').serializer(String).send(json)

type Serializer = ReturnType<FastifyReply['compileSerializationSchema']>
const serializers = new WeakMap<z.ZodType, Serializer>()

/**
 * Fields that aren't in the contract never leave. Created with the first reply, because most serializers are never
 * used.
 */
function serializerOf(schema: z.ZodType, reply: FastifyReply): Serializer {
  const known = serializers.get(schema)
  if (known) return known
  const made = reply.compileSerializationSchema(replySchema(schema))
  serializers.set(schema, made)
  return made
}

function replySchema(reply: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(reply, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    // JSON Schema's `uri` is ASCII only. Platforms' addresses aren't, and a value that fits no branch of a union is an error
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'uri') delete jsonSchema.format
    },
  })
  return schema
}
