import { useEffect, useEffectEvent } from 'react'

type Keys = { save: () => void; undo: () => void; redo: () => void }

/**
 * Ctrl or Cmd with S, Z, and Shift and Z (or Y), wherever someone is on the page. While a text is typed, Z takes back the whole of
 * it as one step, as the button does.
 */
export function useEditorKeys({ save, undo, redo }: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    const act =
      key === 's' && !event.shiftKey
        ? save
        : key === 'z'
          ? event.shiftKey
            ? redo
            : undo
          : key === 'y'
            ? redo
            : undefined
    if (!act || document.querySelector('[role=dialog][data-state=open], [role=alertdialog][data-state=open]')) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
