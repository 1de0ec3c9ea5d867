import { z } from 'zod'
import { Done, Id, Instant, OrgParams, ProjectParams } from './common.ts'
import { ORGANIZATION, PROJECT, TEAM_SIZES } from './constants.ts'
import { anyInProject, anyMember, anySession, anyUser, can, endpoint } from './endpoint.ts'
import { User } from './identity.ts'
import { Permissions, PublishingChoice } from './permissions.ts'
import { gates, PlanId, PlanStatus } from './plans.ts'

export const orgTypes = ['organization', 'individual'] as const

export const OrgName = z
  .string()
  .trim()
  .min(ORGANIZATION.name.min, 'Organization name must be at least 3 characters long')
  .max(ORGANIZATION.name.max, 'Organization name is too long')
  .regex(/^[\p{L}\p{M}\d _-]+$/u, 'Organization name must be alphanumeric, with dashes and underscores')

const organizationFields = z.object({ orgType: z.enum(orgTypes), orgName: OrgName, orgSize: z.string() })
const sizeFits = ({ orgType, orgSize }: z.output<typeof organizationFields>): boolean =>
  orgType === 'individual' ? orgSize === ORGANIZATION.individualSize : TEAM_SIZES.some((size) => size === orgSize)
const sizeWrong = {
  path: ['orgSize'],
  error: ({ input }: { input?: unknown }) =>
    organizationFields.pick({ orgType: true }).safeParse(input).data?.orgType === 'individual'
      ? `An Individual has the size ${ORGANIZATION.individualSize}`
      : 'Choose the size of your team',
}

/** A new organization: an Individual has the size 1, an Organization one of the listed sizes. */
export const NewOrganization = organizationFields.refine(sizeFits, sizeWrong)
/**
 * The onboarding wizard sends `first`: if another tab created an organization or project, that one is returned. Without
 * it, each call creates another.
 */
const First = { first: z.boolean().default(false) }
export const CreateOrganization = organizationFields.extend(First).refine(sizeFits, sizeWrong)

export const ProjectName = z
  .string()
  .trim()
  .min(1, 'Project Name is Required')
  .regex(/^[\p{L}\p{M}\d _-]+$/u, 'Invalid Project name')
  .min(PROJECT.name.min, 'Project name must be at least 3 characters long')
  .max(PROJECT.name.max, 'Project name must not exceed 30 characters')
export const ProjectDescription = z
  .string()
  .trim()
  .max(PROJECT.description, 'Project description must not exceed 250 characters')

export const onboardingSteps = ['addOrganization', 'setupProject', 'addChannels', 'addUsers', 'done'] as const
export const OnboardingStep = z.enum(onboardingSteps)
export type OnboardingStep = z.infer<typeof OnboardingStep>

export const HomeProject = z.object({ projectId: Id, projectName: z.string(), channels: z.int(), zone: z.string() })
export const HomeOrganization = z.object({
  orgId: Id,
  orgName: z.string(),
  orgType: z.enum(orgTypes),
  isOrgAdmin: z.boolean(),
  /** When it's permanently deleted; null unless it's being deleted, and only its admins can open it. */
  deletesAt: Instant.nullable(),
  /** It requires a second factor, and this session hasn't used one: its projects are closed until then. */
  needsSecondFactor: z.boolean(),
  projects: z.array(HomeProject),
})
/** Where a person is: who they are, what they can enter, and at which step of onboarding. */
export const Home = z.object({
  user: User,
  organizations: z.array(HomeOrganization),
  /** The person's organizations that are being deleted and closed to them. */
  shut: z.array(z.object({ orgName: z.string(), deletesAt: Instant })),
  /** Open invitations to the person's address. */
  invites: z.array(
    z.object({
      inviteId: Id,
      orgName: z.string(),
      projectName: z.string(),
      roleName: z.string(),
      invitedBy: z.string(),
      expiresAt: Instant,
    }),
  ),
  onboarding: z.object({ step: OnboardingStep, orgId: Id.nullable(), projectId: Id.nullable() }),
  lastProject: z.object({ orgId: Id, projectId: Id }).nullable(),
  /** What is set up in this installation. */
  capabilities: z.object({ ai: z.boolean() }),
})
export type Home = z.infer<typeof Home>

export const home = endpoint({
  method: 'GET',
  path: '/api/home',
  summary: 'Get the user, their organizations and projects, open invitations and onboarding step',
  access: anyUser,
  cost: 'light',
  reads: ['channel', 'plan', 'member', 'organization', 'project', 'profile'],
  reply: Home,
  audit: null,
})
export const createOrganization = endpoint({
  method: 'POST',
  path: '/api/org',
  summary: 'Create an organization and start its 14-day trial',
  access: anyUser,
  cost: 'light',
  changes: ['organization'],
  body: CreateOrganization,
  reply: z.object({ orgId: Id }),
  errors: ['RATE_LIMITED'],
  audit: { action: 'created', entity: 'organization' },
})
export const createProject = endpoint({
  method: 'POST',
  path: '/api/:orgId/project',
  summary: 'Create a project with its system roles',
  access: { kind: 'orgAdmin' },
  cost: 'light',
  changes: ['project'],
  params: OrgParams,
  body: z.object({
    projectName: ProjectName,
    projectDesc: ProjectDescription.optional(),
    zone: z.string().max(64).optional(),
    ...First,
  }),
  reply: z.object({ projectId: Id }),
  errors: ['PLAN_LIMIT', 'NAME_TAKEN'],
  audit: { action: 'created', entity: 'project' },
})
export const onboarding = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/onboarding',
  summary: "Get this project's onboarding step and the values from its second step",
  access: anyInProject,
  cost: 'light',
  reads: ['project'],
  params: ProjectParams,
  reply: z.object({ step: OnboardingStep, projectName: z.string(), projectDesc: z.string(), zone: z.string() }),
  audit: null,
})
/** Advances the wizard; a natural call that the specification's tables lack. */
export const setOnboardingStep = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/onboarding',
  summary: 'Move to another step of the onboarding wizard',
  // the steps connect channels and add people: view-only members don't use the wizard
  access: can('channel', 'create'),
  cost: 'light',
  changes: ['project'],
  params: ProjectParams,
  body: z.object({ step: OnboardingStep.extract(['addChannels', 'addUsers', 'done']) }),
  reply: Done,
  audit: { none: 'a place in a wizard, no change of the organization' },
})

export const PlanInfo = z.object({
  planId: PlanId,
  planStatus: PlanStatus,
  trailEndsAt: Instant.nullable(),
  /** Active ones: what the plan pauses doesn't count. */
  currentChannels: z.int(),
  restingChannels: z.int(),
  maxChannels: z.int(),
  /** Members and open invitations, each person once. */
  currentUsers: z.int(),
  /** Null: no limit. */
  maxUsers: z.int().nullable(),
  currentProjects: z.int(),
  /** Null: no limit. */
  maxProjects: z.int().nullable(),
  scheduledCap: z.int(),
  valid: z.boolean(),
  closed: z.array(z.enum(gates)),
})
export const plan = endpoint({
  method: 'GET',
  path: '/api/:orgId/plan',
  summary: 'Get the plan and what it allows',
  access: anyMember,
  cost: 'light',
  reads: ['plan', 'channel', 'member', 'project'],
  params: OrgParams,
  reply: PlanInfo,
  audit: null,
})

export const myPermissions = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/roles/me',
  summary: 'Get your permissions for the organization, project and channels',
  access: anyInProject,
  cost: 'light',
  reads: ['member', 'project'],
  params: ProjectParams,
  reply: z.object({
    isOrgAdmin: z.boolean(),
    roleId: Id.nullable(),
    roleName: z.string().nullable(),
    publishing: PublishingChoice,
    /** Null: every channel of the project. */
    channelIds: z.array(Id).nullable(),
    /**
     * Set if the plan doesn't include the caller, who keeps their role but is view-only: how many members it includes,
     * and admins who can change that.
     */
    viewOnlyByPlan: z.object({ members: z.int(), admins: z.array(z.string()), wasOrgAdmin: z.boolean() }).nullable(),
    organization: Permissions,
    project: Permissions,
    channel: z.record(Id, Permissions),
    /**
     * A name for everything that decides which posts you can see; it's the last part of a list's revision, so a
     * different one means different posts.
     */
    rights: z.string(),
  }),
  audit: null,
})

export const completeSetup = endpoint({
  method: 'PUT',
  path: '/api/user/setup/complete',
  summary: 'Dismiss the setup card',
  access: anySession,
  cost: 'light',
  changes: ['profile'],
  body: z.object({}),
  reply: Done,
  audit: { none: 'belongs to the person, not to an organization' },
})
