import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { humanChallenge } from '#contract/identity.ts'
import type { TestApp } from './startApp.ts'

/** Solves a puzzle as the widget in the browser does; returns the form's token. */
export async function solvePuzzle(app: Pick<TestApp, 'call'>): Promise<string> {
  // the widget's contract is altcha's, not ours: the reply is passed through
  const challenge = (await app.call(humanChallenge, {})) as unknown as Challenge
  return tokenFor(challenge)
}

/** The token of a puzzle, however it was fetched. */
export async function tokenFor(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('the puzzle was not solved')
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
