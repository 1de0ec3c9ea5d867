import { expect, it } from 'vitest'
import { z } from 'zod'
import { describePostProblem, postProblems, problem, problemSentence, StoredProblem } from './postProblems.ts'

/* The wording of single problems is tested where they occur: contract/checkPost.test.ts, server/posts, server/bulk. */

/** Every value of a parameter of this kind that has its own wording. */
function samples(schema: unknown): unknown[] {
  if (schema instanceof z.ZodEnum) return schema.options
  if (schema instanceof z.ZodNumber) return [1, 4_000_000]
  if (schema instanceof z.ZodBoolean) return [true, false]
  if (schema instanceof z.ZodArray) return [['image/jpeg', 'video/quicktime']]
  if (schema instanceof z.ZodUnknown) return [{ code: 'damaged', kind: 'image' }]
  return ['Rook']
}

const all = [...postProblems].flatMap(([code, { params }]) => {
  if (!(params instanceof z.ZodObject)) throw new Error(`${code} has no parameters by name`)
  let found: Record<string, unknown>[] = [{}]
  for (const [name, one] of Object.entries(params.shape))
    found = found.flatMap((rest) => samples(one).map((value) => ({ ...rest, [name]: value })))
  return found.map((given) => ({ code, params: given }))
})

it.each(all)('$code has words for $params after being stored', (stored) => {
  const words = describePostProblem(StoredProblem.parse(JSON.parse(JSON.stringify(stored))))
  expect(words).toMatch(/^\S.*[^\s:]$/s)
  expect(words).not.toMatch(/undefined|\[object|NaN|\$\{| {2}/)
  // a file given by URL quotes the words of another problem
  if (stored.code !== 'link-failed') expect(words).not.toBe(describePostProblem({ code: 'made-up' }))
})

it.each(all)('$code with $params can be a sentence of its own', (stored) => {
  expect(problemSentence(stored)).toMatch(/^[\p{Lu}\d].*[.!?]$/su)
})

it('quotes the problem of a file given by URL', () => {
  const failed = problem('link-failed', { url: 'https://a.example/b.png', problem: problem('file-uploading') })
  expect(describePostProblem(failed)).toBe('https://a.example/b.png: This file is still uploading.')
})

it.each([null, 'a sentence', { code: 'made-up' }, { code: 'schedule-cap', params: { limit: 'many' } }])(
  "has general words for %j, which this version doesn't know",
  (stored) => {
    expect(describePostProblem(stored)).toBe("This can't be published as it is.")
  },
)

it('is created only with a known code and its parameters', () => {
  // @ts-expect-error a code that the catalog doesn't have
  problem('made-up')
  // @ts-expect-error a parameter is missing
  problem('schedule-cap', {})
  expect(problem('time-passed')).toEqual({ code: 'time-passed' })
})
