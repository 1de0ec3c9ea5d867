import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { conversationKinds, rightOf } from '#contract/inbox/terms.ts'
import { builtActions, grantableResources } from '#contract/permissions.ts'

/*
 * What roles offer is what the server checks: at the endpoints, as they declare it, and inside verbs, which is read from
 * the source. Every function with a parameter of the type Action is a check. It ends in `allows` or `memberMay`, which
 * name the resource, so a new one is followed without a list.
 */

const root = join(import.meta.dirname, '../..')
const sources = [
  ...globSync('server/**/*.ts', {
    cwd: root,
    exclude: (path) => /node_modules|\.test\.ts$|^server\/(testing|seed|simulators)(\/|$)/.test(path),
  }),
  // what the server asks the contract
  'contract/postRights.ts',
]
  // checks what endpoints declare
  .filter((path) => path !== 'server/http/access.ts')
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** The arguments or parameters in the parenthesis at `start`, and where it ends. */
function listAt(text: string, start: number): { list: string[]; end: number } {
  const list: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < text.length; at++) {
    const [before, char] = [text.charAt(at - 1), text.charAt(at)]
    // type parameters have commas of their own
    if ('([{'.includes(char) || (char === '<' && /\w/.test(before))) depth++
    if (')]}'.includes(char) || (char === '>' && !/[\s=]/.test(before))) depth--
    if ((char === ',' && depth === 1) || depth === 0) {
      list.push(text.slice(from, at).trim())
      from = at + 1
    }
    if (depth === 0) return { list: list.filter((one) => one !== ''), end: at }
  }
  throw new Error('A parenthesis is never closed')
}

/** A function that checks an action, on the resource of its argument or on those that its body names. */
type Check = {
  name: string
  /** The file in which it can be called; null for all of them. */ path: string | null
  action: number
  /** The action if the argument is left out. */ preset?: string | undefined
  resource: number
  body: string
  from?: { path: string; start: number; end: number }
}

const actionParameter = /^action: Action(?: = '(\w+)')?$/
const declared = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/(export )?(?:async )?(?:function (\w+)|const (\w+) = (?:async )?)\(/g)].flatMap(
    (found): Check[] => {
      const { list, end } = listAt(text, found.index + found[0].length - 1)
      const action = list.findIndex((one) => actionParameter.test(one))
      if (action < 0) return []
      const closing = `${text}\n\n`.indexOf('\n\n', end)
      return [
        {
          name: found[2] ?? found[3] ?? '',
          path: found[1] ? null : path,
          action,
          preset: actionParameter.exec(list[action] ?? '')?.[1],
          resource: list.findIndex((one) => one.includes(': Resource')),
          body: text.slice(end, closing),
          from: { path, start: found.index, end: closing },
        },
      ]
    },
  ),
)
const checks: Check[] = [{ name: 'allows', path: null, resource: 1, action: 2, body: '' }, ...declared]

type Call = { check: Check; list: string[]; at: number }
const callsIn = (text: string, path: string): Call[] =>
  checks
    .filter((check) => check.path === null || check.path === path)
    .flatMap((check) =>
      [...text.matchAll(new RegExp(`(?<!function )(?<!\\.)\\b${check.name}\\(`, 'g'))].map((found) => ({
        check,
        list: listAt(text, found.index + found[0].length - 1).list,
        at: found.index,
      })),
    )

/** Whether the call passes on the action that its own function was called with. */
const passesOn = ({ check, list }: Call) => list[check.action] === 'action'
const literal = (text: string | undefined) => /^'(\w+)'$/.exec(text ?? '')?.[1]

/** Resources of a call: those in its argument, or those that the function's body checks. */
function resourcesOf({ check, list }: Call): string[] {
  if (check.resource < 0)
    return callsIn(check.body, check.from?.path ?? '').flatMap((call) => (passesOn(call) ? resourcesOf(call) : []))
  const argument = list[check.resource]
  if (argument?.startsWith('rightOf(')) return [...new Set(conversationKinds.map(rightOf))]
  return literal(argument) === undefined ? [] : [literal(argument) ?? '']
}

/** Actions of a call: its argument, or what a constant of the file names so. */
function actionsOf({ check, list }: Call, text: string): string[] {
  const argument = list[check.action]
  const named = argument === undefined ? check.preset : literal(argument)
  if (named !== undefined) return [named]
  return [...text.matchAll(new RegExp(`\\b${argument}: '(\\w+)'`, 'g'))].map(([, action = '']) => action)
}

/** `resource.action` of each check inside a verb with its file, and the calls in which it can't be read. */
function checkedByVerbs(): { asked: Map<string, string>; unread: string[] } {
  const asked = new Map<string, string>()
  const unread: string[] = []
  for (const { path, text } of sources) {
    for (const call of callsIn(text, path)) {
      const isInside = declared.some(
        ({ from }) => from?.path === path && call.at > from.start && call.at < from.end && passesOn(call),
      )
      // those who call the function around it, or a table of the contract, name the action
      if (isInside || (passesOn(call) && call.list[call.check.resource] === 'resource')) continue
      const [of, actions] = [resourcesOf(call), actionsOf(call, text)]
      if (of.length === 0 || actions.length === 0) unread.push(`${path}: ${call.check.name}(${call.list.join(', ')})`)
      for (const resource of of) for (const action of actions) asked.set(`${resource}.${action}`, path)
    }
    // statements that look for people
    for (const [, resource, action] of text.matchAll(/permissions -> '(\w+)' \? '(\w+)'/g))
      asked.set(`${resource}.${action}`, path)
    if (/\bmayPublish\(/.test(text)) asked.set('post.publish', path)
  }
  return { asked, unread }
}

describe('the permissions that roles offer', () => {
  const offered = grantableResources.flatMap((resource) =>
    builtActions(resource).map((action) => `${resource}.${action}`),
  )
  const byEndpoints = Object.values(api).flatMap(({ access }) =>
    access.kind === 'project'
      ? [access, ...(access.or ?? [])].flatMap(({ resource, anyOf }) => anyOf.map((action) => `${resource}.${action}`))
      : [],
  )
  const { asked, unread } = checkedByVerbs()

  it('include everything that an endpoint or a verb checks', () => {
    const missing = [...byEndpoints, ...asked.keys()].filter((one) => !offered.includes(one))
    expect(missing.map((one) => `${one} (${asked.get(one) ?? 'an endpoint'})`)).toEqual([])
  })
  it('include nothing that nobody checks', () => {
    expect(offered.filter((one) => !byEndpoints.includes(one) && !asked.has(one))).toEqual([])
  })
  it('are read from every check in the source, also through functions that pass the action on', () => {
    expect(unread).toEqual([])
    for (const one of ['dm.create', 'comment.delete', 'dm.edit', 'post.publish', 'post.needs_approval', 'post.delete'])
      expect([...asked.keys()]).toContain(one)
  })
})
