import { getRouteApi } from '@tanstack/react-router'
import { FIRST_PAGE } from '#contract/constants.ts'
import { AuditTab } from '#web/features/audit/AuditTab.tsx'
import { BillingTab } from '#web/features/billing/BillingTab.tsx'
import { ExportSection } from '#web/features/dataRights/ExportSection.tsx'
import { ChannelsTab } from '#web/features/orgSettings/ChannelsTab.tsx'
import { GeneralTab } from '#web/features/orgSettings/GeneralTab.tsx'
import { PlatformCostsSection } from '#web/features/orgSettings/PlatformCostsSection.tsx'
import { ProjectsTab } from '#web/features/orgSettings/ProjectsTab.tsx'
import { UsersTab } from '#web/features/orgSettings/UsersTab.tsx'
import { BrandSection } from '#web/features/reports/brand/BrandSection.tsx'
import { useIsOrgAdmin, useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { useNewProject } from '../shell/useNewProject.ts'

const route = getRouteApi('/$orgId/project/$projectId/org-settings')

const names = {
  general: 'General Information',
  channels: 'Channels',
  projects: 'Projects',
  users: 'Users',
  audit: 'Audit Logs',
  billing: 'Billing & Invoice',
} as const
export type SettingsTab = keyof typeof names
// keys of a const object are its literal union
const tabs = Object.keys(names) as SettingsTab[]

/**
 * The organization's settings, for its admins. The URL has the tab; a phone has a list to choose from instead of tabs.
 */
export default function OrgSettingsScreen() {
  const ids = useProjectIds()
  const isPhone = useIsPhone()
  const { tab = 'general' } = route.useSearch()
  const navigate = route.useNavigate()
  const isAdmin = useIsOrgAdmin(ids)
  const mayView = useMay([['org_settings', 'view']], { level: 'organization' })
  const open = (next: SettingsTab) => void navigate({ search: next === 'general' ? {} : { tab: next } })
  // nothing while the permission isn't known; the route has led everyone else away
  if (!isAdmin || mayView !== 'yes') return null
  return (
    <Page
      title={isPhone ? names[tab] : 'Organization settings'}
      bar={
        isPhone ? (
          <Select
            aria-label="Organization settings"
            className="w-full"
            value={tab}
            options={tabs.map((value) => ({ value, label: names[value] }))}
            // the options are the tabs
            onChange={(event) => open(event.target.value as SettingsTab)}
          />
        ) : null
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {/* the same at every width: a tablet that is turned keeps the open dialog and what was chosen in it */}
        <Tabs
          label="Organization settings"
          barless={isPhone}
          value={tab}
          onChange={open}
          tabs={tabs.map((value) => ({
            value,
            label: names[value],
            content: value === tab ? <Part tab={tab} /> : null,
          }))}
        />
      </div>
    </Page>
  )
}

function Part({ tab }: { tab: SettingsTab }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { page = FIRST_PAGE, excess, who, did, kind, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const newProject = useNewProject()
  const turn = (next: number) =>
    void navigate({ search: (before) => ({ ...before, page: next === FIRST_PAGE ? undefined : next }) })
  switch (tab) {
    case 'channels':
      return <ChannelsTab orgId={ids.orgId} zone={zone} page={page} onPage={turn} setup={<PlatformApps />} />
    case 'projects':
      return <ProjectsTab orgId={ids.orgId} zone={zone} page={page} onPage={turn} onNew={newProject} />
    case 'users':
      return <UsersTab orgId={ids.orgId} zone={zone} page={page} onPage={turn} />
    case 'audit':
      return (
        <AuditTab
          orgId={ids.orgId}
          zone={zone}
          page={page}
          onPage={turn}
          search={{ who, did, kind, from, to }}
          onSearch={(filters) => void navigate({ search: { tab, ...filters } })}
        />
      )
    case 'billing':
      return (
        <BillingTab
          ids={ids}
          page={page}
          onPage={turn}
          choosing={excess === 'choose'}
          onChoosing={(on) =>
            void navigate({ search: (before) => ({ ...before, excess: on ? 'choose' : undefined }), replace: true })
          }
        />
      )
    case 'general':
    default:
      return (
        <GeneralTab orgId={ids.orgId} projectId={ids.projectId}>
          <PlatformCostsSection orgId={ids.orgId} />
          <BrandSection orgId={ids.orgId} />
          <ExportSection orgId={ids.orgId} zone={zone} />
        </GeneralTab>
      )
  }
}

/** Where the apps that platforms know this installation by are registered. */
function PlatformApps() {
  return (
    <Link to="/$orgId/project/$projectId/channels/setup" params={useProjectIds()}>
      Platform setup
    </Link>
  )
}
