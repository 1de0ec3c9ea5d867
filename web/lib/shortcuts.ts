import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { recall, remember } from './remember.ts'

export type Shortcut = {
  /** One key, or a sequence of two: `c`, `g d`, `?`. As the keyboard names them (KeyboardEvent.key). */
  keys: string
  label: string
  /** The heading in the list of shortcuts. */
  group: string
  run: () => void
}

/** How long a second key may take after the first. Milliseconds. */
const SEQUENCE = 900

const registered = new Set<Shortcut>()
let list: readonly Shortcut[] = []
const listeners = new Set<() => void>()
let first: { key: string; at: number } | undefined

/**
 * Keys that work while the component is on screen. They're off while someone types, while a dialog is open, and while a
 * text field is locked (`data-shortcuts="off"`).
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const run = useEffectEvent((keys: string) => shortcuts.find((one) => one.keys === keys)?.run())
  const names = shortcuts.map((one) => [one.keys, one.group, one.label].join('\t')).join('\n')
  useEffect(() => {
    const own = names
      .split('\n')
      .filter(Boolean)
      .map((name) => {
        const [keys = '', group = '', label = ''] = name.split('\t')
        return { keys, group, label, run: () => run(keys) }
      })
    for (const one of own) registered.add(one)
    changed()
    return () => {
      for (const one of own) registered.delete(one)
      changed()
    }
  }, [names])
}

/** Every shortcut that works right now, for the list. */
export function useShortcutList(): readonly Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => list,
  )
}

function changed(): void {
  list = [...registered]
  for (const listener of listeners) listener()
}

/** Single keys can be turned off (WCAG 2.1.4): some people speak to their computer. */
export function singleKeysOn(): boolean {
  return recall('shortcuts') !== 'off'
}
export function switchSingleKeys(on: boolean): void {
  remember('shortcuts', on ? 'on' : 'off')
}

/** The one listener, for the app's root. */
export function listenForShortcuts(target: Document): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (!mayAct(event, target) || !singleKeysOn()) return
    const before = first && event.timeStamp - first.at < SEQUENCE ? `${first.key} ` : ''
    first = undefined
    const hit = newest(`${before}${event.key}`) ?? newest(event.key)
    if (hit) {
      event.preventDefault()
      hit.run()
    } else if ([...registered].some((one) => one.keys.startsWith(`${event.key} `))) {
      first = { key: event.key, at: event.timeStamp }
    }
  }
  target.addEventListener('keydown', onKey)
  return () => target.removeEventListener('keydown', onKey)
}

function newest(keys: string): Shortcut | undefined {
  return [...registered].findLast((one) => one.keys === keys)
}

function mayAct(event: KeyboardEvent, target: Document): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  const at = event.target
  if (
    at instanceof HTMLElement &&
    (at.isContentEditable ||
      at.closest('input:not([type=checkbox],[type=radio]), textarea, select, [role=menu], [role=listbox]'))
  )
    return false
  return (
    target.querySelector(
      '[role=dialog][data-state=open]:not([data-beside]), [role=alertdialog][data-state=open], [role=menu][data-state=open], [data-shortcuts=off]',
    ) === null
  )
}
