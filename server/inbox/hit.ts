import { sql, type RawBuilder } from 'kysely'
import type { SearchHit } from '#contract/inbox/conversations.ts'
import { snippetOf } from '#contract/searchMarks.ts'
import type { InboxReader } from './access.ts'

/** An item that holds every word of a search: its text, and those of its pictures. */
export type FoundItem = { id: string; texts: string[] }

/** The newest item of the conversation `page.id` of a query with the words of `search` (list.ts). */
export const foundItem = (c: Pick<InboxReader, 'org'>): RawBuilder<FoundItem | null> => sql`(
  select json_build_object('id', i.id, 'texts', array_remove(array[i.text] || array(
    select m.part ->> 'altText' from jsonb_array_elements(i.media) with ordinality m(part, place) order by m.place), null))
  from inbox_text t join inbox_item i on i.org_id = t.org_id and i.id = t.item_id
  where t.org_id = ${c.org.orgId} and t.conversation_id = page.id and t.words @@ (select wanted from search)
  order by i.at desc, i.id desc limit 1)`

/** Where the search is in an item that it found; null where only the name or handle of its author was found. */
export function hitOf(found: FoundItem | null | undefined, search: string): SearchHit | null {
  for (const text of found?.texts ?? []) {
    const snippet = snippetOf(text, search)
    if (snippet) return { itemId: found?.id ?? '', ...snippet }
  }
  return null
}
