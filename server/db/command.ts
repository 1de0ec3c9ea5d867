import { parseArgs } from 'node:util'
import { systemClock, type Clock } from '#server/clock.ts'
import { readEnv, type Env } from '#server/env.ts'
import { plainMessage } from './plainErrors.ts'

/** Runs a command: prints the sentence it returns, or the error's, and sets the exit code. */
export async function command(run: (given: { env: Env; clock: Clock }) => Promise<string>): Promise<void> {
  try {
    const said = await run({ env: readEnv(), clock: systemClock })
    process.stdout.write(`${said}\n`)
  } catch (error) {
    process.exitCode = 1
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${plainMessage(error.cause)})` : ''
    process.stderr.write(`${error instanceof Error ? plainMessage(error) : 'It failed'}${cause}\n`)
  }
}

/**
 * The arguments after the command's name, at most `most`. Options are refused, so that a misspelled one is never taken
 * for a name. Throws the command's usage.
 */
export function words(most: number, usage: string): string[] {
  const mistake = (why: string): Error => new Error(`${why}Usage: npm run rookery -- ${usage}`)
  const parsed = readWords(mistake)
  if (parsed.length > most) throw mistake(`Unexpected argument "${parsed[most]}".\n`)
  return parsed
}

function readWords(mistake: (why: string) => Error): string[] {
  try {
    return parseArgs({ allowPositionals: true, options: {} }).positionals
  } catch {
    const option = process.argv.slice(2).find((word) => word.startsWith('-'))
    throw mistake(`Unknown option "${option}".\n`)
  }
}

/** The one argument after the command's name. Throws its usage if there's none, or something else. */
export function argument(usage: string): string {
  const [given] = words(1, usage)
  if (!given) throw new Error(`Usage: npm run rookery -- ${usage}`)
  return given
}
