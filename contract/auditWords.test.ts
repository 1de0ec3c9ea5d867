import { expect, it } from 'vitest'
import { actorName, deedWords } from './auditWords.ts'

const said = (action: string, entityType: string, entityName: string | null = null) =>
  Object.values(deedWords({ action, entityType, entityName }))
    .filter((one) => one !== null)
    .join(' ')

it.each([
  ['started', 'checkout', 'Acme', 'started a checkout for Acme'],
  // as older entries called it
  ['checkout', 'plan', 'Acme', 'started a checkout for Acme'],
  ['updated', 'payment_method', 'Acme', 'changed the payment method of Acme'],
  ['paid', 'plan', 'Acme', 'paid for the plan of Acme'],
  ['failed_to_log_in_to', 'account', 'Max Muster', 'failed to log in as Max Muster'],
  ['logged_in_to', 'account', 'Max Muster', 'logged in'],
  ['left', 'member', 'Max Muster', 'left the organization'],
  ['was_refused', 'access', 'Max Muster', 'was refused access'],
  ['created', 'hashtag_group', 'Summer', 'created hashtag group Summer'],
  ['changed', 'plan', null, 'changed the plan'],
])('%s %s of %j is read "%s"', (action, entityType, name, words) => {
  expect(said(action, entityType, name)).toBe(words)
})

it("names who did it, or nobody if that's unknown", () => {
  const user = { userId: '', firstName: 'Max', lastName: 'Muster', profileUrl: null }
  expect(actorName({ user, actor: 'member' })).toBe('Max Muster')
  expect(actorName({ user: { ...user, firstName: '', lastName: '' }, actor: 'member' })).toBe('Deleted account')
  expect(actorName({ user: null, actor: 'unknown' })).toBe('Someone')
  expect(actorName({ user: null, actor: 'approver' })).toBe('External approver')
  expect(actorName({ user: null, actor: 'product' })).toBe('Rookery')
})
