import type { Folder, LibraryAsset } from '#contract/library.ts'

/** The open question over the library. */
export type Asked =
  | { about: 'create'; parentId: string | null }
  | { about: 'rename' | 'moveFolder' | 'deleteFolder'; folder: Folder }
  | { about: 'move'; files: readonly LibraryAsset[] }
  | { about: 'import' }
/** What the role allows here. */
export type LibraryRights = {
  /** Folders, names, words. */ edit: boolean
  remove: boolean
  /** New files. */ upload: boolean
}

/** Files being dragged within the library, by their ids as JSON. */
export const DRAGGED = 'application/x-library-files'
