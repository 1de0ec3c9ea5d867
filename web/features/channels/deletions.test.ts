import { expect, it } from 'vitest'
import { deletionAsked, deletionNews } from './deletions.ts'

const row = (channelId: string, deleting: boolean) => ({ channelId, deleting })

it('reports the end of a deletion once, and only to the person who requested it', () => {
  deletionAsked({ channelId: 'a', channelName: 'Northlight' })
  // a list from before the request is no news
  expect(deletionNews([row('a', false), row('b', true)])).toEqual([])
  expect(deletionNews([row('a', true), row('b', true)])).toEqual([])
  expect(deletionNews([])).toEqual([{ kind: 'gone', name: 'Northlight' }])
  expect(deletionNews([])).toEqual([])
})

it('reports a deletion that was given up', () => {
  deletionAsked({ channelId: 'a', channelName: 'Northlight' })
  deletionNews([row('a', true)])
  expect(deletionNews([row('a', false)])).toEqual([{ kind: 'failed', name: 'Northlight' }])
})
