import type { ModelMessage } from 'ai'
import type { z } from 'zod'
import type { Env } from '../env.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { fetchOnly } from './fetchOnly.ts'

/** One request to the endpoint may take this long. Milliseconds. */
const PATIENCE = 60_000

export type Question<T> = {
  /** What the model is to do. Nothing that comes from outside stands here. */
  instructions: string
  /** What it is to work on: data. */
  material: string
  /** A picture that belongs to the material. */
  picture?: { bytes: Uint8Array; contentType: string }
  answer: z.ZodType<T>
  /** What is wrong with an answer of the right shape, in words for the model. */
  review: (answer: T) => string[]
}

export type Reply<T> =
  /** Of the right shape. What the review still finds is the caller's to mend. */
  | { kind: 'answer'; answer: T }
  /** The endpoint was away, too busy, too slow, or made no sense twice: another time may succeed. */
  | { kind: 'away'; why: string; status?: number }
  /** The endpoint refuses: its key, its model or the request is wrong. Asking again would not help. */
  | { kind: 'refused'; why: string; status?: number }

export type Model = { ask<T>(question: Question<T>, signal: AbortSignal): Promise<Reply<T>> }

/** The model that the environment names, or undefined without one. Nothing is loaded before it is asked. */
export function openModel(env: Pick<Env, 'AI_BASE_URL' | 'AI_API_KEY' | 'AI_MODEL'>): Model | undefined {
  const { AI_BASE_URL: baseURL, AI_API_KEY: apiKey, AI_MODEL: modelId } = env
  if (baseURL === undefined || modelId === undefined) return undefined
  let opened: Promise<Complete> | undefined
  return {
    ask: async (question, signal) => {
      opened ??= openEndpoint({ baseURL, apiKey, modelId })
      return await askTwice(await opened, question, signal)
    },
  }
}

type Completed = { kind: 'text'; text: string } | Extract<Reply<never>, { kind: 'away' | 'refused' }>
type Complete = (
  question: Pick<Question<unknown>, 'instructions' | 'answer'>,
  messages: ModelMessage[],
  signal: AbortSignal,
) => Promise<Completed>

/** Asks, and once more with what was wrong with the answer. A usable first answer outlives a failed second try. */
async function askTwice<T>(complete: Complete, question: Question<T>, signal: AbortSignal): Promise<Reply<T>> {
  const { material, picture } = question
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: picture
        ? [
            { type: 'text', text: material },
            { type: 'file', mediaType: picture.contentType, data: picture.bytes },
          ]
        : material,
    },
  ]
  const first = await complete(question, messages, signal)
  if (first.kind !== 'text') return first
  const read = readAnswer(question, first.text)
  if (read.faults.length === 0 && read.answer !== undefined) return { kind: 'answer', answer: read.answer }
  const again = `This cannot be used:\n${read.faults.map((fault) => `- ${fault}`).join('\n')}\nAnswer again with the whole JSON object and nothing else.`
  const second = await complete(
    question,
    [...messages, { role: 'assistant', content: first.text || '{}' }, { role: 'user', content: again }],
    signal,
  )
  const mended = second.kind === 'text' ? readAnswer(question, second.text).answer : undefined
  const answer = mended ?? read.answer
  if (answer !== undefined) return { kind: 'answer', answer }
  return second.kind === 'text'
    ? { kind: 'away', why: 'the AI endpoint answered something else than was asked for, twice' }
    : second
}

function readAnswer<T>({ answer, review }: Question<T>, text: string): { answer?: T; faults: string[] } {
  const parsed = answer.safeParse(jsonIn(text))
  if (!parsed.success)
    return {
      faults: parsed.error.issues
        .slice(0, 10)
        .map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`),
    }
  return { answer: parsed.data, faults: review(parsed.data) }
}

/** The object in an answer: models wrap it in fences or put words around it. */
function jsonIn(text: string): unknown {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (from < 0 || to < from) return undefined
  try {
    return JSON.parse(text.slice(from, to + 1))
  } catch {
    // what is no JSON fails the schema that it is parsed with next
    return undefined
  }
}

/** Loads the SDK, which nothing else of the product needs, and binds it to the endpoint. */
async function openEndpoint({
  baseURL,
  apiKey,
  modelId,
}: {
  baseURL: string
  apiKey: string | undefined
  modelId: string
}): Promise<Complete> {
  const [
    { APICallError, generateText, NoObjectGeneratedError, NoOutputGeneratedError, Output },
    { createOpenAICompatible },
  ] = await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')])
  // our log says what people who run the server have to know
  globalThis.AI_SDK_LOG_WARNINGS = false
  const { origin, hostname, port, protocol } = new URL(baseURL)
  // The operator named this address, so it may be a private one: it alone is let through, and by this fetch alone.
  // Addresses that people type in go by another, which does not know it.
  const guarded = createSafeFetch({ allow: [`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`] })
  const endpoint = createOpenAICompatible({
    name: 'endpoint',
    baseURL,
    ...(apiKey && { apiKey }),
    supportsStructuredOutputs: true,
    fetch: fetchOnly(origin, guarded, PATIENCE),
  })
  const model = endpoint.chatModel(modelId)

  const complete = async (
    structured: boolean,
    ...[{ instructions, answer }, messages, signal]: Parameters<Complete>
  ): Promise<Completed> => {
    try {
      // tries are the job's: it waits in between
      const { text } = await generateText({
        model,
        instructions,
        messages,
        maxRetries: 0,
        abortSignal: signal,
        ...(structured && { output: Output.object({ schema: answer, name: 'answer' }) }),
      })
      return { kind: 'text', text }
    } catch (error) {
      // we read the answer ourselves, with words about what is wrong with it
      if (NoObjectGeneratedError.isInstance(error)) return { kind: 'text', text: error.text ?? '' }
      if (NoOutputGeneratedError.isInstance(error)) return { kind: 'text', text: '' }
      // its words may repeat the key or the posts: only the number is kept
      if (APICallError.isInstance(error) && error.statusCode !== undefined) return refusalOf(error.statusCode)
      return { kind: 'away', why: 'the AI endpoint could not be reached or did not answer in time' }
    }
  }
  return async (...question) => {
    const asked = await complete(true, ...question)
    // endpoints that know no response_format refuse the request for it; the instructions ask for the same in words
    return asked.kind === 'refused' && (asked.status === 400 || asked.status === 422)
      ? await complete(false, ...question)
      : asked
  }
}

function refusalOf(status: number): Extract<Reply<never>, { kind: 'away' | 'refused' }> {
  const why = `the AI endpoint answered ${status}`
  // a success that is no chat completion comes from something in between
  const passing = status < 400 || status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
  return { kind: passing ? 'away' : 'refused', why, status }
}
