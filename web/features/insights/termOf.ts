import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import { FigureName } from '#contract/analytics/catalog/names.ts'
import type { FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { figureTitle } from './figureWords.ts'

/** The platform's own word for the figure, or ours if it's worked out. */
export function termOf(platform: PlatformKey, subject: FigureSubject, name: FigureKey): string {
  const known = FigureName.safeParse(name)
  return (known.success && platformFigure(platform, subject, known.data)?.term) || figureTitle(subject, name)
}
