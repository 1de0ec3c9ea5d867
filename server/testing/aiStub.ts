import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The stub's response to one request. `text` is the model's message; a number is the HTTP status of a refusal. */
type StubAnswer =
  | { text: string }
  | { json: unknown }
  | { status: number; body?: string }
  | { held: Promise<StubAnswer> }
  | 'drop'

type AskedBody = {
  model: string
  messages: { role: string; /** Parts where a picture goes along. */ content: string }[]
  response_format?: { type: string }
}
/** A call as it was received. */
type StubCall = { path: string; authorization: string | undefined; body: AskedBody }

export type AiStub = {
  /** For AI_BASE_URL. */
  baseUrl: string
  calls: readonly StubCall[]
  /** The responses to the next calls, in order; then `always`. */
  next(...answers: StubAnswer[]): void
  always(answer: StubAnswer): void
  /** Forgets calls and scripts: every call succeeds. */
  reset(): void
  stop(): Promise<void>
}

/** A valid response of a model. */
export const goodAnswer = {
  summary: 'Notes from a rookery, for people who like corvids.',
  tone: 'Dry and friendly',
  topics: ['Rooks', 'Nests', 'Weather'],
  drafts: [
    'Rooks rebuild before they repair.',
    'A nest is a promise made of sticks.',
    'Rain again. The rooks do not mind.',
    'Ask a rook about spring and it will show you a twig.',
    'Evening roll call: everybody is here.',
  ],
}

/**
 * A local server with the parts of the OpenAI chat-completions protocol that the product uses, with responses that a
 * test writes. Plain node:http.
 */
export async function startAiStub(port = 0): Promise<AiStub> {
  const calls: StubCall[] = []
  let script: StubAnswer[] = []
  let usual: StubAnswer = { json: goodAnswer }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => response.destroy())
    request.on('end', () => {
      // written by our own client
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as AskedBody
      calls.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
      void answer(response, script.shift() ?? usual, body.model)
    })
  })

  async function answer(response: ServerResponse, wanted: StubAnswer, model: string): Promise<void> {
    if (wanted === 'drop') return void response.destroy()
    if ('held' in wanted) return await answer(response, await wanted.held, model)
    if ('status' in wanted)
      return send(
        response,
        wanted.status,
        wanted.body ??
          JSON.stringify({ error: { message: 'The stub refuses.', type: 'stub', code: String(wanted.status) } }),
      )
    const content = 'text' in wanted ? wanted.text : JSON.stringify(wanted.json)
    send(
      response,
      200,
      JSON.stringify({
        id: 'chatcmpl-stub',
        object: 'chat.completion',
        created: 1_700_000_000,
        model,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    )
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // a TCP server's address is an object
  const { port: taken } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${taken}/v1`,
    calls,
    next: (...answers) => void script.push(...answers),
    always: (answer) => void (usual = answer),
    reset() {
      calls.length = 0
      script = []
      usual = { json: goodAnswer }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
