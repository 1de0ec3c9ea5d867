import { clsx } from 'clsx'
import ChartColumn from 'lucide-react/icons/chart-column'
import { useState } from 'react'
import { bioWords } from '#contract/analytics/labels.ts'
import {
  bioFigureNames,
  bioPageFigures,
  bioPageFiguresCsv,
  type BioFigureName,
  type BioFigures as Figures,
} from '#contract/linkInBio/figures.ts'
import { plan } from '#contract/organizations.ts'
import { addressOf } from '#web/lib/client.ts'
import { addDays, dayText, wallOf } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { buttonClass } from '#web/ui/buttonClass.ts'
import { Change } from '#web/ui/Change.tsx'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { ClicksByLink } from './ClicksByLink.tsx'

type FigureDays = '7' | '30' | '90'
const choices: readonly { value: FigureDays; label: string }[] = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
]
type Props = {
  pageId: string
  /** Visitors can open it. */ isPublic: boolean
  days: FigureDays
  onDays: (days: FigureDays) => void
}

/** What a page was counted: views, visitors and clicks by day, and clicks by link. */
export default function BioFigures({ pageId, isPublic, days, onDays }: Props) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const now = useNow()
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const closed = facts.data?.closed.includes('analytics') ?? false
  // plans without the insights have the last 7 days
  const shown = closed ? '7' : days
  const to = wallOf(now, zone).day
  const query = shown === '7' ? {} : { from: addDays(to, 1 - Number(shown)), to }
  const figures = useCall(
    bioPageFigures,
    { params: { ...ids, pageId }, query },
    { keepPrevious: true, handles: true, staleTime: 0 },
  )
  return (
    <section aria-label="Figures" className="grid max-w-230 grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Segmented
          label="Days"
          options={choices}
          value={shown}
          onChange={(next) => (closed && next !== '7' ? upgrade.open({ gate: 'analytics' }) : onDays(next))}
        />
        <a
          href={addressOf(bioPageFiguresCsv, { params: { ...ids, pageId }, query })}
          download
          className={buttonClass({ size: 's' })}
        >
          Export CSV
        </a>
        <ZoneNote zone={zone} at={now} className="ml-auto" />
      </div>
      <Loaded query={figures}>
        {(reply) => (
          <>
            <ByDay figures={reply} days={Number(shown)} isPublic={isPublic} />
            <ClicksByLink items={reply.items} />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** The three figures; the chosen one is drawn by day. */
function ByDay({ figures, days, isPublic }: { figures: Figures; days: number; isPublic: boolean }) {
  const [chosen, setChosen] = useState<BioFigureName>('bioViews')
  const { name } = bioWords[chosen]
  const isEmpty = figures.days.every(({ bioViews, bioClicks }) => !bioViews && !bioClicks)
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-2.5">
        {bioFigureNames.map((one) => (
          <li
            key={one}
            className={clsx(
              'relative flex min-h-22 min-w-0 flex-col gap-1 rounded-lg border bg-surface px-3.5 py-2.5',
              one === chosen ? 'border-accent inset-ring inset-ring-accent' : 'border-line hover:border-line-strong',
            )}
          >
            <button
              type="button"
              aria-pressed={one === chosen}
              onClick={() => setChosen(one)}
              className="text-left text-sm font-semibold text-ink-muted after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent aria-pressed:text-ink"
            >
              {bioWords[one].name}
            </button>
            <Total figures={figures} name={one} days={days} />
          </li>
        ))}
      </ul>
      <div className={clsx(paperClass, 'grid gap-2 p-3.5')}>
        <h2 className="font-bold">{name} by day</h2>
        <p className="max-w-160 text-sm text-pretty text-ink-muted">{bioWords[chosen].means}</p>
        {isEmpty ? (
          <EmptyState icon={<ChartColumn size={20} />} title={`No visitors in these ${days} days`} className="py-8!">
            {isPublic
              ? "Put the page's address into your profiles."
              : "Visitors can't see this page now. Once it's live, put its address into your profiles."}
          </EmptyState>
        ) : (
          <ChartFigure
            label={`${name} by day`}
            data={{
              axis: { kind: 'days', keys: figures.days.map(({ day }) => day) },
              series: [{ key: chosen, name, values: figures.days.map((day) => day[chosen]) }],
              adds: chosen === 'bioVisitors' ? 'none' : 'sum',
            }}
          />
        )}
      </div>
    </>
  )
}

/** A sum with its change; of what is never added up, its highest day. */
function Total({ figures, name, days }: { figures: Figures; name: BioFigureName; days: number }) {
  const total = figures.totals.find((one) => one.name === name)
  if (total?.adds === 'none') {
    const [top] = figures.days.toSorted((one, other) => (other[name] ?? 0) - (one[name] ?? 0))
    const most = top?.[name] ?? 0
    return (
      <>
        <span className="tnum text-xl font-bold">{most.toLocaleString('en')}</span>
        <span className="tnum text-sm text-ink-muted">
          {top && most > 0 ? `on ${dayText(top.day)}, the highest day` : 'on any day'}
        </span>
      </>
    )
  }
  return (
    <>
      <span className="tnum text-xl font-bold">{total?.value?.toLocaleString('en') ?? '–'}</span>
      {total && total.changePercent !== null ? (
        <Change percent={total.changePercent} than={`than the ${days} days before`} />
      ) : (
        <span className="text-sm text-ink-muted">Nothing to compare yet</span>
      )}
    </>
  )
}
