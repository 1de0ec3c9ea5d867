import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isDone,
  isGone,
  membersAsked,
  orphans,
  slotsOf,
  type EligibleApprover,
  type Decider,
  type Decision,
  type KeptApprover,
  type KeptStep,
  type Standing,
} from './steps.ts'

const people = ['ada', 'ben', 'cy', 'dee', 'eve']
const roles = ['admins', 'legal']
const emails = ['x@out.example', 'y@out.example']
const channels = ['one', 'two']

const anyMember = fc.record({
  isOrgAdmin: fc.boolean(),
  roleIds: fc.subarray(roles),
  channelIds: fc.option(fc.subarray(channels), { nil: null }),
})
const anyEligible = fc
  .subarray(people)
  .chain((ids) =>
    fc.tuple(
      ...ids.map((personId) => anyMember.map((member): EligibleApprover => ({ personId, name: personId, ...member }))),
    ),
  )
  // an organization admin has every channel
  .map((eligible) => eligible.map((member) => (member.isOrgAdmin ? { ...member, channelIds: null } : member)))
const approvers: KeptApprover[] = [
  ...people.map((userId) => ({ kind: 'member' as const, userId, name: userId })),
  ...roles.map((roleId) => ({ kind: 'role' as const, roleId, name: roleId })),
  ...emails.map((email) => ({ kind: 'external' as const, email, name: email })),
]
const anyStep: fc.Arbitrary<KeptStep> = fc.record({
  needs: fc.constantFrom('any' as const, 'all' as const),
  approvers: fc.subarray(approvers, { minLength: 1, maxLength: 5 }),
})
const anyStanding = fc
  .record({
    step: anyStep,
    channelId: fc.constantFrom(...channels),
    eligible: anyEligible,
    unlinked: fc.subarray(emails).map((list) => new Set(list)),
  })
  .map((standing): Standing => ({ ...standing, decisions: [] }))
const deciders: Decider[] = [
  ...people.map((personId) => ({ kind: 'member' as const, personId })),
  ...emails.map((email) => ({ kind: 'external' as const, email })),
]

/** Lets people approve in this order, if they may. Returns the result, and who was counted. */
function run(standing: Standing, order: readonly Decider[]): { decisions: Decision[]; done: boolean } {
  const decisions: Decision[] = []
  for (const by of order) {
    if (isDone(standing.step, decisions)) break
    // without a link, they can't decide
    if (by.kind === 'external' && standing.unlinked.has(by.email)) continue
    const slots = slotsOf(by, { ...standing, decisions })
    if (slots.length > 0) decisions.push({ by, decision: 'approved', slots })
  }
  return { decisions, done: isDone(standing.step, decisions) }
}
const anyOrder = fc.shuffledSubarray(deciders, { minLength: deciders.length })

describe('a step', () => {
  it('is complete once every eligible approver approved, as long as the organization has an admin', () => {
    fc.assert(
      fc.property(anyStanding, anyOrder, (standing, order) => {
        fc.pre(standing.eligible.some(({ isOrgAdmin }) => isOrgAdmin))
        expect(run(standing, order).done).toBe(true)
      }),
    )
  })

  it("counts nobody twice, and nobody who isn't asked", () => {
    fc.assert(
      fc.property(anyStanding, anyOrder, (standing, order) => {
        const { decisions } = run(standing, [...order, ...order])
        expect(new Set(decisions.map(({ by }) => JSON.stringify(by))).size).toBe(decisions.length)
        for (const { by, slots } of decisions) {
          for (const slot of slots) {
            const approver = standing.step.approvers[slot]
            if (!approver) throw new Error('a slot of nobody')
            const member =
              by.kind === 'member' ? standing.eligible.find(({ personId }) => personId === by.personId) : undefined
            const named =
              approver.kind === 'external'
                ? by.kind === 'external' && by.email === approver.email
                : approver.kind === 'member'
                  ? by.kind === 'member' && by.personId === approver.userId
                  : member?.roleIds.includes(approver.roleId)
            const reaches =
              by.kind === 'external' ||
              (member && (member.channelIds === null || member.channelIds.includes(standing.channelId ?? '')))
            const standsIn = member?.isOrgAdmin && isGone(approver, standing)
            expect((named && reaches) || standsIn).toBe(true)
          }
        }
      }),
    )
  })

  it('needs one approval for any, and one per approver for all', () => {
    fc.assert(
      fc.property(anyStanding, anyOrder, (standing, order) => {
        const { decisions, done } = run(standing, order)
        if (!done) return
        if (standing.step.needs === 'any') expect(decisions).toHaveLength(1)
        else expect(new Set(decisions.flatMap(({ slots }) => slots)).size).toBe(standing.step.approvers.length)
      }),
    )
  })

  it('asks organization admins only in place of the person who left', () => {
    fc.assert(
      fc.property(anyStanding, (standing) => {
        for (const slot of orphans(standing))
          expect(standing.step.approvers[slot] && isGone(standing.step.approvers[slot], standing)).toBe(true)
        if (standing.step.needs === 'any' && standing.step.approvers.some((approver) => !isGone(approver, standing)))
          expect(orphans(standing)).toEqual([])
      }),
    )
  })
})

const eligible: EligibleApprover[] = [
  { personId: 'ada', name: 'Ada', isOrgAdmin: true, roleIds: ['admins'], channelIds: null },
  { personId: 'ben', name: 'Ben', isOrgAdmin: false, roleIds: ['legal'], channelIds: ['one'] },
]
const standing = (needs: 'any' | 'all', names: string[], more: Partial<Standing> = {}): Standing => ({
  step: { needs, approvers: approvers.filter((approver) => names.includes(approver.name)) },
  channelId: 'one',
  eligible,
  decisions: [],
  unlinked: new Set(),
  ...more,
})
const member = (personId: string): Decider => ({ kind: 'member', personId })

describe('who is asked', () => {
  it('is only the people named, and no admin as long as one of them is left', () => {
    expect(slotsOf(member('ada'), standing('any', ['ben']))).toEqual([])
    expect(membersAsked(standing('any', ['ben']))).toEqual(['ben'])
  })
  it("is an admin when the person named can't access the channel", () => {
    expect(membersAsked(standing('any', ['ben'], { channelId: 'two' }))).toEqual(['ada'])
  })
  it('counts for both their name and their role', () => {
    expect(slotsOf(member('ben'), standing('all', ['ben', 'legal']))).toEqual([0, 1])
  })
  it("is an admin once an outside approver's link was ended", () => {
    expect(slotsOf(member('ada'), standing('any', ['x@out.example']))).toEqual([])
    expect(
      slotsOf(member('ada'), standing('any', ['x@out.example'], { unlinked: new Set(['x@out.example']) })),
    ).toEqual([0])
  })
  it('is asked once per step and not again after deciding', () => {
    const decisions: Decision[] = [{ by: member('ben'), decision: 'approved', slots: [0] }]
    expect(slotsOf(member('ben'), standing('all', ['ben', 'legal'], { decisions }))).toEqual([])
  })
})
