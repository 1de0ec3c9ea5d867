import { inSources } from './sourcePlaces.ts'
import type { Clock } from './clock.ts'
import type { Env } from './env.ts'

export type Log = {
  info(facts: Record<string, unknown>, message: string): void
  warn(facts: Record<string, unknown>, message: string): void
  error(facts: Record<string, unknown>, message: string): void
}

const levels = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
} as const satisfies Record<Env['LOG_LEVEL'], number>

/** Names whose values are never written: they hold what opens something. */
const secretName = /pass(word|phrase)?$|token|secret|cookie|authorization|^key$|jwt/i

/** One JSON object per line, in the shape of the HTTP side's own log. Values under secret names are left out. */
export function createLog(
  level: Env['LOG_LEVEL'],
  clock: Clock,
  write: (line: string) => void = (line) => void process.stdout.write(line),
): Log {
  const line = (name: 'info' | 'warn' | 'error') => (facts: Record<string, unknown>, message: string) => {
    if (levels[name] < levels[level]) return
    write(`${JSON.stringify({ level: levels[name], time: clock.now().getTime(), ...facts, msg: message }, cleaned)}\n`)
  }
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/** What opens something inside a text: users and passwords of URLs, and parameters that hold tokens. */
const secretParts: readonly [RegExp, string][] = [
  [/\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/?#"'<>]*@/gi, '$1[left out]@'],
  [
    /((?<=[?&])code|\b(?:(?:access_|refresh_|id_)?token|client_secret|code_verifier|password|signature|x-amz-(?:signature|credential|security-token)))=[^&\s"'<>]+/gi,
    '$1=[left out]',
  ],
]

/** The text without what opens something, for logs and for operators' screens. */
export const withoutSecrets = (text: string): string =>
  secretParts.reduce((before, [pattern, instead]) => before.replace(pattern, instead), text)

/** Characters of a text in the log. What someone sends mustn't fill the disk. */
const MOST = 10_000

const cut = (text: string): string => withoutSecrets(text.length > MOST ? `${text.slice(0, MOST)}…` : text)

function cleaned(name: string, value: unknown): unknown {
  if (secretName.test(name)) return '[left out]'
  if (typeof value === 'string') return cut(value)
  return value instanceof Error ? factsOf(value) : value
}

const factsOf = (error: Error) => ({
  type: error.name,
  message: error.message,
  stack: error.stack === undefined ? undefined : inSources(error.stack),
  ...('code' in error && { code: error.code }),
  ...(error.cause !== undefined && { cause: error.cause }),
})

/** An error as the HTTP side's own log writes it, its causes included. */
export function loggedError(error: Error): { type: string; message: string; stack: string } {
  const { type, message, stack, ...more } = factsOf(error)
  const facts: Record<string, unknown> = JSON.parse(JSON.stringify(more, cleaned))
  return { ...facts, type, message: cut(message), stack: cut(stack ?? '') }
}
