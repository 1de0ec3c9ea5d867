import type { Drawing, EventMark, Mark } from './data.ts'
import type { Looks } from './looks.ts'
import { round } from './numbers.ts'
import type { ColorName } from './palettes.ts'
import { COMPARED_DASH, lookAt, type Look } from './style.ts'

/*
 * A drawing as SVG elements: screens make React's of them, files a text (svg.ts), so both are the same picture.
 */

export type Element = {
  tag: 'circle' | 'defs' | 'g' | 'line' | 'path' | 'pattern' | 'rect' | 'text' | 'title'
  /** As React spells them: strokeWidth. */
  attributes: Readonly<Record<string, string | number>>
  children?: readonly Element[] | string
}

type Context = {
  looks: Looks
  /** A color as the output knows it: a token of the screen, or a value. */ paint: (color: ColorName) => string
  /** Makes the ids of one chart's patterns different from another's; letters and numbers only. */ id: string
}

const FALLBACK = lookAt(0)
/** How much of a color is left where values can still change. */
const OPEN = 0.5

/** Axes, marks, names and what is on the axis, back to front. */
export function elementsOf(drawing: Drawing, context: Context): Element[] {
  const { plot, yTicks, xTicks, breaks, baseline, height } = drawing
  const { paint } = context
  return [
    patternsOf(context),
    ...openElements(drawing, context),
    ...yTicks.flatMap(({ at, text }): Element[] => [
      {
        tag: 'line',
        attributes: {
          x1: plot.left,
          x2: round(plot.right),
          y1: round(at),
          y2: round(at),
          stroke: paint(at === baseline ? 'line-strong' : 'line'),
        },
      },
      textElement(text, plot.left - 8, round(at), { dy: '0.32em', textAnchor: 'end', fill: paint('ink-muted') }),
    ]),
    ...xTicks.map(({ at, text, anchor }) =>
      textElement(text, round(at), height - 5, { textAnchor: anchor, fill: paint('ink-muted') }),
    ),
    ...breaks.map(({ x }): Element => ({
      tag: 'g',
      attributes: { transform: `translate(${x},0)` },
      children: [
        { tag: 'line', attributes: { y1: plot.top, y2: plot.bottom, stroke: paint('wait'), strokeDasharray: '3 3' } },
        { tag: 'path', attributes: { d: `M-4,${plot.top - 7}h8l-4,6z`, fill: paint('wait') } },
      ],
    })),
    ...drawing.marks.flatMap((mark) => [...haloOf(mark, drawing, context), markElement(mark, context)]),
    ...drawing.ends.flatMap(({ series, x, y, text, name }): Element[] => {
      const line = lineElement(x, x + 12, y, context.looks.get(series) ?? FALLBACK, paint)
      const words = textElement(text, x + 17, y, { dy: '0.32em', fill: paint('ink') })
      // pointing at a shortened name says the whole one
      return text === name
        ? [line, words]
        : [{ tag: 'g', attributes: {}, children: [{ tag: 'title', attributes: {}, children: name }, line, words] }]
    }),
    ...drawing.events.map((event) => eventElement(event, drawing.eventsAt, paint)),
  ]
}

const hatchId = (id: string, { color, hatch }: Look): string => `${id}-${color}-${hatch}`

/** The hatching of bars after the first, and of days that aren't final. */
function patternsOf({ looks, paint, id }: Context): Element {
  const hatched = new Map(
    [...looks.values()].filter(({ hatch }) => hatch !== null).map((one) => [hatchId(id, one), one]),
  )
  return {
    tag: 'defs',
    attributes: {},
    children: [
      pattern(`${id}-open`, 45, [{ tag: 'rect', attributes: { width: 1, height: 6, fill: paint('line-strong') } }]),
      ...[...hatched].map(([key, { color, hatch }]) =>
        pattern(key, hatch ?? 0, [
          { tag: 'rect', attributes: { width: 6, height: 6, fill: paint(color), fillOpacity: 0.45 } },
          { tag: 'rect', attributes: { width: 3, height: 6, fill: paint(color) } },
        ]),
      ),
    ],
  }
}

const pattern = (id: string, angle: number, children: readonly Element[]): Element => ({
  tag: 'pattern',
  attributes: { id, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: `rotate(${angle})` },
  children,
})

function openElements({ open, plot }: Drawing, { id }: Context): Element[] {
  if (!open) return []
  const { x, width } = open
  const area = { x, y: plot.top, width, height: plot.bottom - plot.top }
  return [{ tag: 'rect', attributes: { ...area, fill: `url(#${id}-open)`, fillOpacity: 0.4 } }]
}

/** Over bars of its own color, what is compared with is set off by the surface. */
function haloOf(mark: Mark, { marks }: Drawing, { paint }: Context): Element[] {
  if (mark.kind !== 'line' || !mark.compared || marks[0]?.kind !== 'bar') return []
  return [{ tag: 'path', attributes: { d: mark.d, fill: 'none', stroke: paint('surface'), strokeWidth: 4 } }]
}

function markElement(mark: Mark, { looks, paint, id }: Context): Element {
  const look = looks.get(mark.series) ?? FALLBACK
  const color = paint(look.color)
  switch (mark.kind) {
    case 'area':
      return { tag: 'path', attributes: { d: mark.d, fill: color, fillOpacity: mark.open ? 0.06 : 0.14 } }
    case 'line':
      return {
        tag: 'path',
        attributes: {
          d: mark.d,
          fill: 'none',
          stroke: color,
          strokeLinecap: 'round',
          strokeLinejoin: 'round',
          ...(mark.compared
            ? { strokeWidth: 1.5, strokeOpacity: 0.75, strokeDasharray: COMPARED_DASH }
            : {
                strokeWidth: 2,
                ...(mark.open ? { strokeOpacity: OPEN } : {}),
                ...(look.dash === '' ? {} : { strokeDasharray: look.dash }),
              }),
        },
      }
    case 'dot':
      return {
        tag: 'circle',
        attributes: {
          cx: mark.x,
          cy: mark.y,
          r: 2.5,
          // what is compared with is hollow, like what isn't final
          ...(mark.compared || mark.open
            ? { fill: paint('surface'), stroke: color, strokeWidth: 1.25 }
            : { fill: color }),
          ...(mark.compared ? { strokeDasharray: '1.5 1.5' } : {}),
        },
      }
    case 'bar':
    default:
      return {
        tag: 'rect',
        attributes: {
          x: mark.x,
          y: mark.y,
          width: mark.width,
          height: mark.height,
          rx: round(Math.min(2, mark.width / 4)),
          fill: look.hatch === null ? color : `url(#${hatchId(id, look)})`,
          ...(mark.open ? { fillOpacity: OPEN } : {}),
        },
      }
  }
}

/** Posts are dots, the more the larger; a campaign is a line with an end where it begins and ends. */
function eventElement(event: EventMark, y: number, paint: Context['paint']): Element {
  const { text } = event
  const shape: Element =
    event.kind === 'posts'
      ? { tag: 'circle', attributes: { cx: event.x, cy: y, r: event.size, fill: paint('ink-muted') } }
      : { tag: 'path', attributes: { d: campaignPath(event, y), stroke: paint('wait'), strokeWidth: 1.5 } }
  return { tag: 'g', attributes: {}, children: [{ tag: 'title', attributes: {}, children: text }, shape] }
}

const campaignPath = ({ x, to, begins, ends }: Extract<EventMark, { kind: 'campaign' }>, y: number): string =>
  `M${x},${y}H${to}${begins ? `M${x},${y - 4}v8` : ''}${ends ? `M${to},${y - 4}v8` : ''}`

/** A piece of a series' line, beside its name. */
export const lineElement = (
  from: number,
  to: number,
  y: number,
  look: Pick<Look, 'color' | 'dash'>,
  paint: Context['paint'],
): Element => ({
  tag: 'path',
  attributes: {
    d: `M${from},${y}H${to}`,
    stroke: paint(look.color),
    strokeWidth: 2,
    ...(look.dash === '' ? {} : { strokeDasharray: look.dash }),
  },
})

export const textElement = (text: string, x: number, y: number, attributes: Element['attributes']): Element => ({
  tag: 'text',
  attributes: { x, y, ...attributes },
  children: text,
})
