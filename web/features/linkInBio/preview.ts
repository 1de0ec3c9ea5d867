import type { BioView } from '#contract/linkInBio/render.ts'
import type { EditedItem, EditedPage } from './edited.ts'
import { standingOf } from './standing.ts'

/** What visitors would see of a page at the moment, for its preview: nothing leads anywhere. */
export function viewOf(page: EditedPage, now: Date, pictures: ReadonlyMap<string, string>): BioView {
  const picture = (url: string | null | undefined) => {
    const data = url ? pictures.get(url) : undefined
    return data === undefined ? null : { small: data, large: data }
  }
  const shown = (items: readonly EditedItem[]) =>
    items.filter((item) => item.label.trim() !== '' && standingOf(item, now) === 'shown')
  return {
    name: page.name,
    about: page.about,
    theme: page.theme,
    picture: picture(page.picture?.url),
    buttons: shown(page.buttons).map(({ label }) => ({ label, href: null })),
    posts: shown(page.posts).map(({ label, post }) => ({ label, href: null, picture: picture(post?.pictureUrl) })),
    noindex: page.noindex,
    share: null,
    report: null,
  }
}

/** The addresses of a page's pictures. */
export const picturesOf = (page: EditedPage): string[] =>
  [page.picture?.url, ...page.posts.map(({ post }) => post?.pictureUrl)].flatMap((url) => url ?? [])
