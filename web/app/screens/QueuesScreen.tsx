import { getRouteApi, Link } from '@tanstack/react-router'
import RadioTower from 'lucide-react/icons/radio-tower'
import { plan } from '#contract/organizations.ts'
import { postFilters } from '#contract/postLists.ts'
import { listQueues } from '#contract/queues.ts'
import { QueueSettings } from '#web/features/queues/QueueSettings.tsx'
import { count } from '#web/lib/format.ts'
import { gateWords } from '#web/lib/gates.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Select } from '#web/ui/Select.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/$orgId/project/$projectId/queues')

/** The queues of the channels, one of them open. */
export default function QueuesScreen() {
  const ids = useProjectIds()
  const { channel: wanted } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useCall(listQueues, { params: ids }, { handles: true })
  const filters = useCall(postFilters, { params: ids }, { handles: true })
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const mayEdit = useMay([['queue', 'edit']]) === 'yes'
  const mayConnect = useMay([['channel', 'create']]) === 'yes'
  const closed = facts.data?.closed.includes('queues') ?? false
  const channelOf = (channelId: string) => filters.data?.channels.find((one) => one.channelId === channelId)
  const nameOf = (channelId: string) => channelOf(channelId)?.channelName ?? 'Channel'
  // channels of several platforms are often called alike
  const platformOf = (channelId: string) => {
    const channel = channelOf(channelId)
    return channel ? [platformName(channel.platformName)] : []
  }
  const fullNameOf = (channelId: string) => [nameOf(channelId), ...platformOf(channelId)].join(', ')
  return (
    <Page
      title="Queues"
      bar={<p className="text-ink-muted">Queued posts are published in order, in their channel's slots.</p>}
    >
      {closed ? (
        <Banner
          tone="info"
          className="mb-4"
          title={gateWords.queues.title}
          actions={
            <Button size="s" onClick={() => upgrade.open({ gate: 'queues' })}>
              See plans
            </Button>
          }
        >
          {gateWords.queues.text} You can still view and pause queues.
        </Banner>
      ) : null}
      <Loaded
        query={{ ...query, data: filters.isPending ? undefined : query.data }}
        isEmpty={({ queues }) => queues.length === 0}
        empty={
          <EmptyState
            icon={<RadioTower size={20} />}
            title="No channels yet"
            action={
              mayConnect ? (
                <ButtonLink to="/$orgId/project/$projectId/channels" params={ids} search={{ connect: 'list' }}>
                  Connect a channel
                </ButtonLink>
              ) : null
            }
          >
            Each channel has its own queue.
          </EmptyState>
        }
      >
        {({ queues }) => {
          const open = queues.find(({ channelId }) => channelId === wanted) ?? queues[0]
          if (!open) return null
          return (
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
              <nav aria-label="Channels" className="grid gap-0.5 max-lg:hidden">
                {queues.map(({ channelId, paused, posts }) => (
                  <Link
                    key={channelId}
                    to="."
                    search={{ channel: channelId }}
                    replace
                    aria-current={channelId === open.channelId ? 'page' : undefined}
                    className="flex min-w-0 items-center gap-2 rounded-md px-2 py-1.5 hover:bg-hover aria-[current=page]:bg-accent-soft"
                  >
                    <Avatar
                      name={nameOf(channelId)}
                      src={channelOf(channelId)?.profileUrl}
                      size={26}
                      {...(channelOf(channelId) ? { platform: channelOf(channelId)?.platformName } : {})}
                    />
                    <span className="min-w-0">
                      <span dir="auto" className="block truncate font-semibold">
                        {nameOf(channelId)}
                      </span>
                      <span className="block truncate text-sm text-ink-muted">
                        {[...platformOf(channelId), ...(paused ? ['paused'] : []), count(posts.length, 'post')].join(
                          ', ',
                        )}
                      </span>
                    </span>
                  </Link>
                ))}
              </nav>
              {queues.length > 1 ? (
                <Select
                  aria-label="Channel"
                  className="lg:hidden"
                  value={open.channelId}
                  onChange={({ target }) => void navigate({ search: { channel: target.value }, replace: true })}
                  options={queues.map(({ channelId }) => ({ value: channelId, label: fullNameOf(channelId) }))}
                />
              ) : null}
              <QueueSettings
                key={open.channelId}
                queue={open}
                name={nameOf(open.channelId)}
                platform={channelOf(open.channelId)?.platformName}
                mayEdit={mayEdit}
                closed={closed}
              />
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}
