import { useParams } from '@tanstack/react-router'
import type { ReplyOf } from '#contract/endpoint.ts'
import { plan } from '#contract/organizations.ts'
import type { Gate } from '#contract/plans.ts'
import { count } from '#web/lib/format.ts'
import { creditsOf, plansThatLift, planNames } from '#web/lib/gates.ts'
import { useHome } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade, type ClosedGate } from '#web/lib/upgrade.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { UpgradeDialog } from '#web/ui/UpgradeDialog.tsx'

type Plan = ReplyOf<typeof plan>

/** The upgrade dialog with the facts of the open page's organization. */
export default function UpgradeHost({ closed: { gate, detail, usedOnTrial = false } }: { closed: ClosedGate }) {
  const params = useParams({ strict: false })
  const home = useHome()
  // outside of a project, it's only clear for people with one organization
  const orgId = params.orgId ?? (home.data?.organizations.length === 1 ? home.data.organizations[0]?.orgId : undefined)
  const facts = useCall(
    plan,
    { params: { orgId: orgId ?? '' } },
    { enabled: orgId !== undefined, handles: true, staleTime: 0 },
  )
  const organization = home.data?.organizations.find((one) => one.orgId === orgId)
  const isAdmin = home.data ? (organization?.isOrgAdmin ?? false) : undefined
  const projectId = params.projectId ?? organization?.projects[0]?.projectId
  // any plan includes the account; the number of channels doesn't matter
  const lifts = usedOnTrial
    ? plansThatLift('plan_expired')
    : plansThatLift(gate, facts.data ? numberOf(facts.data, gate) : 0)
  // credits renew every month: a larger plan only helps if it has more of them
  const way =
    orgId && projectId && (gate !== 'ai_credits' || (facts.data && lifts.length > 0)) ? (
      <ButtonLink
        tone="primary"
        to="/$orgId/project/$projectId/org-settings"
        params={{ orgId, projectId }}
        search={{ tab: 'billing' }}
        onClick={upgrade.close}
      >
        Choose another plan
      </ButtonLink>
    ) : undefined
  return (
    <UpgradeDialog
      gate={gate}
      {...(usedOnTrial ? { title: 'This account needs a plan' } : {})}
      reason={detail}
      have={facts.data && !usedOnTrial ? haveOf(facts.data, gate) : null}
      lifts={lifts}
      isAdmin={isAdmin}
      way={way}
      onClose={upgrade.close}
    />
  )
}

/** What the plan allows now, if the gate is about a number. */
function numberOf(facts: Plan, gate: Gate): number {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other gates are about no number
  switch (gate) {
    case 'channels':
      return facts.maxChannels
    case 'users':
      return facts.maxUsers ?? Infinity
    case 'projects':
      return facts.maxProjects ?? Infinity
    case 'ai_credits':
      return creditsOf(facts)
    default:
      return 0
  }
}

/** "the Free plan, 3 of 3 channels" */
function haveOf(facts: Plan, gate: Gate): string {
  const trial = facts.planStatus === 'TRIAL_ACTIVE' || facts.planStatus === 'TRIAL_EXPIRED'
  const ended =
    facts.planStatus === 'TRIAL_EXPIRED' ? ' that has ended' : facts.planStatus === 'CANCELLED' ? ', canceled' : ''
  const name = trial ? `a free trial${ended}` : `the ${planNames[facts.planId]} plan${ended}`
  if (gate === 'channels') return `${name}, ${facts.currentChannels} of ${count(facts.maxChannels, 'channel')}`
  if (gate === 'users' && facts.maxUsers !== null)
    return `${name}, ${facts.currentUsers} of ${count(facts.maxUsers, 'user')}`
  if (gate === 'ai_credits') return `${name}, ${count(creditsOf(facts), 'AI credit')} a month`
  if (gate === 'projects' && facts.maxProjects !== null)
    return `${name}, ${facts.currentProjects} of ${count(facts.maxProjects, 'project')}`
  return name
}
