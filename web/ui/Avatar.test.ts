import { expect, it } from 'vitest'
import { initials } from './Avatar.tsx'

it('uses the initials of the first and last word, and digits only without letters', () => {
  expect(['Northlight Coffee', 'ana', '@ana', 'Ana Maria Lopes', 'rook.example', 'Éva'].map(initials)).toEqual([
    'NC',
    'A',
    'A',
    'AL',
    'RE',
    'É',
  ])
  expect(['Studio 54', '7 Seas', 'person12', '2nd_rook', '1984', '42 7', '…'].map(initials)).toEqual([
    'S',
    'S',
    'P',
    'NR',
    '1',
    '47',
    '?',
  ])
})
