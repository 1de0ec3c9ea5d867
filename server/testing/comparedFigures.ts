import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { insightsSummary } from '#contract/analytics/overview.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { addDays } from '../rangeDays.ts'
import type { TestPerson } from './people.ts'
import type { TestApp } from './startApp.ts'

/** Fewer than so many are single events, whose changes say nothing. */
const FEW = 50

/** `isSeries`: only from channels' own days, not from what posts gained or what we count. */
export type Compared = { name: string; percent: number; isSeries: boolean }

/** What the insights say of the last days compared with as many days before: each figure of these days with its change. */
export async function comparedFigures(
  app: TestApp,
  as: TestPerson,
  params: { orgId: string; projectId: string },
  days: number,
): Promise<Compared[]> {
  const ask = (query: CallOf<typeof insightsSummary>['query']) => app.call(insightsSummary, { params, query }, { as })
  const { to } = (await ask({})).range
  const compareTo = addDays(to, -days)
  const { cards, apart } = await ask({
    from: addDays(compareTo, 1),
    to,
    compareFrom: addDays(compareTo, 1 - days),
    compareTo,
  })
  return [
    ...cards.flatMap((card) =>
      changeOf(card, card.holds.length > 0 && card.holds.every(({ source }) => source === 'series')),
    ),
    ...apart.flatMap(({ figures }) => figures.flatMap((figure) => changeOf(figure, true))),
  ]
}

function changeOf({ base, name, changePercent, compared }: ComparedFigure, isSeries: boolean): Compared[] {
  if (base !== 'inTheseDays' || changePercent === null || compared === null) return []
  return Math.max(compared.value, compared.before) < FEW ? [] : [{ name, percent: changePercent, isSeries }]
}
