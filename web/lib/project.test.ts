import { describe, expect, it } from 'vitest'
import type { Home } from '#contract/organizations.ts'
import { isOutside } from './project.ts'

const here = { orgId: 'org', projectId: 'shop' }
const homeWith = (org: object | undefined) =>
  ({ organizations: org ? [{ orgId: 'org', needsSecondFactor: false, projects: [], ...org }] : [] }) as unknown as Home

describe('who belongs to no project', () => {
  it('is outside of it without the organization, and without the project', () => {
    expect(isOutside(homeWith(undefined), here)).toBe(true)
    expect(isOutside(homeWith({}), here)).toBe(true)
    expect(isOutside(homeWith({ projects: [{ projectId: 'cafe' }] }), here)).toBe(true)
    expect(isOutside(homeWith({ projects: [{ projectId: 'shop' }] }), here)).toBe(false)
  })

  it("isn't known before home has answered, or before a second factor was used", () => {
    expect(isOutside(undefined, here)).toBe(false)
    expect(isOutside(homeWith({ needsSecondFactor: true }), here)).toBe(false)
  })
})
