import { expect, it } from 'vitest'
import { AiRunProblem, describeAiRunProblem } from './aiRunProblem.ts'
import { because } from './failures/catalog.ts'

const worded: { [C in AiRunProblem['code']]: readonly [Extract<AiRunProblem, { code: C }>, string] } = {
  ai: [{ code: 'ai', why: 'declined' }, 'The AI model declined this request. Try wording it differently.'],
  platform: [
    { code: 'platform', reason: because('no-answer', { platform: 'Mastodon' }) },
    expect.stringMatching(/^Mastodon didn't answer\. ./),
  ],
  'no-posts': [{ code: 'no-posts' }, 'There are no posts to read yet.'],
  'out-of-credits': [{ code: 'out-of-credits' }, 'AI Credit Limit Reached'],
  'plan-ended': [{ code: 'plan-ended' }, 'Your plan has ended. Choose one to get drafts.'],
  'not-set-up': [{ code: 'not-set-up' }, "AI isn't set up here."],
  disconnected: [{ code: 'disconnected' }, 'The channel was disconnected.'],
  broken: [{ code: 'broken' }, "We couldn't generate the text."],
}

it('has a sentence for every code', () => {
  const codes = AiRunProblem.options.map((option) => option.shape.code.value)
  expect(Object.keys(worded).toSorted()).toEqual(codes.toSorted())
})

it.each(Object.values(worded))('shows %j as words after it was stored', (problem, words) => {
  expect(describeAiRunProblem(AiRunProblem.parse(JSON.parse(JSON.stringify(problem))))).toEqual(words)
})
