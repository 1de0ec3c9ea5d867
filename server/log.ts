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

/** Characters of a text in the log. What someone sends mustn't fill the disk. */
const MOST = 10_000

function cleaned(name: string, value: unknown): unknown {
  if (secretName.test(name)) return '[left out]'
  if (typeof value === 'string' && value.length > MOST) return `${value.slice(0, MOST)}…`
  if (value instanceof Error)
    return {
      type: value.name,
      message: value.message,
      stack: value.stack,
      ...('code' in value && { code: value.code }),
      ...(value.cause !== undefined && { cause: value.cause }),
    }
  return value
}
