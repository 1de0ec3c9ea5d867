import { afterAll, beforeAll, expect, it } from 'vitest'
import { simulatedSecret } from '../../testing/publishing.ts'
import { descriptionsFolder } from '../descriptions.ts'
import { lexiconMistakes } from '../lexicons.ts'
import { didOf } from './accounts.ts'
import { startBlueskySimulator, type Simulator } from './start.ts'

/* Checks the simulator's posts and messages against the network's own lexicons. */

const folder = descriptionsFolder()
let simulator: Simulator
beforeAll(async () => {
  simulator = await startBlueskySimulator()
})
afterAll(() => simulator.stop())

const me = 'quiet.sim.test'
const ask = async (method: string, query: Record<string, string> = {}): Promise<unknown> => {
  const { accessJwt } = simulatedSecret(simulator.origin, didOf(me))
  const answer = await fetch(`${simulator.origin}/xrpc/${method}?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${String(accessJwt)}`, 'atproto-proxy': 'did:web:api.bsky.chat#bsky_chat' },
  })
  expect(answer.status).toBe(200)
  return await answer.json()
}

it.runIf(folder)('answers as the lexicons say', async () => {
  const post = simulator.people.write({ from: me, text: 'Our post' })
  const gone = simulator.people.write({ from: 'nora.sim.test', text: 'Soon gone', parent: post })
  const reply = simulator.people.write({
    from: 'otis.sim.test',
    text: 'Why?',
    parent: gone,
    mentions: [me],
    quote: post,
  })
  simulator.people.remove(gone)
  const deleted = simulator.people.say({ from: 'nora.sim.test', to: me, text: 'Oh' })
  simulator.people.say({ from: me, to: 'nora.sim.test', text: 'Yes?' })
  simulator.people.unsay(deleted)
  const calls: [string, Record<string, string>][] = [
    ['app.bsky.notification.listNotifications', {}],
    ['app.bsky.feed.getPosts', { uris: reply }],
    ['app.bsky.feed.getPostThread', { uri: reply }],
    ['chat.bsky.convo.listConvos', {}],
    ['chat.bsky.convo.getConvo', { convoId: 'convo0' }],
    ['chat.bsky.convo.getMessages', { convoId: 'convo0' }],
    ['chat.bsky.convo.getLog', {}],
  ]
  for (const [method, query] of calls) {
    const answer = await ask(method, query)
    expect({ method, mistakes: lexiconMistakes(folder ?? '', method, answer) }).toEqual({ method, mistakes: [] })
    // proves that there was something to check
    expect(JSON.stringify(answer).length).toBeGreaterThan(150)
  }
})
