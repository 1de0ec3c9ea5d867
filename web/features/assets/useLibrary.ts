import { useQueryClient } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint.ts'
import {
  deleteAsset,
  editAsset,
  editFolder,
  getLibraryAsset,
  listAssets,
  listFolders,
  restoreAsset,
  type Folder,
  type LibraryAsset,
} from '#contract/library.ts'
import { invalidate } from '#web/lib/cacheInvalidation.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'

type List = ReplyOf<typeof listAssets>

/** Immediate actions for files and folders, with undo for 10 s. The global handling shows refusals. */
export function useLibrary() {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const edit = useSend(editAsset, { refreshes: [] })
  const remove = useSend(deleteAsset, { refreshes: [] })
  const restore = useSend(restoreAsset, { refreshes: [] })
  const change = useSend(editFolder, { refreshes: [] })
  // once for all of them
  const again = () => invalidate(queries, [{ kind: 'asset' }])
  const on = (assetId: string) => ({ ...ids, assetId })
  /** One after the other, and what went through. */
  const each = async <T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<T[]> => {
    const done: T[] = []
    for (const one of all) {
      const went = await act(one).then(
        () => true,
        () => false,
      )
      if (went) done.push(one)
    }
    again()
    return done
  }

  return {
    /** Out of the library immediately; posts keep what they use. */
    async remove(files: readonly LibraryAsset[]) {
      const gone = new Set(files.map(({ assetId }) => assetId))
      await queries.cancelQueries({ queryKey: [listAssets.path] })
      queries.setQueriesData<List>(
        { queryKey: [listAssets.path] },
        (list) => list && { ...list, assets: list.assets.filter(({ assetId }) => !gone.has(assetId)) },
      )
      const done = await each(files, ({ assetId }) => remove.mutateAsync({ params: on(assetId) }))
      const [first] = done
      if (!first) return
      const used = done.some(({ usedIn }) => usedIn > 0)
      const what = done.length === 1 ? `${first.displayName} deleted.` : `${count(done.length, 'file')} deleted.`
      toast.undo(
        used
          ? `${what} Posts that use ${done.length === 1 ? 'it' : 'them'} keep ${done.length === 1 ? 'it' : 'them'}.`
          : what,
        () => void each(done, ({ assetId }) => restore.mutateAsync({ params: on(assetId) })),
        { id: `delete ${first.assetId}` },
      )
    },
    /** Into a folder, or out of every folder with null. `where` names it for the toast. */
    async move(files: readonly LibraryAsset[], folderId: string | null, where: string) {
      const moving = files.filter((file) => file.folderId !== folderId)
      const done = await each(moving, ({ assetId }) => edit.mutateAsync({ params: on(assetId), body: { folderId } }))
      const [first] = done
      if (!first) return
      const back = () =>
        void each(done, (file) => edit.mutateAsync({ params: on(file.assetId), body: { folderId: file.folderId } }))
      toast.undo(`${done.length === 1 ? first.displayName : count(done.length, 'file')} moved ${where}`, back, {
        id: `move ${first.assetId}`,
      })
    },
    /** A file that was just added goes to the current folder. */
    async put(assetId: string, folderId: string | null) {
      if (folderId !== null) await each([assetId], (one) => edit.mutateAsync({ params: on(one), body: { folderId } }))
      toast.success('1 file added')
    },
    async moveFolder(folder: Folder, parentId: string | null, where: string) {
      if (folder.parentId === parentId) return
      const done = await each([folder], ({ folderId }) =>
        change.mutateAsync({ params: { ...ids, folderId }, body: { parentId } }),
      )
      if (done.length === 0) return
      toast.undo(
        `${folder.name} moved ${where}`,
        () =>
          void each([folder], ({ folderId }) =>
            change.mutateAsync({ params: { ...ids, folderId }, body: { parentId: folder.parentId } }),
          ),
        { id: `move ${folder.folderId}` },
      )
    },
  }
}

/** Calls whose replies are stale after a folder was created, renamed or deleted. */
export const folderRefreshes = [listFolders, listAssets, getLibraryAsset] as const
