import { BIO } from '#contract/linkInBio/limits.ts'
import { BioUrl } from '#contract/linkInBio/links.ts'
import { instantAt } from '#web/lib/dates.ts'
import { itemsOf, sentOf, type EditedItem, type EditedPage } from './edited.ts'

/** Messages by field: `name`, `about`, `theme`, `n4.label`, `new-0.url`. */
export type Problems = ReadonlyMap<string, string>
type Moment = EditedItem['starts']

export const fieldOf = (item: Pick<EditedItem, 'key'>, field: 'label' | 'url' | 'starts' | 'ends' | 'postId'): string =>
  `${item.key}.${field}`

/** What the server would refuse, in the words of the contract. */
export function problemsOf(page: EditedPage): Problems {
  const problems = new Map<string, string>()
  const put = (field: string, message: string | undefined) =>
    message === undefined ? undefined : problems.set(field, message)
  const name = page.name.trim()
  put('name', name === '' ? 'A name is required' : name.length > BIO.name ? 'This name is too long' : undefined)
  put('about', page.about.trim().length > BIO.about ? 'This text is too long' : undefined)
  for (const item of itemsOf(page)) {
    const label = item.label.trim()
    put(
      fieldOf(item, 'label'),
      label === ''
        ? 'A text is required'
        : label.length > BIO.label
          ? `Use at most ${BIO.label} characters`
          : undefined,
    )
    put(fieldOf(item, 'url'), BioUrl.safeParse(item.url).error?.issues[0]?.message)
    const [from, until] = [instantOf(item.starts, item.zone), instantOf(item.ends, item.zone)]
    put(fieldOf(item, 'ends'), from && until && until <= from ? 'The end is before the start' : undefined)
  }
  return problems
}

/** The server's messages at the fields of what was sent, and those that belong to none. */
export function refusedFields(
  errors: Readonly<Record<string, readonly string[]>>,
  sent: EditedPage,
): { problems: Problems; others: string[] } {
  const problems = new Map<string, string>()
  const others: string[] = []
  const items = sentOf(sent)
  for (const [path, [message]] of Object.entries(errors)) {
    if (message === undefined) continue
    const [, at, field] = /^items\.(\d+)\.(\w+)/.exec(path) ?? []
    const item = items[Number(at)]
    if (item && (field === 'label' || field === 'url' || field === 'starts' || field === 'ends' || field === 'postId'))
      problems.set(fieldOf(item, field === 'postId' ? 'url' : field), message)
    else if (path === 'name' || path === 'about') problems.set(path, message)
    else if (path === 'pictureAssetId') problems.set('picture', message)
    else others.push(message)
  }
  return { problems, others }
}

/** A field's value, to know whether it's still the one that was refused. */
export function valueAt(page: EditedPage, field: string): unknown {
  if (field === 'name' || field === 'about') return page[field]
  if (field === 'picture') return page.picture?.assetId
  const item = itemsOf(page).find((one) => field.startsWith(`${one.key}.`))
  return item && JSON.stringify([item.label, item.url, item.starts, item.ends])
}

/** The instant of a wall time; undefined without one. */
export const instantOf = (moment: Moment, zone: string): Date | undefined =>
  moment ? instantAt(moment.date, moment.time, zone) : undefined
