import type { ReactNode } from 'react'
import type { ComparedGroup } from '#contract/analytics/compared.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { figureName, figureText } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { FigureChange } from '#web/ui/Change.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Definition } from '../Definition.tsx'
import { changeOf, FigureCell } from '../FigureCell.tsx'
import { thanText } from '../insightsSearch.ts'
import { missingIn, whyMissing } from '#contract/analytics/groupWords.ts'
import { figureOf, whyNoneCompared } from './groupFigures.ts'
import { MissingFigures } from './MissingFigures.tsx'

type Props = {
  label: string
  /** Above the names. */ header: string
  groups: readonly ComparedGroup[]
  /** Those that some group has. */ figures: readonly FigureKey[]
  range: InsightsRange
  /** The name as it's shown, such as a link. */ nameOf: (group: ComparedGroup) => ReactNode
  /** The number of its posts, as a link to them. */ postsOf: (group: ComparedGroup, text: string) => ReactNode
}

/** Campaigns or labels, one per row: their posts and what these have to date, with the change of each. */
export function GroupTable({ label, header, groups, figures, range, nameOf, postsOf }: Props) {
  const than = thanText(range.compare)
  const defined = (name: FigureKey) => ({
    key: name,
    header: (
      <span className="inline-flex items-center gap-0.5">
        <span className="leading-tight rows:max-w-24 rows:whitespace-normal">{figureName(name)}</span>
        {/* over cards, it would get the focus invisibly */}
        <span className="cards:hidden">
          <Definition base="postsPublished" name={name} title={figureName(name)} postsOnly className="-mr-1.5" />
        </span>
      </span>
    ),
    align: 'end' as const,
  })
  const columns: Column<ComparedGroup>[] = [
    {
      key: 'name',
      header,
      className: 'rows:min-w-40',
      cell: (group) => (
        <span className="grid min-w-0 gap-0.5">
          <span className="flex min-w-0 items-center gap-2 font-medium">
            <LabelDot color={group.color} />
            <span className="min-w-0 break-words">{nameOf(group)}</span>
          </span>
          <WhyNoneCompared group={group} />
          <MissingFigures name={group.name} missing={missingIn(group, figures)} />
        </span>
      ),
    },
    {
      ...defined('published'),
      cell: (group) => (
        <FigureCell
          value={group.posts === 0 ? '0' : postsOf(group, group.posts.toLocaleString('en'))}
          change={
            than === '' ? undefined : group.postsBefore === null ? null : (
              <span className="text-xs whitespace-nowrap text-ink-muted">
                {group.postsBefore.toLocaleString('en')} before
              </span>
            )
          }
        />
      ),
    },
    ...figures.map((name): Column<ComparedGroup> => ({
      ...defined(name),
      cell: (group) => {
        const figure = figureOf(group, name)
        if (figure?.value == null)
          return (
            <FigureCell
              value={
                <>
                  <span aria-hidden>{figureText(name, null)}</span>
                  <span className="sr-only">{whyMissing(group, name)}</span>
                </>
              }
              change={than === '' ? undefined : null}
            />
          )
        const isSaid = figure.whyNotComparable !== null && whyNoneCompared(group) !== null
        return <FigureCell value={figureText(name, figure.value)} change={isSaid ? null : changeOf(figure, than)} />
      },
    })),
  ]
  return <Table wide figures label={label} rows={groups} rowKey={({ id }) => id} columns={columns} />
}

/** The reason for a row without any change, once instead of in each of its cells. */
function WhyNoneCompared({ group }: { group: ComparedGroup }) {
  const first = group.figures.find(({ value }) => value !== null)
  return first && whyNoneCompared(group) !== null ? <FigureChange figure={first} than="" /> : null
}
