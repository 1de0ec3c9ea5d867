import * as contract from '#contract/library.ts'
import { handle, handleDetached, type Route } from '../http/route.ts'
import { editFile, findFile, findFiles, findUses, lockListed, mustHaveLibrary } from './libraryFiles.ts'
import { changeFolder, findFolders, makeFolder, removeFolder } from './libraryFolders.ts'
import { importAsked, type ImportDeps } from './libraryImport.ts'

export function libraryRoutes(deps: ImportDeps): Route[] {
  return [
    handle(contract.listAssets, findFiles),
    handle(contract.getLibraryAsset, findFile),
    handle(contract.assetUses, findUses),
    handle(contract.editAsset, async (c) => {
      const asset = await editFile(c)
      await c.audit({
        entityId: asset.id,
        detail: {
          before: { fileName: asset.file_name, folderId: asset.folder_id },
          after: { fileName: c.body.fileName, folderId: c.body.folderId },
          ...(c.body.altText !== undefined && { changed: ['altText'] }),
        },
      })
      await c.emit({ kind: 'asset', ref: asset.id })
      return { message: 'File updated successfully' }
    }),
    // without the library in the plan, too: people who leave it can take their files along and delete them
    handle(contract.deleteAsset, async (c) => {
      const { id } = await lockListed(c, c.params.assetId)
      await c.tx
        .updateTable('asset')
        .set({ deleted_at: c.now })
        .where('org_id', '=', c.org.orgId)
        .where('id', '=', id)
        .execute()
      await c.audit({ entityId: id })
      await c.emit({ kind: 'asset', ref: id })
      return { message: 'File deleted successfully' }
    }),
    handle(contract.restoreAsset, async (c) => {
      const { id } = await lockListed(c, c.params.assetId, true)
      await c.tx
        .updateTable('asset')
        .set({ deleted_at: null })
        .where('org_id', '=', c.org.orgId)
        .where('id', '=', id)
        .execute()
      await c.audit({ entityId: id })
      await c.emit({ kind: 'asset', ref: id })
      return { message: 'File restored' }
    }),
    handleDetached(contract.importAsset, async (c) => ({ assetId: await importAsked(c, deps) })),
    handle(contract.listFolders, async (c) => {
      mustHaveLibrary(c.org)
      return { folders: await findFolders(c) }
    }),
    handle(contract.createFolder, async (c) => {
      mustHaveLibrary(c.org)
      const folderId = await makeFolder(c, c.body)
      await c.audit({ entityId: folderId })
      await c.emit({ kind: 'asset', ref: folderId })
      return { folderId, message: 'Folder created successfully' }
    }),
    handle(contract.editFolder, async (c) => {
      mustHaveLibrary(c.org)
      const { folderId } = c.params
      const detail = await changeFolder(c, folderId, c.body)
      await c.audit({ entityId: folderId, detail })
      await c.emit({ kind: 'asset', ref: folderId })
      return { message: 'Folder updated successfully' }
    }),
    handle(contract.deleteFolder, async (c) => {
      const { folderId } = c.params
      await removeFolder(c, folderId)
      await c.audit({ entityId: folderId })
      await c.emit({ kind: 'asset', ref: folderId })
      return { message: 'Folder deleted successfully' }
    }),
  ]
}
