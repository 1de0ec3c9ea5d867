import Info from 'lucide-react/icons/info'
import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import { FigureName } from '#contract/analytics/catalog/names.ts'
import { addsOf, figureMeaning, figureTitle } from '#contract/analytics/labels.ts'
import type { FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { addsWords } from './insightWords.ts'

type Props = {
  subject: FigureSubject
  name: FigureKey
  /** As it's called where the button is. */
  title?: string
  /** Only what these platforms say; all that report it by default. */
  platforms?: readonly PlatformKey[]
  className?: string
}

/** What a figure means, how it adds up, and what each platform calls it: a button that opens it. */
export function Definition({
  subject,
  name,
  title = figureTitle(subject, name),
  platforms = platformKeys,
  className,
}: Props) {
  const known = FigureName.safeParse(name)
  const reported = known.success
    ? platforms.flatMap((platform) => {
        const figure = platformFigure(platform, subject, known.data)
        return figure ? [{ platform, figure }] : []
      })
    : []
  return (
    <Popover
      label={`About ${title}`}
      className="w-80"
      focusWhole
      trigger={
        <IconButton size="s" label={`About ${title}`} icon={<Info size={13} />} {...(className ? { className } : {})} />
      }
    >
      <div className="grid gap-2">
        <p className="font-semibold">{title}</p>
        <p className="text-pretty text-ink-muted">{figureMeaning(name)}</p>
        <p className="text-sm text-pretty text-ink-muted">{addsWords[addsOf(name)]}</p>
        {reported.length > 0 ? (
          <ul className="grid gap-1.5 border-t border-line pt-2">
            {reported.map(({ platform, figure: { term, source, delayHours } }) => (
              <li key={platform} className="flex items-start gap-2 text-sm">
                <PlatformIcon platform={platform} size={16} named />
                <span className="min-w-0">
                  {platformName(platform)}: {term}
                  <span className="block font-mono text-xs break-all text-ink-faint">{source}</span>
                  {delayHours > 0 ? (
                    <span className="block text-xs text-ink-faint">Final after {delayText(delayHours)}</span>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Popover>
  )
}

const delayText = (hours: number): string => (hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`)
