import type { ModelMessage } from 'ai'
import type { z } from 'zod'
import type { AiFailure } from '#contract/aiFailure.ts'
import type { Env } from '../env.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { fetchOnly } from './fetchOnly.ts'
import { jsonObjectsIn } from './jsonIn.ts'
import { isRefusal } from './refusal.ts'

/** The time limit for one request to the endpoint. Milliseconds. */
const PATIENCE = 60_000

export type Question<T> = {
  /** What the model should do. Never contains anything from outside. */
  instructions: string
  /** What it should work on: data. */
  material: string
  /** An image that belongs to the material. */
  picture?: { bytes: Uint8Array; contentType: string }
  answer: z.ZodType<T>
  /** What is wrong with an answer of the right shape, written for the model. */
  review: (answer: T) => string[]
}

export type Reply<T> =
  /** An answer of the right shape. The caller handles what the review still finds. */
  | { kind: 'answer'; answer: T }
  /**
   * The endpoint was unavailable, too busy, too slow, or unusable twice: a later try may succeed. `log` is for the
   * operator.
   */
  | { kind: 'away'; why: AiFailure; log: string; status?: number }
  /** The endpoint rejects its key, its model or the request, or the model declines: repeating it wouldn't help. */
  | { kind: 'refused'; why: AiFailure; log: string; status?: number }

export type Model = { ask<T>(question: Question<T>, signal: AbortSignal): Promise<Reply<T>> }

/** The model set in the environment, or undefined. Nothing is loaded before the first request. */
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

/** Asks, and once more with the problems of the answer. A usable first answer is kept if the second try fails. */
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
  if (read.answer === undefined && isRefusal(first.text)) return declined()
  if (read.faults.length === 0 && read.answer !== undefined) return { kind: 'answer', answer: read.answer }
  const again = `This cannot be used:\n${read.faults.map((fault) => `- ${fault}`).join('\n')}\nAnswer again with the whole JSON object and nothing else.`
  const second = await complete(
    question,
    [...messages, { role: 'assistant', content: first.text || '{}' }, { role: 'user', content: again }],
    signal,
  )
  const corrected = second.kind === 'text' ? readAnswer(question, second.text).answer : undefined
  const answer = corrected ?? read.answer
  if (answer !== undefined) return { kind: 'answer', answer }
  if (second.kind !== 'text') return second
  return isRefusal(second.text)
    ? declined()
    : { kind: 'away', why: 'unusable', log: 'the AI endpoint returned an unusable answer twice' }
}

const declined = (): Extract<Reply<never>, { kind: 'refused' }> => ({
  kind: 'refused',
  why: 'declined',
  log: 'the model declined to answer',
})

/** The first object of the right shape in the text; without one, what is wrong with the first object. */
function readAnswer<T>({ answer, review }: Question<T>, text: string): { answer?: T; faults: string[] } {
  const read = jsonObjectsIn(text).map((found) => answer.safeParse(found))
  const fitting = read.find(({ success }) => success)
  if (fitting?.success) return { answer: fitting.data, faults: review(fitting.data) }
  const { error } = read[0] ?? answer.safeParse(undefined)
  return {
    faults: (error?.issues ?? [])
      .slice(0, 10)
      .map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`),
  }
}

/** Loads the SDK, which nothing else needs, and binds it to the endpoint. */
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
  // our log tells the operator what they need to know
  globalThis.AI_SDK_LOG_WARNINGS = false
  const { origin, hostname, port, protocol } = new URL(baseURL)
  // The operator set this address, so it may be private: it alone is allowed, and only by this fetch. Addresses from
  // people use another fetch, which doesn't allow it.
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
      // the job retries, with waits in between
      const { text, finishReason } = await generateText({
        model,
        instructions,
        messages,
        maxRetries: 0,
        abortSignal: signal,
        ...(structured && { output: Output.object({ schema: answer, name: 'answer' }) }),
      })
      return finishReason === 'content-filter' ? declined() : { kind: 'text', text }
    } catch (error) {
      // we read the answer ourselves, to say what is wrong with it
      if (NoObjectGeneratedError.isInstance(error))
        return error.finishReason === 'content-filter' ? declined() : { kind: 'text', text: error.text ?? '' }
      if (NoOutputGeneratedError.isInstance(error)) return { kind: 'text', text: '' }
      // its message may repeat the key or the posts, so only the number is kept
      if (APICallError.isInstance(error) && error.statusCode !== undefined) return refusalOf(error.statusCode)
      return isTimeout(error, signal)
        ? { kind: 'away', why: 'timeout', log: 'the AI endpoint timed out' }
        : { kind: 'away', why: 'unreachable', log: 'the AI endpoint is unreachable' }
    }
  }
  return async (...question) => {
    const asked = await complete(true, ...question)
    // endpoints without response_format reject the request; the instructions ask for the same in words
    return asked.kind === 'refused' && (asked.status === 400 || asked.status === 422)
      ? await complete(false, ...question)
      : asked
  }
}

/** Whether our own timeout ended it: the caller's, or the fetch's. */
function isTimeout(error: unknown, signal: AbortSignal): boolean {
  const reason: unknown = signal.aborted ? signal.reason : error
  for (let cause = reason; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return true
  }
  return false
}

function refusalOf(status: number): Extract<Reply<never>, { kind: 'away' | 'refused' }> {
  const log = `the AI endpoint answered ${status}`
  // a success that isn't a chat completion comes from something in between
  const passing = status < 400 || status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
  return passing
    ? { kind: 'away', why: status === 429 ? 'busy' : status === 408 ? 'timeout' : 'unreachable', log, status }
    : { kind: 'refused', why: 'misconfigured', log, status }
}
