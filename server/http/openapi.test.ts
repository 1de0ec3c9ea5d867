import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { api } from '#contract/api.ts'
import { errorCodes } from '#contract/errors.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { serveReference } from './reference.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()).length(1),
  parameters: z.array(
    z.looseObject({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      schema: z.looseObject({}),
    }),
  ),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), z.looseObject({ description: z.string() })),
})
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string().startsWith('/api/'), z.record(z.string(), Operation)),
})

const read = async () => (await app.app.inject({ method: 'GET', url: '/api/openapi.json' })).json<unknown>()

it('describes every endpoint of the contract once, in the shape of OpenAPI 3.1', async () => {
  const { paths } = Document.parse(await read())
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual(Object.keys(api).toSorted())
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    expect(
      operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name)
        .toSorted(),
      path,
    ).toEqual(named.toSorted())
  }
})

it('resolves all its references, and only uses codes of the catalog', async () => {
  const document = await read()
  const text = JSON.stringify(document)
  const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? ''))
  expect(references).toContain('components/schemas/Problem')
  for (const reference of references) {
    const found = reference
      .split('/')
      .reduce<unknown>(
        (at, part) => (typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined),
        document,
      )
    expect(found, reference).toBeDefined()
  }
  const known = new Set<string>(errorCodes)
  for (const [, codes = ''] of text.matchAll(/"description":"([A-Z_, ]+)"/g))
    for (const code of codes.split(', ')) expect(known, code).toContain(code)
})

it('has a page that runs no foreign and no inline script', async () => {
  const page = fastify()
  expect(await serveReference(page)).toBe(true)
  const response = await page.inject({ method: 'GET', url: '/api/docs' })
  expect(response.headers['content-security-policy']).toContain("script-src 'self';")
  expect(response.body).not.toMatch(/<script>|<script [^>]*>[^<]/)
  for (const [, file = ''] of response.body.matchAll(/(?:src|href)="(\/api\/[^"]+)"/g))
    expect((await page.inject({ method: 'GET', url: file })).statusCode, file).toBe(200)
  expect((await page.inject({ method: 'GET', url: '/api/docs/files/package.json' })).statusCode).toBe(404)
  await page.close()
})
