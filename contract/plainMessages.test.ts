import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { api } from './api.ts'
import { createProject } from './organizations.ts'
import './plainMessages.ts'

const said = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []

describe('a refused value', () => {
  it.each([
    [z.string(), undefined, 'This is required'],
    [z.enum(['a', 'b']), undefined, 'This is required'],
    [z.union([z.string(), z.number()]), undefined, 'This is required'],
    [z.string().min(1), '', 'This is required'],
    [z.string(), 7, 'Must be text'],
    [z.number(), '7', 'Must be a number'],
    [z.int(), 1.5, 'Must be a whole number'],
    [z.boolean(), 'yes', 'Must be true or false'],
    [z.array(z.string()), 'a', 'Must be a list'],
    [z.object({}), 'a', 'Must be an object'],
    [z.string().min(8), 'short', 'Use at least 8 characters'],
    [z.string().max(60_000), 'x'.repeat(60_001), 'Use at most 60,000 characters'],
    [z.int().max(6), 7, 'Must be 6 or less'],
    [z.int().min(0), -1, 'Must be 0 or more'],
    [z.number().positive(), 0, 'Must be more than 0'],
    [z.array(z.string()).min(1), [], 'Choose at least one'],
    [z.array(z.string()).max(1), ['a', 'b'], 'Use at most 1 entry'],
    [z.email(), 'ada', 'Enter a valid email address'],
    [z.uuid(), '7', 'This ID is invalid'],
    [z.iso.datetime(), 'noon', 'Enter a time in UTC, such as 2026-11-30T09:00:00Z'],
    [z.enum(['this', 'all']), 'some', 'Must be one of this, all'],
    [z.strictObject({}), { extra: 1 }, 'Unknown field: extra'],
    [
      z.strictObject({}),
      Object.fromEntries(Array.from({ length: 9 }, (_, place) => [`${'x'.repeat(100)}${place}`, 1])),
      `Unknown fields: ${Array.from({ length: 5 }, () => `${'x'.repeat(50)}…`).join(', ')} and 4 more`,
    ],
    [z.string().regex(/^a$/), 'b', "This isn't in the right format"],
  ])('is named in plain words: %#', (schema, value, message) => {
    expect(said(schema, value)).toEqual([message])
  })

  it('keeps the message that its schema gives', () => {
    expect(said(z.string().min(1, 'Say why'), '')).toEqual(['Say why'])
  })

  it('says of what is missing what its schema says of what is empty', () => {
    const body = z.object({
      why: z.string().trim().min(1, 'Say why').max(9),
      all: z.array(z.string()).min(1, 'Choose'),
    })
    expect(said(body, {})).toEqual(['Say why', 'Choose'])
    // of a minimum length, only that nothing is there
    expect(said(z.string().min(3, 'Too short'), undefined)).toEqual(['This is required'])
    expect(said(createProject.body, {})).toContain('Project Name is Required')
  })
})

it("never shows the validator's own messages for any call's body", () => {
  const raw =
    /invalid (input|option|uuid|string|iso|url|key|element)|expected |received|too big|too small|unrecognized/i
  const values = [
    undefined,
    {},
    [],
    'x',
    '',
    7,
    -1,
    null,
    1e9,
    'x'.repeat(200_000),
    Array.from({ length: 5_000 }, () => 'x'),
  ]
  const messages = Object.values(api).flatMap(({ body }) => {
    const shape = body instanceof z.ZodObject ? Object.keys(body.shape) : []
    return body
      ? values.flatMap((value) => [
          ...said(body, value),
          ...said(body, Object.fromEntries(shape.map((field) => [field, value]))),
        ])
      : []
  })
  expect(messages.length).toBeGreaterThan(500)
  expect([...new Set(messages)].filter((message) => raw.test(message))).toEqual([])
})
