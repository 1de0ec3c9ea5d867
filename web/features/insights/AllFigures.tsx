import { figureGroups } from '#contract/analytics/figureGroups.ts'
import { baseTitles, cardTitle, figureText, partOfText, postTitle } from '#contract/analytics/labels.ts'
import { figureBases, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import { ownColumn } from '#contract/analytics/postColumns.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { InsightsCard, MissingChannels } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import type { ChosenFigure } from './Cards.tsx'
import { coverageSentences, coverageText } from '#contract/analytics/coverageText.ts'
import { Definition } from './Definition.tsx'
import { changeOf, FigureCell } from './FigureCell.tsx'
import { thanText } from './insightsSearch.ts'
import { Missing } from './Missing.tsx'
import { missingFrom } from './missingLines.ts'
import { seeAboveText } from './reach/reachWords.ts'
import type { NamedChannels } from './useChannels.ts'
import { useFilters } from './useFigures.ts'

type Props = {
  ids: ProjectIds
  cards: readonly InsightsCard[]
  missing: readonly MissingChannels[]
  channels: NamedChannels
  range: InsightsRange
  chosen: ChosenFigure | undefined
  onChoose: (figure: ChosenFigure) => void
  platform?: PlatformKey
  /** Figures without a total: those of channels are drawn by channel, those of posts are in the post table. */
  untotaled: readonly ChosenFigure[]
  /** Only these channels' posts. */
  channelIds: readonly string[] | undefined
  /** For how many days reach has a total, which is shown above. */
  reachDays: readonly number[]
}

type Row = { name: FigureKey; /** Without a total. */ byChannel: boolean; byPost: boolean } & Partial<
  Record<FigureBase, InsightsCard>
>

/** Every figure as a row of its group: what happened in these days, and what posts published in them got to date. */
export function AllFigures({ cards, untotaled, ...rest }: Props) {
  return (
    <div className="grid gap-4">
      {figureGroups.map(({ key, title, names }) => {
        const rows = names.flatMap((name): Row[] => {
          const own = cards.filter((card) => card.name === name)
          const row = { name, ...Object.fromEntries(own.map((card) => [card.base, card])) }
          const isUntotaled = (base: FigureBase) => untotaled.some((one) => one.base === base && one.name === name)
          return own.length > 0 || figureBases.some(isUntotaled)
            ? [{ ...row, byChannel: isUntotaled('inTheseDays'), byPost: isUntotaled('postsPublished') }]
            : []
        })
        return rows.length > 0 ? <Group key={key} title={title} rows={rows} {...rest} /> : null
      })}
    </div>
  )
}

function Group({ title, rows, ...rest }: Omit<Props, 'cards' | 'untotaled'> & { title: string; rows: readonly Row[] }) {
  const { platform, chosen, onChoose, reachDays } = rest
  const valueColumn = (base: FigureBase): Column<Row> => ({
    key: base,
    header: baseTitles[base],
    align: 'end',
    // what a value covers needs the card's whole width
    className: 'rows:w-[36%] card-pairs:w-full!',
    cell: (row) => {
      const card = row[base]
      if (card) return <Value {...rest} card={card} />
      if (base === 'postsPublished')
        return row.byPost && platform ? (
          <FigureCell value={<ByPost {...rest} name={row.name} platform={platform} />} />
        ) : null
      return row.byChannel ? (
        <FigureCell
          value={
            <button
              type="button"
              aria-pressed={chosen?.base === base && chosen.name === row.name}
              onClick={() => onChoose({ base, name: row.name })}
              className={pick}
            >
              By channel
              <span className="sr-only">: draw {cardTitle(base, row.name, platform)}</span>
            </button>
          }
          note={row.name === 'reach' && reachDays.length > 0 ? seeAboveText(reachDays) : null}
        />
      ) : null
    },
  })
  return (
    <section aria-label={title} className="grid gap-1.5">
      <h3 className="text-sm font-semibold">{title}</h3>
      <Table
        label={title}
        figures
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'figure',
            header: 'Figure',
            cell: ({ name, postsPublished, inTheseDays, byChannel, byPost }) => {
              const part = partOfText(name, platform)
              return (
                <span className="inline-grid">
                  {byPost && !byChannel
                    ? postTitle(name, platform)
                    : cardTitle(postsPublished && !inTheseDays ? 'postsPublished' : 'inTheseDays', name, platform)}
                  {part === undefined ? null : <span className="text-xs text-ink-muted">{part}</span>}
                </span>
              )
            },
          },
          valueColumn('inTheseDays'),
          valueColumn('postsPublished'),
        ]}
      />
    </section>
  )
}

/** Leads to the posts of these days with the figure, those with the most first. */
function ByPost({
  ids,
  name,
  platform,
  channelIds,
}: Pick<Props, 'ids' | 'channelIds'> & { name: FigureKey; platform: PlatformKey }) {
  const { filters } = useFilters()
  return (
    <Link
      to="/$orgId/project/$projectId/insights/$"
      params={{ ...ids, _splat: 'post-table' }}
      search={{
        ...filters,
        ...(channelIds ? { channelIds: [...channelIds] } : {}),
        platforms: [platform],
        columns: [ownColumn('viewsAndImpressions', [platform]), name],
        sort: name,
      }}
      className="touch-area"
    >
      By post<span className="sr-only">: {postTitle(name, platform)}</span>
    </Link>
  )
}

const pick =
  'hit-area tnum inline-flex min-h-6 min-w-6 items-center justify-end rounded-sm font-semibold underline decoration-line-strong decoration-dotted underline-offset-4 hover:decoration-accent aria-pressed:text-accent aria-pressed:decoration-accent aria-pressed:decoration-solid'

/** A value with its change and what it covers; choosing it draws it. */
function Value({
  ids,
  card,
  missing,
  channels,
  range,
  chosen,
  onChoose,
  platform,
}: Omit<Props, 'cards' | 'untotaled' | 'reachDays' | 'channelIds'> & { card: InsightsCard }) {
  const { base, name, value } = card
  const title = cardTitle(base, name, platform)
  const absent = missingFrom(missing, card)
  const covered = coverageText(card, range)
  const definition = (
    <Definition
      base={base}
      name={name}
      title={title}
      details={() => (value === null ? [] : coverageSentences(card, range))}
      postsOnly={card.subject === 'post'}
      {...(platform ? { platforms: [platform] } : {})}
      className="shrink-0"
    />
  )
  return (
    <FigureCell
      value={
        <span className="inline-flex items-center gap-1">
          {/* before it, so that values end where their changes do */}
          {definition}
          {value === null ? (
            <span className="font-normal text-ink-faint">
              {figureText(name, null)}
              <span className="sr-only"> no figures in these days</span>
            </span>
          ) : (
            <button
              type="button"
              aria-pressed={chosen?.base === base && chosen.name === name}
              onClick={() => onChoose({ base, name })}
              className={pick}
            >
              {figureText(name, value)}
              <span className="sr-only">: draw {title}</span>
            </button>
          )}
        </span>
      }
      change={changeOf(card, thanText(range.compare))}
      note={
        covered !== undefined || absent.length > 0 ? (
          <>
            {covered}{' '}
            {absent.length > 0 ? <Missing ids={ids} title={title} missing={absent} channels={channels} /> : null}
          </>
        ) : null
      }
    />
  )
}
