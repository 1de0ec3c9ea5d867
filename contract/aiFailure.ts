import { z } from 'zod'

/** Why an AI endpoint gave no usable answer: `meta.why` of AI_PROMPT_GENERATION_ERROR. None of them is charged. */
export const AiFailure = z.enum([
  /** It accepts no more requests for now (429). */
  'busy',
  /** It didn't answer in time. */
  'timeout',
  /** It couldn't be reached, disconnected, or failed (5xx). */
  'unreachable',
  /** It rejects the key, the model or the request: only the operator can change that. */
  'misconfigured',
  /** The model declined. */
  'declined',
  /** An unusable answer twice, or none. */
  'unusable',
  /** It can't read images. */
  'noPictures',
])
export type AiFailure = z.infer<typeof AiFailure>

/** What happened, and what the person can do next. */
export const aiFailureText: Record<AiFailure, string> = {
  busy: 'The AI service is busy. Try again in a minute.',
  timeout: "The AI service didn't answer in time. Try again.",
  unreachable: "We can't reach the AI service right now. Try again in a few minutes.",
  misconfigured: "AI isn't set up correctly here. Contact your Rookery administrator.",
  declined: 'The AI model declined this request. Try wording it differently.',
  unusable: "The AI model didn't return anything we can use. Try again, or word it differently.",
  noPictures: "The AI model set up here can't read images. Describe this one yourself.",
}

/** Whether repeating the request can help. */
export const isWorthRetrying = (why: AiFailure): boolean => why !== 'misconfigured' && why !== 'noPictures'
