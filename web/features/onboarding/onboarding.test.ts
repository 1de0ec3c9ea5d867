import { describe, expect, it } from 'vitest'
import type { Home } from '#contract/organizations.ts'
import { OrgName } from '#contract/organizations.ts'
import { individualName } from './individualName.ts'
import { whereTo } from './whereTo.ts'

const user: Home['user'] = {
  userId: 'u',
  firstName: 'Ana',
  lastName: 'Ruiz',
  email: 'ana@example.org',
  profileUrl: null,
  confirmed: true,
  pendingEmail: null,
  isOrgAdmin: false,
  setupProgress: { isCompleted: false, features: [] },
}
const empty: Home = {
  user,
  organizations: [],
  shut: [],
  invites: [],
  onboarding: { step: 'addOrganization', orgId: null, projectId: null },
  lastProject: null,
  capabilities: { ai: false },
}
const project = (projectId: string) => ({ projectId, projectName: projectId, channels: 0, zone: 'Europe/Berlin' })
const org = (orgId: string, projects: string[], isOrgAdmin = true, deletesAt: string | null = null) => ({
  orgId,
  orgName: orgId,
  orgType: 'organization' as const,
  isOrgAdmin,
  needsSecondFactor: false,
  deletesAt,
  projects: projects.map(project),
})
const done = { step: 'done' as const, orgId: null, projectId: null }

describe('whereTo', () => {
  it('requires a second factor if every organization does, and otherwise leads where it can', () => {
    const closed = { ...org('a', []), needsSecondFactor: true }
    expect(whereTo({ ...empty, organizations: [closed], onboarding: done })).toEqual({
      kind: 'secondFactor',
      orgName: 'a',
    })
    expect(whereTo({ ...empty, organizations: [closed, org('b', ['p'])], onboarding: done })).toEqual({
      kind: 'project',
      orgId: 'b',
      projectId: 'p',
    })
  })

  it('starts with an organization', () => {
    expect(whereTo(empty)).toEqual({ kind: 'addOrganization' })
    expect(whereTo({ ...empty, onboarding: done })).toEqual({ kind: 'addOrganization' })
  })
  it('resumes at an unfinished step', () => {
    const home = { ...empty, organizations: [org('a', ['p'])] }
    expect(whereTo({ ...home, onboarding: { step: 'setupProject', orgId: 'a', projectId: null } })).toEqual({
      kind: 'setupProject',
      orgId: 'a',
    })
    expect(whereTo({ ...home, onboarding: { step: 'addChannels', orgId: 'a', projectId: 'p' } })).toEqual({
      kind: 'addChannels',
      orgId: 'a',
      projectId: 'p',
    })
    expect(whereTo({ ...home, onboarding: { step: 'addUsers', orgId: 'a', projectId: 'p' } })).toEqual({
      kind: 'addUsers',
      orgId: 'a',
      projectId: 'p',
    })
  })
  it('leads to the last project that still exists', () => {
    const home = { ...empty, onboarding: done, organizations: [org('a', ['p']), org('b', ['q', 'r'])] }
    expect(whereTo({ ...home, lastProject: { orgId: 'b', projectId: 'r' } })).toEqual({
      kind: 'project',
      orgId: 'b',
      projectId: 'r',
    })
    expect(whereTo({ ...home, lastProject: { orgId: 'b', projectId: 'gone' } })).toEqual({
      kind: 'project',
      orgId: 'a',
      projectId: 'p',
    })
    expect(whereTo({ ...home, onboarding: { step: 'addChannels', orgId: 'a', projectId: 'gone' } })).toEqual({
      kind: 'project',
      orgId: 'a',
      projectId: 'p',
    })
  })
  it('leads nobody into an organization being deleted, whatever the server says about a last project', () => {
    const dying = org('a', ['p'], true, '2026-11-28T10:00:00.000Z')
    const home = { ...empty, onboarding: done, lastProject: { orgId: 'a', projectId: 'p' } }
    expect(whereTo({ ...home, organizations: [dying] })).toEqual({ kind: 'addOrganization' })
    expect(whereTo({ ...home, organizations: [org('b', ['q']), dying] })).toEqual({
      kind: 'project',
      orgId: 'b',
      projectId: 'q',
    })
    expect(whereTo({ ...home, organizations: [org('b', [], false), dying] })).toEqual({ kind: 'waiting', orgName: 'b' })
  })
  it('lets an admin without a project create one, and a member wait', () => {
    expect(whereTo({ ...empty, onboarding: done, organizations: [org('a', [], false), org('b', [])] })).toEqual({
      kind: 'setupProject',
      orgId: 'b',
    })
    expect(whereTo({ ...empty, onboarding: done, organizations: [org('a', [], false)] })).toEqual({
      kind: 'waiting',
      orgName: 'a',
    })
  })
})

describe('individualName', () => {
  it('follows the rule of organization names', () => {
    const name = individualName({ firstName: "Ana-María d'", lastName: 'Ruiz-Castañeda de la Fuente' })
    expect(name).toBe('Ana-María d Ruiz-Castañeda de')
    expect(OrgName.safeParse(name).success).toBe(true)
  })
  it('never splits a character', () => {
    const name = individualName({ firstName: 'a'.repeat(28), lastName: '\u{20bb7}\u{20bb7}' })
    expect(OrgName.safeParse(name).success).toBe(true)
    expect(individualName({ firstName: 'a'.repeat(29), lastName: '' }).length).toBe(29)
  })
  it('leaves out what is missing', () => {
    expect(individualName({ firstName: 'Ana', lastName: '' })).toBe('Ana')
  })
})
