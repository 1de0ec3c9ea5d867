import { z } from 'zod'

/*
 * A failure is a code with typed parameters, which is what rows store. The catalog alone words it where it's shown, so
 * that old records read well, can be reworded, and no logic depends on a text.
 */

/** A stored reason: the code, its parameters, and the platform's own code for people who look it up. */
export const StoredReason = z.object({
  code: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
  platformCode: z.string().optional(),
})
export type StoredReason = z.infer<typeof StoredReason>

/** What was being done when it failed: the same cause needs different actions. */
export const occasions = [
  'post',
  'edit',
  'remove',
  'connect',
  'renewal',
  'lookup',
  'addition',
  'figures',
  'boost',
  'inbox',
  'reply',
] as const
export type Occasion = (typeof occasions)[number]

/**
 * Advice that depends on the occasion: temporary problems; too many calls; content that the platform doesn't accept; an
 * unclear outcome.
 */
export const remedies = ['retry', 'slow', 'change'] as const
export type Remedy = (typeof remedies)[number]

/** Words one reason, for reasons about another one. */
export type Say = { sentence: (reason: StoredReason) => string; advice: (reason: StoredReason) => string }

/** What the catalog says about a code. Advice is a sentence, a remedy, or '' if there's nothing to do. */
export type Entry<Params extends z.ZodType = z.ZodType> = {
  params: Params
  // methods, so that an entry is one whatever its parameters are: they're parsed before
  sentence(params: z.infer<Params>, say: Say): string
  advice(params: z.infer<Params>, say: Say): string
}

const Nothing = z.object({})
type Plain = Entry<typeof Nothing>

/** A code without parameters. */
export const plain = (sentence: string, advice: string): Plain => ({
  params: Nothing,
  sentence: () => sentence,
  advice: () => advice,
})

/** A code with parameters: what happened, and what to do about it. */
export const about = <Shape extends z.ZodRawShape>(
  shape: Shape,
  sentence: (params: z.infer<z.ZodObject<Shape>>, say: Say) => string,
  advice: string | ((params: z.infer<z.ZodObject<Shape>>, say: Say) => string),
): Entry<z.ZodObject<Shape>> => ({
  params: z.object(shape),
  sentence,
  advice: typeof advice === 'string' ? () => advice : advice,
})

/** A platform's or server's name, as people know it. */
export const Name = z.string()
/** What a platform said, sanitized and shortened before it was stored. It ends like a sentence. */
export const Quote = z.string()
/** A reason that another one is about. */
export const Because = z.lazy(() => StoredReason)
