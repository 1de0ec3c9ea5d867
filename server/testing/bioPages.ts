import { randomUUIDv7 } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Visit } from '../clicks/clicks.ts'
import type { TestDatabase } from './database.ts'
import type { TestHome } from './people.ts'

/** Builders of link in bio pages, as the editor would store them. */
export function bioPagesOn({ owner }: Pick<TestDatabase, 'owner'>) {
  /** A live page. Returns its id. */
  async function page(
    { orgId, projectId }: TestHome,
    { at = '2026-11-01T00:00:00Z' }: { at?: string } = {},
  ): Promise<string> {
    const id = randomUUIDv7()
    await owner.query(
      "insert into bio_page (org_id, id, project_id, name, theme, live, created_at, updated_at) values ($1, $2, $3, 'Our page', 'paper', true, $4, $4)",
      [orgId, id, projectId, at],
    )
    return id
  }

  return { page }
}

/** What a person's browser sends. */
export const visitFrom = (address: string, headers: IncomingHttpHeaders = {}): Visit => ({
  method: 'GET',
  address,
  headers: {
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    ...headers,
  },
})
