import { systemClock, type Clock } from '#server/clock.ts'
import { readEnv, type Env } from '#server/env.ts'

/** A mistake in how a command was called. */
class Usage extends Error {}

/**
 * Runs a command: prints the sentence that it answers, or the error's sentence, and sets the exit code.
 */
export async function command(run: (given: { env: Env; clock: Clock }) => Promise<string>): Promise<void> {
  try {
    const said = await run({ env: readEnv(), clock: systemClock })
    process.stdout.write(`${said}\n`)
  } catch (error) {
    process.exitCode = 1
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    process.stderr.write(`${error instanceof Error ? error.message : 'It failed'}${cause}\n`)
  }
}

/** The nth word after the command's name. Throws how it is used when there is none. */
export function argument(index: number, usage: string): string {
  const given = process.argv[2 + index]
  if (!given) throw new Usage(`Usage: npm run rookery -- ${usage}`)
  return given
}
