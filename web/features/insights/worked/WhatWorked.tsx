import { useLocation } from '@tanstack/react-router'
import Trophy from 'lucide-react/icons/trophy'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { insightsWorked, offeredBy, WORKED_LEAST_DAYS, WorkedFigure, type Worked } from '#contract/analytics/worked.ts'
import { useArrival } from '#web/lib/arrival.ts'
import { count } from '#web/lib/format.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { FoldedPanel } from '#web/ui/FoldedPanel.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { chosenPlatforms } from '../chosenPlatforms.ts'
import { useChannels } from '../useChannels.ts'
import { apartText, figureWord, offeredFigures, whyNothing } from './workedFigures.ts'
import { findingsOf } from './findings.ts'
import { useWorked } from './useWorked.ts'
import { byTitles, WHAT_WORKED } from './workedWords.ts'
import { WorkedChart } from './WorkedChart.tsx'

/** Posts of these days by format, label, time or length: what the middle half of each group got, and how many posts that is. */
export default function WhatWorked({ query }: { query: InsightsFilter }) {
  const { onFigure } = useWorked()
  const chosen = useChosen(query)
  const { platforms, platform, offered, figure } = chosen
  const arrival = useArrival<HTMLDivElement>(WHAT_WORKED)
  const isWanted = useLocation({ select: ({ hash }) => hash === WHAT_WORKED })
  return (
    <div ref={arrival} id={WHAT_WORKED} tabIndex={-1} className="scroll-mt-4 rounded-lg">
      <FoldedPanel
        title="What worked"
        name={WHAT_WORKED}
        isWanted={isWanted}
        aside={
          whyNothing(platforms, []) === undefined ? (
            <Select
              aria-label="Figure of What worked"
              className="min-w-0"
              value={figure}
              options={offered.map((name) => ({ value: name, label: figureWord(name, platform) }))}
              onChange={(event) => {
                const next = WorkedFigure.safeParse(event.target.value)
                if (next.success) onFigure(next.data)
              }}
            />
          ) : null
        }
      >
        <Groups query={query} {...chosen} />
      </FoldedPanel>
    </div>
  )
}

type Chosen = {
  /** Of the posts. */ platforms: readonly PlatformKey[]
  /** If the filters leave only this one. */ platform: PlatformKey | undefined
  /** Figures that the posts can have. */ offered: readonly WorkedFigure[]
  figure: WorkedFigure
}

/** The figure that posts are compared by: the one of the address, if posts of the chosen platforms can have it. */
function useChosen(query: InsightsFilter): Chosen {
  const { figure: wanted } = useWorked()
  const platforms = chosenPlatforms(useChannels(useProjectIds()), query)
  const offered = offeredFigures(platforms)
  return {
    platforms,
    platform: query.platforms?.length === 1 ? query.platforms[0] : undefined,
    offered,
    figure: offered.includes(wanted) ? wanted : (offered[0] ?? wanted),
  }
}

function Groups({ query, platforms, platform, figure }: { query: InsightsFilter } & Chosen) {
  const ids = useProjectIds()
  const { by, onBy, onMonths } = useWorked()
  const { compareFrom: _from, compareTo: _to, ...days } = query
  const found = useCall(
    insightsWorked,
    { params: ids, query: { ...days, by, figure } },
    { keepPrevious: true, handles: true },
  )
  const why = whyNothing(platforms, found.data?.apart ?? [])
  if (why !== undefined) return <p className={`${paperClass} px-3.5 py-3 text-pretty text-ink-muted`}>{why}</p>
  const content = (
    <Loaded
      query={found}
      skeleton={<Skeleton className="h-72 w-full" />}
      isEmpty={({ all }) => all.posts === 0}
      empty={found.data ? <Nothing reply={found.data} word={figureWord(figure, platform)} onMonths={onMonths} /> : null}
    >
      {(reply) => {
        return (
          <div className={`${paperClass} grid gap-2 px-3.5 py-3`}>
            <Findings sentences={findingsOf(reply, figure, platform)} />
            {/* the groups of the reply that is shown, which may be those of the tab before */}
            <WorkedChart key={by} reply={reply} figure={figure} by={reply.groups[0]?.by ?? by} platform={platform} />
            <p className="text-sm text-pretty text-ink-muted">{notes(reply, figure, platform).join(' ')}</p>
          </div>
        )
      }}
    </Loaded>
  )
  return (
    <Tabs
      label="Compare posts by"
      value={by}
      onChange={onBy}
      tabs={offeredBy.map((value) => ({ value, label: byTitles[value], ...(value === by ? { content } : {}) }))}
    />
  )
}

function Findings({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <ul aria-label="Clear differences" className="grid gap-1">
      {sentences.map((sentence) => (
        <li key={sentence} className="text-pretty">
          {sentence}
        </li>
      ))}
    </ul>
  )
}

/** Why there's nothing to compare, and what to do about it. */
function Nothing({ reply, word, onMonths }: { reply: Worked; word: string; onMonths: () => void }) {
  const { tooYoung, withoutFigure } = reply
  return (
    <EmptyState
      icon={<Trophy size={20} />}
      title="No posts to compare"
      action={tooYoung > 0 ? <Button onClick={onMonths}>Last 90 days</Button> : null}
    >
      {tooYoung > 0
        ? `Posts are compared once they're ${WORKED_LEAST_DAYS} days old, because by then they have most of what they get. ${count(tooYoung, 'post is', 'posts are')} younger.`
        : withoutFigure > 0
          ? `No platform reports ${word.toLowerCase()} for ${count(withoutFigure, 'post')} of these days. Choose another figure.`
          : 'Nothing was published in these days. Choose other days.'}
    </EmptyState>
  )
}

/** What the comparison covers. */
function notes(reply: Worked, figure: WorkedFigure, platform: PlatformKey | undefined): string[] {
  const { all, tooYoung, withoutFigure, apart, groups } = reply
  const by = groups[0]?.by
  return [
    `${count(all.posts, 'post')} published in these days that ${all.posts === 1 ? 'is' : 'are'} at least ${WORKED_LEAST_DAYS} days old, with ${all.posts === 1 ? 'its' : 'their'} figures to date.`,
    ...(by === 'weekdayHour'
      ? ['The stronger the color, the higher the median. Hours with fewer than 3 posts have none.']
      : ["Half of the posts of a group are within its bar: that's what posts usually have. The line is the median."]),
    ...(tooYoung > 0 ? [`${count(tooYoung, 'post is', 'posts are')} younger.`] : []),
    ...(withoutFigure > 0
      ? [`${figureWord(figure, platform)} of ${count(withoutFigure, "post isn't", "posts aren't")} reported.`]
      : []),
    ...(by !== 'format' && !platform ? ['All platforms together: choose one to compare like with like.'] : []),
    ...(apart.length > 0 ? [apartText(apart)] : []),
  ]
}
