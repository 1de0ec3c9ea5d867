import { bioPageFigures, bioPageFiguresCsv } from '#contract/linkInBio/figures.ts'
import * as contract from '#contract/linkInBio/pages.ts'
import { pictureLinks } from '../channels/foreignPictures.ts'
import type { Dependencies } from '../dependencies.ts'
import { csvFile } from '../analytics/csv.ts'
import { handle, handleBytes, type Route } from '../http/route.ts'
import { pagesOf, seePage } from './access.ts'
import { addPost, createPage, deletePage, renamePage } from './change.ts'
import { readChoices } from './choices.ts'
import { pageFiguresCsv, readPageFigures } from './figures.ts'
import { ownOrigins } from './ownOrigins.ts'
import { headOf, presentPage, slugsOf } from './present.ts'
import { changedFields, savePage } from './save.ts'

/** The calls of the editor. `env` says where the installation is. */
export function linkInBioRoutes({ env }: Pick<Dependencies, 'env'>): Route[] {
  const how = { publicUrl: env.publicUrl, link: pictureLinks({ env }) }
  const origins = ownOrigins(env)
  return [
    handle(contract.listBioPages, async (c) => {
      const [pages, slugs] = [await pagesOf(c), await slugsOf(c)]
      return {
        pages: pages.map((page) => headOf(c, pages, page, slugs.get(page.id) ?? '', how)),
        most: c.org.entitlements.bioPages,
      }
    }),
    handle(contract.getBioPage, async (c) => await presentPage(c, await seePage(c, c.params.pageId), how)),
    handle(contract.createBioPage, async (c) => {
      const pageId = await createPage(c, c.body)
      await c.audit({ entityId: pageId, detail: { slug: c.body.slug } })
      await c.emit({ kind: 'bio', ref: pageId })
      return { pageId, message: 'Page created' }
    }),
    handle(contract.saveBioPage, async (c) => {
      const { pageId } = c.params
      const before = await seePage(c, pageId)
      const page = await savePage(c, pageId, c.body, origins)
      await c.audit({ entityId: pageId, detail: { version: page.version, changed: changedFields(before, page) } })
      await c.emit({ kind: 'bio', ref: pageId })
      return { ...(await presentPage(c, page, how)), message: 'Page saved' }
    }),
    handle(contract.renameBioPage, async (c) => {
      const { pageId } = c.params
      const before = (await slugsOf(c)).get(pageId)
      const page = await renamePage(c, pageId, c.body.slug)
      await c.audit({ entityId: pageId, detail: { before: { slug: before }, after: { slug: c.body.slug } } })
      await c.emit({ kind: 'bio', ref: pageId })
      return { ...(await presentPage(c, page, how)), message: 'Address changed' }
    }),
    handle(contract.deleteBioPage, async (c) => {
      const { pageId } = c.params
      await c.audit({ entityId: pageId })
      await deletePage(c, pageId)
      await c.emit({ kind: 'bio', ref: pageId })
      return { message: 'Page deleted' }
    }),
    handle(bioPageFigures, async (c) => await readPageFigures(c, await seePage(c, c.params.pageId), c.query)),
    handleBytes(bioPageFiguresCsv, async (c) => {
      const { name, bytes } = await pageFiguresCsv(c, await seePage(c, c.params.pageId), c.query)
      return csvFile(name, bytes)
    }),
    handle(contract.bioPostChoices, async (c) => {
      const page = await seePage(c, c.params.pageId)
      return await readChoices(c, page.id, c.query, how)
    }),
    handle(contract.addPostToBioPage, async (c) => {
      const { pageId } = c.params
      const number = await addPost(c, pageId, c.body, origins)
      await c.audit({ entityId: pageId, detail: { added: c.body.postId } })
      await c.emit({ kind: 'bio', ref: pageId })
      return { number, message: 'Added to your link in bio' }
    }),
  ]
}
