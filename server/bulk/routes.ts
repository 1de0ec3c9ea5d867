import { sql } from 'kysely'
import * as contract from '#contract/bulk.ts'
import { BulkRowState } from '#contract/bulk.ts'
import type { Dependencies } from '../dependencies.ts'
import { handle, type Route } from '../http/route.ts'
import { linkHosts } from '../links/hosts.ts'
import { namesOf } from '../people/names.ts'
import { findImport, importsOf, loadImport, mustRest, rowsOf } from './access.ts'
import { confirm, undo } from './confirm.ts'
import { countsOf, look, present, presentImport } from './look.ts'
import { changeRows, takeIn } from './prepare.ts'

/** How many imports are listed; older ones are reached by their URL. */
const LISTED = 50

export function bulkRoutes({ env }: Pick<Dependencies, 'env'>): Route[] {
  const hosts = linkHosts(env)
  return [
    handle(contract.checkBulk, (c) => takeIn(c, hosts)),
    handle(contract.listBulk, async (c) => {
      const found = await importsOf(c).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(LISTED).execute()
      const { rows } = await sql<{ import_id: string; state: string; n: number }>`
        select import_id, state, count(*) as n from bulk_row where org_id = ${c.org.orgId} and import_id = any(${found.map(({ id }) => id)}::uuid[]) group by import_id, state`.execute(
        c.tx,
      )
      const names = await namesOf(
        c.tx,
        c.org.orgId,
        found.map(({ created_by: by }) => by),
      )
      const counts = (importId: string) =>
        countsOf(
          rows
            .filter((row) => row.import_id === importId)
            .map(({ state, n }) => ({ state: BulkRowState.parse(state), n })),
        )
      return { imports: found.map((one) => presentImport(one, names.get(one.created_by) ?? '', counts(one.id))) }
    }),
    handle(
      contract.getBulk,
      async (c) => await present(c, await look(c, await findImport(c, c.params.importId), hosts)),
    ),
    handle(contract.changeBulkRows, (c) => changeRows(c, hosts)),
    handle(contract.confirmBulk, (c) => confirm(c, hosts)),
    handle(contract.undoBulk, (c) => undo(c, hosts)),
    handle(contract.removeBulk, async (c) => {
      const found = await loadImport(c, c.params.importId)
      mustRest(await rowsOf(c, found.id))
      await c.tx.deleteFrom('bulk_import').where('org_id', '=', c.org.orgId).where('id', '=', found.id).execute()
      await c.audit({ entityId: found.id })
      await c.emit({ kind: 'bulk', ref: found.id })
      return { message: 'Import removed' }
    }),
  ]
}
