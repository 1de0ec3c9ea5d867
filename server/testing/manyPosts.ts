import { randomUUIDv7 } from 'node:crypto'
import type { Pool } from 'pg'
import type { TestHome } from './people.ts'

const vocabulary =
  'the rooks come back to old elms in autumn our new roast arrived from Huila today with notes of cherry and cocoa meet us at market on Saturday between nine three free tasting for everyone who brings a friend we are hiring barista join team this week only save twenty percent all filters read how grind matters more than you think behind scenes morning delivery before sunrise happy birthday Anna ten years making coffee better'.split(
    ' ',
  )

/**
 * Posts of a busy team, inserted directly: spread over `days` from `from`, each text on two channels unless `textOf`
 * makes them, the first half published, every third with a picture. Returns their IDs by time.
 */
export async function manyPosts(
  owner: Pool,
  home: TestHome,
  channels: readonly string[],
  {
    from,
    days,
    count,
    textOf = (n) => wordsOf(n - (n % 2)),
  }: { from: string; days: number; count: number; textOf?: (n: number) => string },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUIDv7())
  const texts = ids.map((_, n) => textOf(n))
  await owner.query(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, images, schedule, zone, due_at, shown_at, published_at, permalink, created_at, updated_at)
     select $1, g.id, $2, ($3::uuid[])[1 + g.n % $7], $4, case when g.n <= $8 / 2 then 'PUBLISHED' else 'SCHEDULED' end, 'post',
       jsonb_build_array(jsonb_build_object('text', g.words, 'media', '[]'::jsonb)), left(g.words, 160), case when g.n % 3 = 0 then 1 else 0 end,
       '{"type":"NOW"}', 'Europe/London', t.at, case when g.n <= $8 / 2 then t.at + interval '137 milliseconds' * (g.n % 7) else t.at end,
       case when g.n <= $8 / 2 then t.at end, case when g.n <= $8 / 2 then 'https://social.example/post/' || g.id end, t.at, t.at
     from unnest($5::uuid[], $6::text[]) with ordinality as g(id, words, n),
       lateral (select date_trunc('minute', $9::timestamptz + (g.n - 1) * interval '1 day' * $10 / $8) as at) t`,
    [home.orgId, home.projectId, channels, home.person.personId, ids, texts, channels.length, count, from, days],
  )
  return ids
}

/** A text of 12 to 40 words, different for each number. */
function wordsOf(n: number): string {
  let seed = n + 1
  const next = () => (seed = (seed * 48_271) % 2_147_483_647)
  const words = Array.from({ length: 12 + (next() % 29) }, () => vocabulary[next() % vocabulary.length])
  return `${n} ${words.join(' ')}`
}
