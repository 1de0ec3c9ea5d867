import { describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { TEXT_LIMIT_DEFAULT } from '#contract/constants.ts'
import { inputWith, wideFields } from './worstInput.ts'

const fields = Object.entries(api).flatMap(([name, endpoint]) =>
  wideFields(endpoint).map((field) => ({ name: `${name} ${field.in}.${field.path.join('.')}`, endpoint, field })),
)

describe('every endpoint', () => {
  it('limits each text and list of its body, by a maximum or by refusing longer ones', () => {
    const open = fields.filter(
      ({ endpoint, field }) =>
        field.in === 'body' && !field.isBounded && inputWith(endpoint, { ...field, most: 2001 }, 'a') !== undefined,
    )
    // signed by Paddle or a platform and checked before parsing; limited by its maximum body size
    expect(open.map(({ name }) => name).toSorted()).toEqual([
      'inboxDelivery body.',
      'ownInboxDelivery body.',
      'paddleEvents body.',
      'requestDataDeletion body.',
    ])
  })

  it('accepts no text longer than the longest post, except for files, and no list of more than 2,000 entries', () => {
    const large = fields.filter(({ field: { kind, most } }) => most > (kind === 'text' ? TEXT_LIMIT_DEFAULT : 2000))
    expect(large.map(({ name }) => name)).toEqual(['checkBulk body.source'])
  })

  it('is reached by the walk of npm run bench -- hostile in most of its wide fields', () => {
    const reached = fields.filter(({ endpoint, field }) => inputWith(endpoint, field, 'ab ') !== undefined)
    expect(reached.length / fields.length).toBeGreaterThan(0.8)
    const named = reached.map(({ name }) => name)
    for (const one of [
      'saveDraft body.draft.text',
      'submitPost body.channels.[].contents.[].text',
      'editPost body.contents.[].text',
      'listPosts query.q',
      'listPosts query.labels',
      'bulkPosts body.postIds',
      'addPostNote body.text',
    ])
      expect(named).toContain(one)
  })
})
