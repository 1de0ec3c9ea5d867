import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import RadioTower from 'lucide-react/icons/radio-tower'
import { allChannels, listChannels } from '#contract/channels.ts'
import { FIRST_PAGE } from '#contract/constants.ts'
import { errorCatalog } from '#contract/errors.ts'
import { plan } from '#contract/organizations.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { ChannelTable } from '#web/features/channels/ChannelTable.tsx'
import { ConnectDialog } from '#web/features/channels/ConnectDialog.tsx'
import { ReconnectDialog } from '#web/features/channels/ReconnectDialog.tsx'
import { useIsOrgAdmin, useMay, type May } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'

const route = getRouteApi('/$orgId/project/$projectId/channels')

/** High enough for a finger, below each other on a phone. */
const linkClass = 'inline-flex min-h-6 items-center self-start'

export default function ChannelsScreen() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { page = FIRST_PAGE, connect, reconnect, variant } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/project/$projectId/channels' })
  const go = (search: { page?: number; connect?: PlatformKey | 'list' | undefined; reconnect?: string }) =>
    void navigate({
      search: (before) => ({ ...before, connect: undefined, reconnect: undefined, variant: undefined, ...search }),
      replace: true,
    })

  const channels = useCall(listChannels, { params: ids, query: { page } }, { keepPrevious: true, handles: true })
  const all = useCall(allChannels, { params: ids }, { handles: true, enabled: reconnect !== undefined })
  const limits = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const isOrgAdmin = useIsOrgAdmin(ids)
  const mayConnect = useMay([['channel', 'create']])
  const may = {
    connect: mayConnect === 'yes',
    edit: useMay([['channel', 'edit']]) === 'yes',
    remove: useMay([['channel', 'delete']]) === 'yes',
  }
  const empty = channels.data?.pagination.totalCount === 0
  const add = <AddChannel may={mayConnect} primary={empty} onAdd={() => go({ connect: 'list' })} />

  return (
    <Page
      title="Platform Settings"
      controls={channels.data && !empty ? <span className="max-md:hidden">{add}</span> : null}
      bar={
        channels.data ? (
          <div className="flex grow items-center justify-between gap-3">
            <p className="tnum flex gap-x-4 text-ink-muted max-md:flex-col">
              <span>
                Total Accounts <b className="font-bold text-ink">{channels.data.pagination.totalCount}</b>
              </span>
              {/* the plan's limit is for people who can add channels */}
              {limits.data && may.connect ? (
                <span>{`${limits.data.currentChannels} of ${limits.data.maxChannels} channels in your plan`}</span>
              ) : null}
              <Link to="/$orgId/project/$projectId/channels/links" params={ids} className={linkClass}>
                UTM tags and short links
              </Link>
              {isOrgAdmin ? (
                <Link to="/$orgId/project/$projectId/channels/setup" params={ids} className={linkClass}>
                  Platform setup
                </Link>
              ) : null}
            </p>
            {empty ? null : <span className="md:hidden">{add}</span>}
          </div>
        ) : null
      }
    >
      <Loaded
        query={channels}
        isEmpty={({ channels: rows, pagination }) => rows.length === 0 && pagination.totalCount === 0}
        empty={
          <EmptyState icon={<RadioTower size={20} />} title="No channels yet" action={add}>
            {may.connect ? 'Connect an account to start publishing.' : 'A project admin can connect accounts.'}
          </EmptyState>
        }
      >
        {({ channels: rows, pagination }) =>
          // the last channel of the last page was deleted
          rows.length === 0 ? (
            <Navigate
              from="/$orgId/project/$projectId/channels"
              to="."
              search={(before) => ({ ...before, page: pagination.totalPages })}
              replace
            />
          ) : (
            <div className="grid gap-3">
              <ChannelTable ids={ids} channels={rows} may={may} zone={zone} />
              <Pagination
                page={pagination.currentPage}
                totalPages={pagination.totalPages}
                onPage={(next) => go({ page: next })}
                loading={channels.isPlaceholderData}
              />
            </div>
          )
        }
      </Loaded>
      {may.connect ? (
        <>
          <ConnectDialog ids={ids} open={connect} returnTo="channels" onOpen={(open) => go({ connect: open })} />
          <ReconnectDialog
            ids={ids}
            variant={variant}
            channel={all.data?.channels.find((channel) => channel.channelId === reconnect)}
            onClose={() => go({})}
          />
        </>
      ) : null}
    </Page>
  )
}

type AddProps = { may: May; primary: boolean; onAdd: () => void }

/** Keyboard users can reach it even if it's disabled, to read the reason. */
function AddChannel({ may, primary, onAdd }: AddProps) {
  const button = (
    <Button
      tone={primary && may === 'yes' ? 'primary' : 'default'}
      icon={<Plus size={15} aria-hidden />}
      aria-disabled={may === 'yes' ? undefined : true}
      onClick={may === 'yes' ? onAdd : undefined}
    >
      Add Channel
      {may === 'no' ? <span className="sr-only">. {errorCatalog.FORBIDDEN.detail}</span> : null}
    </Button>
  )
  return may === 'no' ? <Tooltip text={errorCatalog.FORBIDDEN.detail}>{button}</Tooltip> : button
}
