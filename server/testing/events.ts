import { events, type LiveEvent } from '#contract/live.ts'
import { urlOf } from './client.ts'
import type { TestPerson } from './people.ts'

type Message = { id: string; event: 'message' | 'reset'; data: unknown }

/** A browser's event stream, read by the test. */
export type TestStream = {
  messages: Message[]
  /** The changes among the messages. */
  changes(): LiveEvent[]
  /** Resolves when the server has ended it. */
  ended: Promise<void>
  readonly isOpen: boolean
  close(): void
}

/** Opens a project's event stream at a listening app. Throws if it's refused. */
export async function openEvents(
  address: string,
  params: { orgId: string; projectId: string },
  as: TestPerson,
  lastEventId?: string,
  headers: Record<string, string> = {},
  page?: { after: string; readAt: Date },
): Promise<TestStream> {
  const stop = new AbortController()
  const cookie = [...as.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(
    `${address}${urlOf(events, { params, query: page && { after: page.after, readAt: page.readAt.toISOString() } })}`,
    {
      headers: { cookie, ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal: stop.signal,
    },
  )
  if (!response.ok || !response.body)
    throw new Error(`The stream was refused: ${response.status} ${await response.text()}`)
  const messages: Message[] = []
  let isOpen = true
  const ended = read(response.body, messages).finally(() => (isOpen = false))
  return {
    messages,
    // the hub only writes LiveEvents; its own test parses them
    changes: () =>
      messages.filter((message) => message.event === 'message').map((message) => message.data as LiveEvent),
    ended,
    get isOpen() {
      return isOpen
    },
    close: () => stop.abort(),
  }
}

async function read(body: ReadableStream<Uint8Array>, messages: Message[]): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) if (!block.startsWith(':')) messages.push(parse(block))
    }
  } catch (error) {
    // closed by us
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
  }
}

function parse(block: string): Message {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
  )
  return {
    id: fields.get('id') ?? '',
    event: fields.get('event') === 'reset' ? 'reset' : 'message',
    data: JSON.parse(fields.get('data') ?? 'null'),
  }
}
