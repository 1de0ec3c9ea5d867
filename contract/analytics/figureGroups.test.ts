import { expect, it } from 'vitest'
import { figureGroups } from './figureGroups.ts'
import { FigureKey } from './names.ts'

it('has each figure in one group', () => {
  const names = figureGroups.flatMap((group): readonly string[] => group.names)
  expect(names.toSorted()).toEqual([...FigureKey.options].toSorted())
})
