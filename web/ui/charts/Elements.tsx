import { createElement, type ReactNode } from 'react'
import type { Element } from '#charts/elements.ts'
import type { ColorName } from '#charts/palettes.ts'

/** The screens' token of a chart's color. */
export const token = (color: ColorName): string => `var(--${color})`

/** A drawing's elements, as the SVG file has them too. */
export function Elements({ of }: { of: readonly Element[] }): ReactNode {
  return of.map(({ tag, attributes, children }, i) =>
    // a new drawing draws everything again: its elements have no identity
    createElement(
      tag,
      { key: i, ...attributes },
      typeof children === 'string' || children === undefined ? children : <Elements of={children} />,
    ),
  )
}
