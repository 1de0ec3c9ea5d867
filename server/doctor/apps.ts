import { appNamed, platformRules } from '#contract/platforms/registry.ts'
import { appKeys, platformKeys } from '#contract/platforms/rules.ts'
import { wantsHttps } from '../apps/apps.ts'
import type { Env } from '../env.ts'
import { about, type Finding } from './finding.ts'

const apps = about('Apps')
const ai = about('AI')
const PATIENCE = 10_000

/** Which platforms have an app of this installation, and which of these lack what they require. */
export function lookAtApps(env: Env): Finding[] {
  const set = appKeys.filter((key) => env.apps[key] !== undefined)
  const barred = set.filter((key) => wantsHttps(env, appNamed(key).platform))
  const without = platformKeys.filter(
    (key) => platformRules[key].app !== null && !set.some((one) => appNamed(one).platform === key),
  )
  const list = (keys: readonly string[]): string => new Intl.ListFormat('en').format(keys)
  return [
    ...barred.map((key) =>
      apps.problem(
        `${appNamed(key).label} is set up, and needs a public https address.`,
        'Set PUBLIC_URL to an https address that the platform can reach.',
      ),
    ),
    ...(without.length === 0
      ? [apps.ok('Every platform has an app of this installation.')]
      : [
          apps.ok(
            `${set.length === 0 ? 'No app is set' : `Set: ${list(set.map((key) => appNamed(key).label))}`}. Organizations have to enter their own for ${list(without.map((key) => platformRules[key].label))}.`,
          ),
        ]),
  ]
}

/** Whether the endpoint of AI_BASE_URL answers and accepts the key. */
export async function lookAtAi({ AI_BASE_URL: base, AI_API_KEY: key, AI_MODEL: model }: Env): Promise<Finding[]> {
  if (base === undefined) return [ai.ok('No model is set up (AI_BASE_URL), so nothing offers AI.')]
  const shown = withoutKeys(base)
  try {
    const response = await fetch(`${base.replace(/\/$/, '')}/models`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(PATIENCE),
    })
    const text = await response.text()
    if (response.status === 401 || response.status === 403)
      return [
        ai.problem(`${shown} refuses the key in AI_API_KEY.`, 'Check the key, and that it belongs to this endpoint.'),
      ]
    if (response.ok && model !== undefined && !text.includes(JSON.stringify(model)))
      return [ai.warning(`${shown} doesn't list the model ${model}.`, 'Check AI_MODEL.')]
    return [ai.ok(`${shown} answers.`)]
  } catch {
    return [ai.problem(`${shown} doesn't answer.`, 'Check AI_BASE_URL, and that this machine may reach it.')]
  }
}

/** An address without a user and parameters, which may be keys. */
function withoutKeys(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}
