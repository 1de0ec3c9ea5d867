import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { JSHandle, Page } from '@playwright/test'
import { inTheme } from './browser.ts'
import { keyOf, overlayNamed, screenAt } from './screens.ts'

/** What this run has checked so far, for all workers; emptied when a run begins. */
export const checkedFolder = join(import.meta.dirname, '..', '.cache', 'axe')

const PHONE_WIDTH = 700

/** The entries of screens.ts, by their keys, that passed in this run, among other lines. */
export const visited = (): Set<string> =>
  new Set(readdirSync(checkedFolder).flatMap((file) => [...linesOf(join(checkedFolder, file))]))

/**
 * Throws if axe finds anything on the page, in either theme. The first visit of a screen at a width checks all of it,
 * and the first visit of a dialog or menu all of that. Otherwise only elements are checked that the run hasn't met yet
 * in such a state and place, and nothing if there are none.
 */
export async function axe(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  const found = await page.evaluateHandle(look)
  const { shapes, isDark } = await found.evaluate(({ elements, ...rest }) => ({
    ...rest,
    shapes: [...elements.keys()],
  }))
  const screen = screenAt(new URL(page.url()))
  const overlays = new Map(
    shapes
      .filter((shape) => shape.startsWith(OVERLAY))
      .map((shape) => [shape, keyOf(overlayNamed(shape.slice(OVERLAY.length), screen), false)]),
  )
  const keyOfScreen = keyOf(screen, width <= PHONE_WIDTH)
  const checkedFile = join(checkedFolder, `at-${width}`)
  const known = linesOf(checkedFile)
  const isFirst = overlays.size === 0 && !known.has(keyOfScreen)
  const fresh = shapes.filter((shape) => !known.has(overlays.get(shape) ?? shape))
  if (isFirst || fresh.length > 0) await check(page, isDark, isFirst ? undefined : { found, fresh })
  await found.dispose()
  append(checkedFile, [...(isFirst ? [keyOfScreen] : []), ...fresh.map((shape) => overlays.get(shape) ?? shape)])
}

type Elements = Map<string, Element>
type Look = { elements: Elements; isDark: boolean }
type Part = { found: JSHandle<Look>; fresh: string[] }

/** Everything in the theme that is shown, then the colors in the other one. */
async function check(page: Page, isDark: boolean, part: Part | undefined): Promise<void> {
  const themes = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  for (const theme of themes) {
    const isOther = theme !== themes[0]
    if (isOther && part && !part.fresh.some((shape) => shape.startsWith(COLORS))) break
    await inTheme(page, theme)
    // evaluated by the debugger, which the page's content security policy doesn't restrict
    if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(await readAxe())
    const wanted: Wanted = isOther ? { type: 'rule', values: RULES_OF_COLOR } : { type: 'tag', values: TAGS }
    const violations = await page.evaluate(violationsOf, { wanted, part })
    const lines = violations.flatMap((found) =>
      found.nodes.map(
        (node) =>
          `${found.id}: ${found.help}\n    ${node.target.join(' ')}\n    ${node.failureSummary?.replaceAll('\n', '\n    ') ?? ''}`,
      ),
    )
    if (lines.length > 0)
      throw new Error(`axe, ${theme} theme, ${new URL(page.url()).pathname}:\n  ${lines.join('\n  ')}`)
  }
}

let axeSource: Promise<string> | undefined
const readAxe = () => (axeSource ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))

type Violation = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] }

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What a theme can change about a page; everything else is the same in both. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']

type Wanted = { type: 'tag' | 'rule'; values: string[] }

/** How shapes begin that are about the colors of a text, and the names of dialogs and menus. */
const COLORS = 'colors '
const OVERLAY = 'overlay '

/**
 * Runs in the page. The names of open dialogs and menus, and one element of each shape. A shape is what an element is,
 * in which state, named or not, and in what it lies; another one is which colors a text has. Texts, numbers and
 * addresses don't matter, nor does the layout of what can't be used. Of what may have to be the only one, the second is
 * another shape.
 */
function look(): Look {
  const elements: Elements = new Map()
  // states and roles are plain words; names and IDs aren't
  const attribute = ({ name, value }: Attr) =>
    name === 'tabindex' || /^[a-z][a-z -]{0,20}$/.test(value) ? `${name}=${value}` : value === '' ? name : `${name}=…`
  const hash = (text: string) => {
    let [one, two] = [0, 0]
    for (let i = 0; i < text.length; i += 1) {
      one = Math.imul(one ^ text.charCodeAt(i), 0x9e3779b1)
      two = Math.imul(two + text.charCodeAt(i), 0x5f356495)
    }
    return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`
  }
  const textOf = (node: Node) => node.textContent?.trim() ?? ''
  const namingElements = (element: Element) =>
    (element.getAttribute('aria-labelledby') ?? '').split(' ').flatMap((id) => document.getElementById(id) ?? [])
  const isNamed = (element: Element) =>
    [element.ariaLabel, element.getAttribute('title'), textOf(element)].some(Boolean) ||
    namingElements(element).some((label) => textOf(label) || label.ariaLabel) ||
    ('labels' in element && element.labels instanceof NodeList && element.labels.length > 0)
  const walk = (element: Element, around: readonly string[], inherited: readonly string[]) => {
    // what isn't shown or announced counts once it is
    if (element.ariaHidden === 'true' || !element.checkVisibility()) return
    const classes = (element.getAttribute('class') ?? '').split(' ')
    const look = classes.filter((name) => /(?:^|:)(?:bg|text|font|opacity)-/.test(name))
    const background = element.getAttribute('style')?.match(/(?:color|background)[a-z-]*:[^;]*/g) ?? []
    const isUsed = element.matches('a, button, input, select, textarea, [tabindex], [role=option], [role^=menuitem]')
    const attributes = [...element.attributes].filter(({ name }) => name !== 'class' && name !== 'style')
    const states = attributes.map(attribute).toSorted()
    const isText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && textOf(node))
    const shape = `element ${hash(
      [
        ...around,
        element.localName,
        isText ? 'text' : '',
        isUsed || element.role ? isNamed(element) : '',
        ...states.filter((state) => !state.startsWith('data-')),
        ...(isUsed ? classes : []),
      ].join('|'),
    )}`
    const mayBeOne = element.matches('[id], [role], h1, header, footer, main, nav, section, aside, form')
    if (!elements.has(shape)) elements.set(shape, element)
    else if (mayBeOne && !elements.has(`${shape} again`)) elements.set(`${shape} again`, element)
    const own = [...look, ...background, ...(look.some((name) => name.includes(':')) ? states : [])].join(' ')
    const colors = `colors ${hash([...inherited, own].join('|'))}`
    if ((isText || element.matches('input, select, textarea')) && !elements.has(colors)) elements.set(colors, element)
    const place = `${element.localName} ${element.role ?? ''}`
    // the nearest that sets each of them
    const passedOn = ['bg-', 'text-', 'opacity-'].map((kind, i) => (own.includes(kind) ? own : (inherited[i] ?? '')))
    for (const child of element.children) walk(child, [...around.slice(-1), place], passedOn)
  }
  for (const child of document.body.children) walk(child, [], [])
  const nameOf = (element: Element): string =>
    element.ariaLabel ??
    namingElements(element)
      .map((label) => label.ariaLabel ?? textOf(label))
      .join(' ')
  for (const element of document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]'))
    if (element.closest('[aria-hidden=true]') === null)
      elements.set(`overlay ${nameOf(element).trim().replaceAll(/\s+/g, ' ')}`, element)
  return { elements, isDark: matchMedia('(prefers-color-scheme: dark)').matches }
}

/** Runs in the page. */
async function violationsOf({
  wanted,
  part,
}: {
  wanted: Wanted
  part: { found: Look; fresh: string[] } | undefined
}): Promise<Violation[]> {
  // put there by `axe` above
  const { axe: runner } = globalThis as unknown as {
    axe: {
      configure: (spec: object) => void
      run: (root: Document | Element[], options: object) => Promise<{ violations: Violation[] }>
    }
  }
  // a day's cell contains controls and is named by a summary; its controls have their own names. Hidden text, such as
  // the initials of an avatar, isn't something a person would say
  runner.configure({
    rules: [
      {
        id: 'label-content-name-mismatch',
        selector: ':is([aria-label], [aria-labelledby]):not([role=gridcell], :has(span[aria-hidden]))',
      },
    ],
  })
  // an open menu, popover or tooltip is outside the landmarks while everything else is inert
  const overlaid = document.querySelector('[data-radix-popper-content-wrapper], [role=tooltip]') !== null
  const rules =
    wanted.type === 'tag'
      ? // the second is experimental in axe and only runs when requested
        { region: { enabled: !overlaid }, 'label-content-name-mismatch': { enabled: true } }
      : {}
  const fresh = new Set(part?.fresh.map((shape) => part.found.elements.get(shape)))
  const roots = [...fresh].flatMap((element) => {
    const parent = element?.parentElement
    if (!element?.isConnected || !parent || fresh.has(parent)) return []
    // with what is around it: a list, say, may only contain items
    return [parent === document.body ? element : parent]
  })
  // only violations are read: details of what passed take time
  const options = { runOnly: wanted, rules, resultTypes: ['violations'] }
  return (await runner.run(part && roots.length > 0 ? [...new Set(roots)] : document, options)).violations
}

function linesOf(file: string): Set<string> {
  try {
    return new Set(readFileSync(file, 'utf8').split('\n'))
  } catch {
    // nothing has passed yet
    return new Set()
  }
}

/** In one write, so that the other worker's lines aren't torn. */
function append(file: string, lines: readonly string[]): void {
  if (lines.length > 0) appendFileSync(file, `${lines.join('\n')}\n`)
}
