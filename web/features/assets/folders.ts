import type { Folder } from '#contract/library.ts'

/** A folder with its depth, 0 at the top. */
export type Placed = Folder & { depth: number }

/** The folders as one list, each right before those inside it. Folders inside themselves are left out. */
export function inOrder(folders: readonly Folder[]): readonly Placed[] {
  const below = (parentId: string | null, depth: number): Placed[] =>
    folders
      .filter((folder) => folder.parentId === parentId)
      .flatMap((folder) => [{ ...folder, depth }, ...below(folder.folderId, depth + 1)])
  return below(null, 0)
}

/** The folders from the top down to this one, inclusive; none if it doesn't exist. */
export function pathTo(folders: readonly Folder[], folderId: string | null): readonly Folder[] {
  const folder = folders.find((one) => one.folderId === folderId)
  return folder ? [...pathTo(folders, folder.parentId), folder] : []
}

/** Where this folder can move: anywhere except into itself or what is inside it. */
export function placesFor(folders: readonly Folder[], moved: Folder): readonly Placed[] {
  return inOrder(folders).filter(
    ({ folderId }) => !pathTo(folders, folderId).some((above) => above.folderId === moved.folderId),
  )
}

/** Lines of a select: deeper folders are indented further. */
export function folderOptions(folders: readonly Placed[]): { value: string; label: string }[] {
  return folders.map(({ folderId, name, depth }) => ({ value: folderId, label: `${'\u2003'.repeat(depth)}${name}` }))
}
