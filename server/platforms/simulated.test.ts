import { describe, expect, it } from 'vitest'
import type { SafeFetch } from './safeFetch.ts'
import { simulated, simulatedUrl } from './simulated.ts'

const hosts = ['graph.platform.example', 'www.platform.example']
const base = 'http://127.0.0.1:4456'

describe('for a simulated platform', () => {
  it('URLs of its hosts lead to the simulators, with path, query and fragment', () => {
    expect(simulatedUrl('https://graph.platform.example/v1/me?fields=id,name#_', hosts, base)).toBe(
      'http://127.0.0.1:4456/graph.platform.example/v1/me?fields=id,name#_',
    )
    expect(simulatedUrl('https://mastodon.simulated/api/v1/apps', hosts, base)).toBe(
      'http://127.0.0.1:4456/mastodon.simulated/api/v1/apps',
    )
  })

  it('other URLs stay unchanged', () => {
    for (const url of [
      'https://platform.example/',
      'https://graph.platform.example.evil.example/',
      'https://graph.platform.example:8443/',
      'http://graph.platform.example/',
      'no address',
    ])
      expect(simulatedUrl(url, hosts, base)).toBe(url)
  })

  it("requests are sent there, and responses have the platform's URL", async () => {
    const asked: string[] = []
    const fetch: SafeFetch = async (url, request) => {
      asked.push(`${request.method ?? 'GET'} ${url} ${typeof request.body === 'string' ? request.body : ''}`)
      return { kind: 'answer', status: 200, headers: {}, body: new Uint8Array(), url }
    }
    const request = { method: 'POST', body: 'x=1', timeoutMs: 1000, maxBytes: 1000 } as const
    expect(await simulated(fetch, hosts, base)('https://graph.platform.example/v1/me', request)).toMatchObject({
      status: 200,
      url: 'https://graph.platform.example/v1/me',
    })
    expect(await simulated(fetch, hosts, base)('https://elsewhere.example/a', request)).toMatchObject({
      url: 'https://elsewhere.example/a',
    })
    expect(asked).toEqual([
      'POST http://127.0.0.1:4456/graph.platform.example/v1/me x=1',
      'POST https://elsewhere.example/a x=1',
    ])
  })

  it('failures are passed on unchanged', async () => {
    const lost: SafeFetch = async () => ({ kind: 'lost', why: 'dropped', detail: 'the connection ended' })
    expect(
      await simulated(lost, hosts, base)('https://graph.platform.example/', { timeoutMs: 1, maxBytes: 1 }),
    ).toEqual({ kind: 'lost', why: 'dropped', detail: 'the connection ended' })
  })
})
