import { expect, it } from 'vitest'
import type { Folder } from '#contract/library.ts'
import { folderOptions, inOrder, pathTo, placesFor } from './folders.ts'

const folder = (folderId: string, parentId: string | null = null): Folder => ({
  folderId,
  name: folderId,
  parentId,
  assets: 0,
})
const folders = [folder('autumn', 'seasons'), folder('birds'), folder('seasons'), folder('leaves', 'autumn')]

it('puts each folder before those in it', () => {
  expect(inOrder(folders).map(({ folderId, depth }) => `${depth} ${folderId}`)).toEqual([
    '0 birds',
    '0 seasons',
    '1 autumn',
    '2 leaves',
  ])
  expect(folderOptions(inOrder(folders)).map(({ label }) => label)).toEqual([
    'birds',
    'seasons',
    '\u2003autumn',
    '\u2003\u2003leaves',
  ])
})

it('knows the way down to a folder', () => {
  expect(pathTo(folders, 'leaves').map(({ folderId }) => folderId)).toEqual(['seasons', 'autumn', 'leaves'])
  expect(pathTo(folders, 'gone')).toEqual([])
})

it('offers no place inside of the folder that moves', () => {
  expect(placesFor(folders, folder('autumn', 'seasons')).map(({ folderId }) => folderId)).toEqual(['birds', 'seasons'])
})
