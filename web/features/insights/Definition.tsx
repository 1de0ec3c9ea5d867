import Info from 'lucide-react/icons/info'
import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import { definitionOf, type FigureName } from '#contract/analytics/catalog/names.ts'
import { cardTitle, figureMeaning, partOfText } from '#contract/analytics/labels.ts'
import { isClicks, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import { figureSource, rateSources, type Source } from '#contract/analytics/sources.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { addsText, sourceWords } from '#contract/analytics/insightWords.ts'

type Props = {
  base: FigureBase
  name: FigureKey
  /** As it's called where the button is. */
  title?: string
  /** Whether only posts that a filter chose are in it. */
  postsOnly?: boolean
  /** What the value covers, a sentence each. */
  details?: () => readonly string[]
  /** Only what these platforms say; all that report it by default. */
  platforms?: readonly PlatformKey[]
  className?: string
}

/** What a figure means and covers, how it adds up, and what it's made of on each platform: a button that opens it. */
export function Definition({ className, ...rest }: Props) {
  const { base, name, title = cardTitle(base, name) } = rest
  return (
    <Popover
      label={`About ${title}`}
      className="w-80"
      focusWhole
      trigger={
        <IconButton size="s" label={`About ${title}`} icon={<Info size={13} />} {...(className ? { className } : {})} />
      }
    >
      <Meaning {...rest} title={title} />
    </Popover>
  )
}

/** Worked out when it's opened: there is one for each figure. */
function Meaning({
  base,
  name,
  title,
  details,
  platforms = platformKeys,
  postsOnly = false,
}: Omit<Props, 'className'> & { title: string }) {
  const reported = platforms.flatMap((platform) =>
    sourcesOf(platform, base, name, postsOnly).map((source) => ({ platform, ...source })),
  )
  const sentences = details?.() ?? []
  const [only, ...others] = platforms
  const part = partOfText(name, others.length === 0 ? only : undefined, base === 'postsPublished' ? 'post' : 'channel')
  return (
    <div className="grid gap-2">
      <p className="font-semibold">{title}</p>
      <p className="text-pretty text-ink-muted">
        {[figureMeaning(name), part && `${part}.`].filter(Boolean).join(' ')}
      </p>
      {sentences.length > 0 ? (
        <ul className="grid gap-0.5 text-sm text-pretty">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : null}
      <p className="text-sm text-pretty text-ink-muted">{addsText(name)}</p>
      {reported.length > 0 ? (
        <ul className="grid gap-1.5 border-t border-line pt-2">
          {reported.map(({ platform, kind, names }) => (
            <li key={`${platform} ${kind} ${names.join()}`} className="flex items-start gap-2 text-sm">
              <PlatformIcon platform={platform} size={16} named />
              <Parts platform={platform} kind={kind} names={names} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function sourcesOf(platform: PlatformKey, base: FigureBase, name: FigureKey, postsOnly: boolean): Source[] {
  const options = { postsOnly }
  // we count them, the same way on every platform
  if (isClicks(name)) return []
  if (name !== 'engagementRate') return [figureSource(platform, base, name, options)].flatMap((source) => source ?? [])
  const rate = base === 'inTheseDays' ? rateSources(platform, options) : undefined
  const sides = (['viewsAndImpressions', 'engagements'] as const).map((side) => figureSource(platform, base, side))
  return rate
    ? [rate.whole, rate.part]
    : base === 'inTheseDays' || sides.includes(undefined)
      ? []
      : sides.flatMap((one) => one ?? [])
}

/** The platform's own terms, where they're read, and when they're final. */
function Parts({
  platform,
  kind,
  names,
}: {
  platform: PlatformKey
  kind: Source['kind']
  names: readonly FigureName[]
}) {
  const figures = names.flatMap((name) => platformFigure(platform, kind === 'series' ? 'channel' : 'post', name) ?? [])
  // a number at one moment, such as followers, is what it is
  const isLevel = names.some((name) => definitionOf(name).adds === 'last')
  const delay = isLevel ? 0 : Math.max(0, ...figures.map(({ delayHours }) => delayHours))
  return (
    <span className="min-w-0">
      {platformName(platform)}: {figures.map(({ term }) => term).join(', ')}
      <span className="block text-xs text-pretty text-ink-faint">
        {sourceWords[kind]}
        {delay > 0 ? `. Final after ${delayText(delay)}` : ''}
      </span>
      <span className="block font-mono text-xs break-all text-ink-faint">
        {figures.map(({ source }) => source).join(', ')}
      </span>
    </span>
  )
}

const delayText = (hours: number): string => (hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`)
