import { platformRules } from '../../platforms/registry.ts'
import { platformKeys, type PlatformKey } from '../../platforms/rules.ts'
import { breaks, platformFigures } from './catalog.ts'
import type { PlatformFigure } from './define.ts'
import { definitionOf, figureNames } from './names.ts'

/** The catalog as a page of the documentation (docs/figures.md), in Markdown. A test keeps the page up to date. */
export function printCatalog(): string {
  return [
    '# Figures',
    'Printed from `contract/analytics/catalog/` by its test (`-u` writes it). What happens with the figures: [insights](insights.md).',
    '## Definitions',
    '`sum` adds up over days, posts and channels. `last` is a level: the last value of a range counts. `none` is never added. A figure over several days is what the platform counts over all of them together, under the last one. A figure that is part of another is never added to it.',
    table(
      ['name', 'unit', 'adds', 'part of', 'over'],
      figureNames.map((name) => {
        const { unit, adds, partOf, window } = definitionOf(name)
        return [
          `\`${name}\``,
          unit,
          adds,
          partOf === undefined ? '' : `\`${partOf}\``,
          window ? `${window.days} days of \`${window.of}\`` : '',
        ]
      }),
    ),
    ...platformKeys.flatMap(printPlatform),
    '## Breaks',
    'Values before and after these days can’t be compared.',
    table(
      ['day', 'platform', 'figure', 'what changed'],
      breaks.map(({ date, platform, subject, figure, note }) => [date, platform, `\`${figure}\` (${subject})`, note]),
    ),
    '',
  ].join('\n\n')
}

function printPlatform(platform: PlatformKey): string[] {
  const { post, channel, terms, zone, audience, readPrices, leastFollowers } = platformFigures[platform]
  const facts = [
    `Days in ${zone}.`,
    ...(terms.mayBeSummed ? [] : [`Never added to other platforms' figures, unless \`${terms.accepted}=accepted\`.`]),
    ...(terms.keepDays === null ? [] : [`Deleted or read again after ${terms.keepDays} days.`]),
    ...(readPrices ? [`Costs $${readPrices.post} a post and $${readPrices.account} an account.`] : []),
    ...(leastFollowers === undefined ? [] : [`Reports nothing about accounts under ${leastFollowers} followers.`]),
    ...(audience
      ? [
          `Audience by ${audience.breakdowns.join(', ')}${audience.leastFollowers > 0 ? ` from ${audience.leastFollowers} followers` : ''}.`,
        ]
      : []),
  ]
  return [
    `## ${platformRules[platform].label}`,
    facts.join(' '),
    table(
      ['figure', 'of', 'platform’s term', 'source', 'final after', 'history'],
      [...post.map((one) => row('post', one)), ...channel.map((one) => row('channel', one))],
    ),
  ]
}

const row = (subject: string, { name, term, source, delayHours, historyDays, since }: PlatformFigure): string[] => [
  `\`${name}\``,
  subject,
  term,
  source,
  delayHours === 0 ? 'at once' : `${delayHours} h`,
  since ?? (historyDays === null ? 'always' : historyDays === 0 ? 'from the first reading' : `${historyDays} days`),
]

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
