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

it('puts each folder before those inside it', () => {
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

it('finds the path to a folder', () => {
  expect(pathTo(folders, 'leaves').map(({ folderId }) => folderId)).toEqual(['seasons', 'autumn', 'leaves'])
  expect(pathTo(folders, 'gone')).toEqual([])
})

it("doesn't offer the moving folder or anything inside it", () => {
  expect(placesFor(folders, folder('autumn', 'seasons')).map(({ folderId }) => folderId)).toEqual(['birds', 'seasons'])
})
