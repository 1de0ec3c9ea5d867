import { useNavigate, useRouter } from '@tanstack/react-router'
import { Command } from 'cmdk'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Keyboard from 'lucide-react/icons/keyboard'
import ListFilter from 'lucide-react/icons/list-filter'
import LogOut from 'lucide-react/icons/log-out'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import User from 'lucide-react/icons/user'
import type { ReactNode } from 'react'
import * as Radix from 'radix-ui/dialog'
import { allChannels } from '#contract/channels.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { chooseTheme } from '#web/ui/theme.ts'
import { useLogOut } from '../useLogOut.ts'
import { allPlaces, reports } from './areas.ts'
import { useVisible } from './Rail.tsx'
import { shell } from './shellState.ts'
import { useNewProject } from './useNewProject.ts'
import { themeOptions } from './themeOptions.tsx'

/** Go to, create, switch project, show one channel: everything by a few letters. */
export default function Palette() {
  const ids = useProjectIds()
  const router = useRouter()
  const navigate = useNavigate()
  const home = useHome()
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const visible = useVisible()
  const mayCreate = useMay([['post', 'create']])
  const maySeePosts = useMay([['post', 'view']])
  const { logOut } = useLogOut()
  const newProject = useNewProject()
  const returnFocus = useReturnFocus()

  const act = (run: () => unknown) => () => {
    shell.close()
    void run()
  }
  const projects =
    home.data?.organizations.flatMap((organization) =>
      organization.projects.map((project) => ({ ...project, organization })),
    ) ?? []
  const others = projects.filter((project) => project.projectId !== ids.projectId)

  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : shell.close())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12vh] z-40 mx-auto max-w-144 animate-appear overflow-hidden rounded-lg border border-line bg-raised shadow-2 outline-none"
        >
          <Radix.Title className="sr-only">Search or jump to</Radix.Title>
          <Command label="Search or jump to" loop filter={matches}>
            <div className="flex items-center gap-2.5 border-b border-line px-3.5">
              <Search size={16} aria-hidden className="shrink-0 text-ink-muted" />
              <Command.Input
                placeholder="Search or jump to"
                className="h-12 min-w-0 grow bg-transparent text-lg outline-none"
              />
              <Kbd>Esc</Kbd>
            </div>
            <Command.List className="max-h-[min(50vh,26rem)] scroll-py-1 overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-ink-muted">No results.</Command.Empty>
              {mayCreate === 'yes' || newProject ? (
                <Group heading="Create">
                  {mayCreate === 'no' ? null : (
                    <Item
                      icon={<Plus size={15} />}
                      keys="c"
                      keywords={['new', 'compose', 'write']}
                      onSelect={act(() => navigate({ to: '/$orgId/project/$projectId/compose', params: ids }))}
                    >
                      Create post
                    </Item>
                  )}
                  {newProject ? (
                    <Item icon={<Plus size={15} />} keywords={['add', 'create']} onSelect={act(newProject)}>
                      New project
                    </Item>
                  ) : null}
                </Group>
              ) : null}
              <Group heading="Go to">
                {allPlaces.filter(visible).map((place) => (
                  <Item
                    key={place.key}
                    icon={<place.icon size={15} />}
                    keys={place.keys}
                    onSelect={act(() => router.navigate(place.link(ids)))}
                  >
                    {place.label}
                  </Item>
                ))}
                {visible(reports.belongsTo) ? (
                  <Item
                    icon={<reports.icon size={15} />}
                    keywords={['report builder', 'insights', 'pdf']}
                    onSelect={act(() => router.navigate(reports.link(ids)))}
                  >
                    {reports.label}
                  </Item>
                ) : null}
                <Item
                  icon={<User size={15} />}
                  keywords={['account', 'password']}
                  onSelect={act(() => navigate({ to: '/$orgId/project/$projectId/profile', params: ids }))}
                >
                  Profile
                </Item>
              </Group>
              {maySeePosts === 'yes' && channels.data && channels.data.channels.length > 0 ? (
                <Group heading="Show a single channel in the calendar">
                  {channels.data.channels.map((channel) => (
                    <Item
                      key={channel.channelId}
                      value={`channel ${channel.channelName} ${channel.handle} ${channel.channelId}`}
                      icon={<PlatformIcon platform={channel.platformName} size={16} />}
                      onSelect={act(() =>
                        navigate({
                          to: '/$orgId/project/$projectId/calendar',
                          params: ids,
                          search: { channelIds: [channel.channelId] },
                        }),
                      )}
                    >
                      {channel.channelName} <span className="text-ink-muted">{channel.handle}</span>
                    </Item>
                  ))}
                  <Item
                    icon={<ListFilter size={15} />}
                    onSelect={act(() =>
                      navigate({ to: '/$orgId/project/$projectId/calendar', params: ids, search: {} }),
                    )}
                  >
                    All channels
                  </Item>
                </Group>
              ) : null}
              {others.length > 0 ? (
                <Group heading="Switch project">
                  {others.map((project) => (
                    <Item
                      key={project.projectId}
                      value={`project ${project.projectName} ${project.organization.orgName} ${project.projectId}`}
                      icon={<Avatar square size={18} name={project.projectName} />}
                      onSelect={act(() =>
                        navigate({
                          to: '/$orgId/project/$projectId/dashboard',
                          params: { orgId: project.organization.orgId, projectId: project.projectId },
                        }),
                      )}
                    >
                      {project.projectName} <span className="text-ink-muted">{project.organization.orgName}</span>
                    </Item>
                  ))}
                </Group>
              ) : null}
              <Group heading="Rookery">
                {themeOptions.map((theme) => (
                  <Item
                    key={theme.value}
                    icon={theme.icon}
                    keywords={['theme']}
                    onSelect={act(() => chooseTheme(theme.value))}
                  >
                    Theme: {theme.label}
                  </Item>
                ))}
                <Item icon={<Keyboard size={15} />} keys="?" onSelect={() => shell.open('shortcuts')}>
                  Keyboard shortcuts
                </Item>
                <Item icon={<LogOut size={15} />} onSelect={act(logOut)}>
                  Log out
                </Item>
              </Group>
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/**
 * Every word must be part of the name; names that start with the first word rank highest. No fuzzy matching of single
 * letters.
 */
function matches(name: string, search: string, keywords: readonly string[] = []): number {
  const text = [name, ...keywords].join(' ').toLowerCase()
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.every((word) => text.includes(word))) return 0
  const first = words[0] ?? ''
  if (name.toLowerCase().startsWith(first)) return 1
  return ` ${text}`.includes(` ${first}`) ? 0.8 : 0.5
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="mb-1 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-ink-muted"
    >
      {children}
    </Command.Group>
  )
}

function Item({
  icon,
  keys,
  children,
  ...rest
}: {
  icon: ReactNode
  keys?: string
  children: ReactNode
  value?: string
  keywords?: string[]
  onSelect: () => void
}) {
  return (
    <Command.Item
      {...rest}
      className="group flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-hover"
    >
      <span className="grid w-5 shrink-0 place-items-center text-ink-muted">{icon}</span>
      <span className="min-w-0 grow truncate">{children}</span>
      {keys ? (
        <span className="flex gap-1">
          {keys.split(' ').map((key) => (
            <Kbd key={key}>{key.toUpperCase()}</Kbd>
          ))}
        </span>
      ) : (
        <ArrowRight size={14} aria-hidden className="text-ink-faint opacity-0 group-data-[selected=true]:opacity-100" />
      )}
    </Command.Item>
  )
}
