import { expect, test } from 'vitest'
import { gates } from '#contract/plans.ts'
import { gateWords, plansThatLift } from './gates.ts'

test('describes every gate and the plans that open it', () => {
  for (const gate of gates) {
    expect(gateWords[gate].title.length).toBeGreaterThan(0)
    expect(plansThatLift(gate), gate).toContain('team')
  }
})

test('uses the specified titles', () => {
  const titles = gates.map((gate) => gateWords[gate].title)
  for (const title of [
    'Channel Limit Exceeded',
    'Project Limit Exceeded',
    'AI Credit Limit Reached',
    'Your plan has been Expired',
    'Custom roles are only available on the Team plan.',
  ])
    expect(titles).toContain(title)
})

test('requires Team for custom roles, Individual for queues, and more than the current number for a limit', () => {
  expect(plansThatLift('custom_roles')).toEqual(['team'])
  expect(plansThatLift('queues')).toEqual(['individual', 'team'])
  expect(plansThatLift('users', 1)).toEqual(['team'])
  expect(plansThatLift('channels', 3)).toEqual(['individual', 'team'])
  expect(plansThatLift('channels', 10)).toEqual(['team'])
})
