import Trash from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import type { ComparedAccount } from '#contract/analytics/competitors.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { dayText } from '#web/lib/dates.ts'
import { count, momentOf } from '#web/lib/format.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link, OutsideLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Table } from '#web/ui/Table.tsx'
import { FigureCell } from '../FigureCell.tsx'
import { useToday } from '../useToday.ts'
import { isUnpaid, stateText } from '#contract/analytics/accountWords.ts'
import { growthNote, postsNote } from './competitorWords.ts'

type Props = {
  platform: PlatformKey
  accounts: readonly ComparedAccount[]
  range: InsightsRange
  /** Nothing may be worked out of its figures. */
  isApart: boolean
  /** Absent if the role doesn't allow it. */
  onRemove: ((account: ComparedAccount) => void) | undefined
}

const DASH = '–'
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const signed = new Intl.NumberFormat('en', { signDisplay: 'exceptZero' })

/** A platform's channels and competitors side by side. */
export function CompetitorTable({ platform, accounts, range, isApart, onRemove }: Props) {
  const today = useToday()
  const before = range.compare !== null
  const cell = (of: ComparedAccount['followers'], format = numbers, note?: ReactNode) => (
    <Sides of={of} format={format} shows={before} note={note} />
  )
  return (
    <Table
      label={`${platformName(platform)} accounts`}
      wide
      figures
      rows={accounts}
      rowKey={({ id }) => id}
      columns={[
        { key: 'account', header: 'Account', cell: (account) => <Account account={account} /> },
        {
          key: 'followers',
          header: platformFigure(platform, 'channel', 'followers')?.term ?? 'Followers',
          align: 'end',
          className: 'tnum',
          cell: ({ followers, followersDay }) =>
            cell(
              followers,
              numbers,
              followersDay !== null && followersDay < range.to
                ? `now as of ${dayText(followersDay).slice(0, 6)}`
                : undefined,
            ),
        },
        ...(isApart
          ? []
          : [
              {
                key: 'growth',
                header: 'Growth',
                align: 'end' as const,
                className: 'tnum',
                cell: (account: ComparedAccount) => cell(account.growth, signed, growthNote(account)),
              },
              {
                key: 'posts',
                header: 'Posts',
                align: 'end' as const,
                className: 'tnum',
                cell: (account: ComparedAccount) => cell(account.posts, numbers, postsNote(account, range, today)),
              },
              {
                key: 'median',
                header: 'Median engagements',
                align: 'end' as const,
                className: 'tnum',
                cell: ({ medianEngagements, posts }: ComparedAccount) =>
                  cell(medianEngagements, numbers, posts.value ? `of ${count(posts.value, 'post')}` : undefined),
              },
            ]),
        {
          key: 'actions',
          header: 'Actions',
          headerHidden: true,
          corner: true,
          align: 'end',
          cell: (account) =>
            account.isOwn || !onRemove ? null : (
              <IconButton
                size="s"
                label={`Remove ${account.name}`}
                icon={<Trash size={14} />}
                onClick={() => onRemove(account)}
              />
            ),
        },
      ]}
    />
  )
}

/** A value, and below it what it was in the days compared. */
function Sides({
  of,
  format,
  shows,
  note,
}: {
  of: ComparedAccount['followers']
  format: Intl.NumberFormat
  shows: boolean
  note: ReactNode
}) {
  const before =
    of.before === null ? null : (
      <span className="text-xs whitespace-nowrap text-ink-muted">before {format.format(of.before)}</span>
    )
  return (
    <FigureCell
      value={of.value === null ? DASH : format.format(of.value)}
      change={shows ? before : undefined}
      note={note}
    />
  )
}

function Account({ account }: { account: ComparedAccount }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { isOwn, name, handle, pictureUrl, profileUrl, reading } = account
  const problem = stateText(account)
  const needsChannel = reading?.state === 'signedOut' || reading?.state === 'rights'
  return (
    <span className="flex min-w-0 items-center gap-2.5 py-1">
      <Avatar name={name} src={pictureUrl} size={32} />
      <span className="grid min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <span dir="auto" className="truncate font-semibold">
            {name}
          </span>
          {isOwn ? <Badge tone="accent">You</Badge> : null}
        </span>
        <span
          dir="auto"
          className="truncate text-sm font-normal text-ink-muted pointer-coarse:-my-2.5 pointer-coarse:py-2.5"
        >
          {profileUrl ? (
            <OutsideLink href={profileUrl} className="touch-area">
              {handle}
            </OutsideLink>
          ) : name.endsWith(handle) ? null : (
            // it's in the name where several channels share one
            handle
          )}
        </span>
        {problem ? (
          <span className="text-sm font-normal text-pretty text-wait">
            {problem}{' '}
            {needsChannel ? (
              <Link to="/$orgId/project/$projectId/channels" params={ids} className="touch-area">
                Channels
              </Link>
            ) : null}
            {reading && isUnpaid(reading.problem) ? (
              <Link to="/$orgId/project/$projectId/org-settings" params={ids} className="touch-area">
                Organization settings
              </Link>
            ) : null}
          </span>
        ) : null}
        {reading?.lastReadAt ? (
          <span className="text-xs font-normal text-ink-muted">Read {momentOf(reading.lastReadAt, zone)}</span>
        ) : null}
      </span>
    </span>
  )
}
