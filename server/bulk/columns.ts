import { bulkColumnNames, bulkColumns, type BulkColumn } from '#contract/bulk.ts'

/** What a file's column becomes: a column of ours, or a link, which goes below the text. */
export type Source = BulkColumn | 'link'

/** Other tools' column names, besides those in the template; without case, spaces and punctuation. */
const otherNames: Record<Source, string> = {
  text: 'caption content message post copy description body messagetext posttext postcontent status tweet',
  channel:
    'channels account accounts accountname profile profiles profilename page socialaccount socialprofile socialprofiles network networks socialnetwork socialnetworks platform platforms',
  date: 'day postdate postingdate publishdate publicationdate scheduledate scheduleddate datetime dateandtime scheduledat scheduledfor scheduleddatetime postat postatspecifictime publishat sendat',
  time: 'hour posttime postingtime publishtime scheduletime scheduledtime time24hr time24h',
  timezone: 'zone tz',
  media:
    'media mediaurl image images imageurl imageurls imagelink picture pictures pictureurl photo photos photourl photourls gif gifurl gifurls video videos videourl videourls videolink file files attachment attachments',
  labels: 'label tag tags',
  campaign: 'campaigns campaignname',
  firstComment: 'comment comments firstcommenttext followupcomment followupcomments',
  title: 'headline posttitle videotitle',
  postType: 'type format kind postsubtype contenttype',
  link: 'links linkurl url urls weblink messageurl posturl',
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
const sourcesByName = new Map(
  [...bulkColumns, 'link' as const].flatMap((source) =>
    [source, ...(source === 'link' ? [] : [bulkColumnNames[source]]), ...otherNames[source].split(' ')].map(
      (name): [string, Source] => [plain(name), source],
    ),
  ),
)
const numberedMedia = /^(?:picture|image|photo|video|media)(?:url)?\d{1,2}$/

/** What a column of that name becomes: as it's written, or without what explains it, as in "Date - YYYY-MM-DD (UTC)". */
function sourceOf(name: string): Source | undefined {
  const known = (some: string) =>
    sourcesByName.get(plain(some)) ?? (numberedMedia.test(plain(some)) ? 'media' : undefined)
  return known(name) ?? known(name.split(' - ')[0] ?? '') ?? known(name.replace(/\(.*$/s, ''))
}

/** The columns of a header, in its order, and those that nobody knows. */
export type Header = { sources: (Source | undefined)[]; unknown: string[] }
/** Why a header can't be read. */
export type HeaderFault = { faults: string[] }

/** A header's columns; undefined if the record is a row. Rows without a channel can get one later. */
export function headerOf(record: readonly string[]): Header | HeaderFault | undefined {
  const sources = record.map(sourceOf)
  const known = new Set(sources.filter((source) => source !== undefined))
  if (known.size < 2) return undefined
  // a name for a time that is the only one means both
  if (!known.has('date') && known.has('time')) {
    sources[sources.indexOf('time')] = 'date'
    known.add('date')
  }
  const twice = sources.find(
    (source, i) => source !== undefined && source !== 'media' && source !== 'link' && sources.indexOf(source) !== i,
  )
  if (twice !== undefined && twice !== 'link')
    return { faults: [`Two columns are named ${bulkColumnNames[twice]}. Remove one of them.`] }
  if (!known.has('text') && !known.has('media') && !known.has('link'))
    return { faults: [`The column ${bulkColumnNames.text} is missing.`] }
  if (!known.has('date')) return { faults: [`The column ${bulkColumnNames.date} is missing.`] }
  const unknown = record.flatMap((name, i) =>
    sources[i] === undefined && name.trim() !== '' ? [name.trim().slice(0, 100)] : [],
  )
  return { sources, unknown }
}

const dated = /^\s*(?:\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}))[T\s]+\d{1,2}:\d{2}/
/** The columns of rows without a header: the template's, or time, text and link, as other tools want them. */
export function usualSources(records: readonly (readonly string[])[]): Source[] {
  const rows = records.filter((cells) => cells.some((cell) => cell.trim() !== ''))
  return rows.length > 0 && rows.every(([first = '', ...others]) => dated.test(first) && others.length <= 2)
    ? ['date', 'text', 'link']
    : [...bulkColumns]
}
