import { z } from 'zod'

/**
 * What a schema says about an invalid value if it has no message of its own: at the fields of a form, in API replies
 * and in messages about the environment. Importing this module sets it for all schemas; contract/common.ts does.
 */
function plainMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? ownWords(issue) : (types[issue.expected] ?? INVALID)
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return formats[issue.format] ?? "This isn't in the right format"
    case 'invalid_value':
      return issue.input === undefined ? REQUIRED : `Must be ${oneOf(issue.values)}`
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${someOf(issue.keys)}`
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return issue.input === undefined ? REQUIRED : INVALID
    case 'custom':
    case 'invalid_key':
    case 'invalid_element':
    default:
      return INVALID
  }
}

/** What is missing is told in the words that its schema has for what is empty. */
function ownWords(issue: z.core.$ZodRawIssue): string {
  const checks = issue.inst instanceof z.core.$ZodType ? (issue.inst._zod.def.checks ?? []) : []
  const least = checks.map((check) => check._zod.def).find((def) => 'minimum' in def && def.minimum === 1)
  // words that a schema was given are the same for every issue
  const words = (least?.error as z.core.$ZodErrorMap | undefined)?.(issue)
  return (typeof words === 'string' ? words : words?.message) ?? REQUIRED
}

const REQUIRED = 'This is required'
const INVALID = "This value isn't valid"

const types: Partial<Record<string, string>> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
  record: 'Must be an object',
  date: 'Must be a date',
}

const formats: Partial<Record<string, string>> = {
  email: 'Enter a valid email address',
  url: 'Enter a valid web address',
  uuid: 'This ID is invalid',
  datetime: 'Enter a time in UTC, such as 2026-11-30T09:00:00Z',
  date: 'Enter a date, such as 2026-11-30',
  time: 'Enter a time, such as 09:00',
}

type Bound<Code extends 'too_small' | 'too_big'> = Extract<z.core.$ZodRawIssue, { code: Code }>

function tooSmall({ origin, minimum, inclusive }: Bound<'too_small'>): string {
  if (origin === 'string') return minimum === 1 ? REQUIRED : `Use at least ${minimum} characters`
  if (isCounted(origin)) return minimum === 1 ? 'Choose at least one' : `Choose at least ${minimum}`
  return inclusive === false ? `Must be more than ${minimum}` : `Must be ${minimum} or more`
}

function tooBig({ origin, maximum, inclusive }: Bound<'too_big'>): string {
  if (origin === 'string') return `Use at most ${plural(Number(maximum), 'character')}`
  if (isCounted(origin)) return `Use at most ${plural(Number(maximum), 'entry', 'entries')}`
  return inclusive === false ? `Must be less than ${maximum}` : `Must be ${maximum} or less`
}

const isCounted = (origin: string): boolean => origin === 'array' || origin === 'set' || origin === 'map'
const plural = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`

/** The first few names, each at a readable length. */
function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => (name.length > 50 ? `${name.slice(0, 50)}…` : name))
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ')
}

/** The accepted values, listed if there are few enough to read. */
function oneOf(values: readonly z.core.util.Primitive[]): string {
  if (values.length === 1) return String(values[0])
  return values.length <= 30 ? `one of ${values.map(String).join(', ')}` : 'one of the values in the API reference'
}

z.config({ customError: plainMessage })
