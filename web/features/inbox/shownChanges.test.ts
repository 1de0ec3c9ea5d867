import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { listConversations } from '#contract/inbox/conversations.ts'
import { createShownChanges } from './shownChanges.ts'

const queryKey = [listConversations.path, {}, {}]
const [row, other] = [
  { conversationId: 'maya', status: 'OPEN', labels: [] },
  { conversationId: 'jonas', status: 'OPEN', labels: [] },
]
/** An answer of the server that knows of no change. */
const read = (queries: QueryClient) =>
  queries.fetchQuery({ queryKey, queryFn: async () => ({ rows: [row, other] }), staleTime: 0 })

it('a change stays shown until it is settled, whatever older answers arrive, and only on its conversation', async () => {
  const queries = new QueryClient()
  const shown = createShownChanges(queries)
  const stop = shown.watch()
  await read(queries)
  const [closed, followed] = [
    shown.begin('maya', { status: 'CLOSED' }),
    shown.begin('maya', { followUpOn: '2026-12-01' }),
  ]
  const seen = () => queries.getQueryData(queryKey)
  const both = { rows: [{ ...row, status: 'CLOSED', followUpOn: '2026-12-01' }, other] }
  expect(seen()).toEqual(both)
  await read(queries)
  expect(seen()).toEqual(both)
  followed()
  await read(queries)
  expect(seen()).toEqual({ rows: [{ ...row, status: 'CLOSED' }, other] })
  closed()
  await read(queries)
  expect(seen()).toEqual({ rows: [row, other] })
  stop()
})
