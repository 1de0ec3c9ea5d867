import * as contract from '#contract/dataRights.ts'
import { fail } from '../errors.ts'
import { handle, handleBytes, type Route } from '../http/route.ts'
import type { Dependencies } from '../dependencies.ts'
import { nameOf } from '../people/names.ts'
import { deleteAccount } from './deleteAccount.ts'
import { deleteOrganization, keepOrganization } from './deleteOrganization.ts'
import { beginExport, loadReadyExport, readExports } from './exports.ts'
import { enqueueDeletionMails } from './notify.ts'

export function dataRightsRoutes(deps: Dependencies): Route[] {
  const files = deps.exports
  return [
    handle(contract.listExports, async (c) => ({ exports: await readExports(c) })),
    handle(contract.beginExport, async (c) => {
      const begun = await beginExport(c, c.caller.personId)
      await c.audit({ entityId: c.org.orgId })
      return begun
    }),
    handleBytes(contract.downloadExport, async (c) => {
      const { id } = await loadReadyExport(c, c.params.exportId)
      const copy = await files.open(id)
      if (!copy) throw fail('NOT_FOUND')
      // who downloaded everything, not only who requested the export
      await c.audit({ entityId: c.org.orgId, detail: { exportId: id } })
      return {
        ...copy,
        contentType: 'application/zip',
        headers: {
          'content-disposition': `attachment; filename="rookery-${c.now.toISOString().slice(0, 10)}.zip"`,
          'cache-control': 'no-store',
        },
      }
    }),

    handle(contract.deleteOrganization, async (c) => {
      const { orgName, admins, deletesAt, isNew } = await deleteOrganization(c)
      await c.audit({ entityId: c.org.orgId, detail: { after: { deletesAt: deletesAt.toISOString() } } })
      // streams check again who may listen
      await c.emit([
        { kind: 'member', ref: c.org.orgId, projectId: null },
        { kind: 'organization', ref: c.org.orgId, projectId: null },
      ])
      const who = await nameOf(c.tx, c.caller.personId, 'An admin')
      if (isNew)
        await enqueueDeletionMails(
          c.tx,
          admins.map(({ email: to }) => ({
            about: 'begins',
            to,
            orgId: c.org.orgId,
            orgName,
            deletesAt: deletesAt.toISOString(),
            who,
          })),
        )
      return { message: 'Organization deleted successfully', deletesAt: deletesAt.toISOString() }
    }),
    handle(contract.keepOrganization, async (c) => {
      const { orgName, admins, wasDeleting } = await keepOrganization(c)
      await c.audit({ entityId: c.org.orgId })
      await c.emit({ kind: 'organization', ref: c.org.orgId, projectId: null })
      const who = await nameOf(c.tx, c.caller.personId, 'An admin')
      if (wasDeleting)
        await enqueueDeletionMails(
          c.tx,
          admins.map(({ email: to }) => ({ about: 'stays', to, orgId: c.org.orgId, orgName, who })),
        )
      return { message: 'Deletion canceled' }
    }),

    handle(contract.deleteAccount, async (c) => {
      await deleteAccount(deps, c.caller.personId, c.body, c.now)
      c.clearSession()
      return { message: 'Your account was deleted' }
    }),
  ]
}
