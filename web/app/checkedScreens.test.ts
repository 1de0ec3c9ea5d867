import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { NOWHERE, overlays, screens } from '../../e2e/screens.ts'
import { createAppRouter } from './router.tsx'
import { OrgSettingsSearch } from './search.ts'

describe('the list of screens that axe checks', () => {
  const listed = screens.map(({ path }) => path)
  const routes = routesOf(createAppRouter(new QueryClient()))

  it('has every route of the web app that shows something', () => {
    expect(routes.filter((route) => !listed.includes(route))).toEqual([])
  })

  it('has no screen without a route', () => {
    const isRoute = (path: string) => routes.some((route) => segmentsMatch(route, path))
    const ofTheApp = screens.flatMap(({ path, byServer }) => (byServer ? [] : [path]))
    expect(ofTheApp.filter((path) => path !== NOWHERE && !isRoute(path))).toEqual([])
  })

  it('has every tab of the organization settings', () => {
    const tabs = OrgSettingsSearch.shape.tab
      .unwrap()
      .unwrap()
      .options.filter((tab) => tab !== 'general')
    const inList = listed.flatMap((path) => /\/org-settings\?tab=(\w+)$/.exec(path)?.[1] ?? [])
    expect(inList.toSorted()).toEqual(tabs.toSorted())
  })
})

describe('the list of dialogs and menus that axe checks', () => {
  const listed = overlays.flatMap(({ name }) => [name].flat())
  const sources = sourcesBelow(join(import.meta.dirname, '..'))

  it('has every name that the source gives one', () => {
    const named = new Set(sources.flatMap(({ text }) => namesIn(text)))
    expect(named.size).toBeGreaterThan(100)
    expect([...named].filter((name) => !listed.includes(name))).toEqual([])
  })

  it('has no name that no source has', () => {
    const all = sources.map(({ text }) => text).join('\n')
    const isThere = (name: string) => name.split('*').every((part) => all.includes(part.trim()))
    expect(listed.filter((name) => !isThere(name))).toEqual([])
  })
})

/** Routes that show a screen of their own: others redirect or frame those below them. The gallery is for developers. */
function routesOf(router: ReturnType<typeof createAppRouter>): string[] {
  return Object.values(router.routesById)
    .filter(({ options, children, fullPath }) => options.component && !children && fullPath !== '/gallery')
    .map(({ fullPath }) => fullPath)
}

function segmentsMatch(route: string, path: string): boolean {
  const own = route.split('/')
  const others = (path.split('?')[0] ?? '').split('/')
  return own.length === others.length && own.every((part, i) => part === others[i] || part.startsWith('$'))
}

function sourcesBelow(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes('gallery'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/**
 * The names of dialogs, sheets, popovers and menus, with `*` for what a template fills in. Names that are variables
 * can't be read: `axe` throws when it meets one that isn't listed.
 */
function namesIn(source: string): string[] {
  const tags = source.matchAll(/<(?:Dialog|ConfirmDialog|PasswordDialog|Sheet|Popover|Menu)\s/g)
  return [...tags].flatMap(({ index }) => {
    const attribute = /\b(?:title|label)=("[^"]*"|\{)/.exec(tagAt(source, index))
    if (!attribute?.[1]) return []
    if (attribute[1] !== '{') return [attribute[1].slice(1, -1)]
    return textsIn(braced(source, index + attribute.index + attribute[0].length - 1))
  })
}

/** The opening tag that begins here. */
function tagAt(source: string, from: number): string {
  let end = from
  while (source[end] !== '>' || source[end - 1] === '=') end += source[end] === '{' ? braced(source, end).length : 1
  return source.slice(from, end)
}

/** From a brace to the one that closes it. */
function braced(source: string, from: number): string {
  let depth = 0
  for (let end = from; end < source.length; end += 1) {
    if (source[end] === '{') depth += 1
    else if (source[end] === '}') depth -= 1
    if (depth === 0) return source.slice(from, end + 1)
  }
  return source.slice(from)
}

/** What an expression can be, as far as it is written there: literals and templates, but not what they're compared with. */
function textsIn(expression: string): string[] {
  const filled = withoutValues(expression.replaceAll(/===\s*'[^']*'/g, ''))
  return [...filled.matchAll(/'([^']+)'|`([^`]+)`/g)].map(([, literal, template]) => literal ?? template ?? '')
}

/** With `*` in place of what templates fill in. */
function withoutValues(expression: string): string {
  const start = expression.indexOf('${')
  if (start < 0) return expression
  const value = braced(expression, start + 1)
  return withoutValues(`${expression.slice(0, start)}*${expression.slice(start + 1 + value.length)}`)
}
