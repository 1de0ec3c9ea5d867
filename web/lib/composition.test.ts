import { describe, expect, it } from 'vitest'
import { keepComposedKeys } from './composition.ts'

/** The keys that reach a handler behind the one that keeps composed keys. */
function reaching(...events: { key: string; keyCode: number; isComposing: boolean }[]): string[] {
  const window = new EventTarget()
  // of a window, only its events are used
  keepComposedKeys(window as Window)
  const reached: string[] = []
  window.addEventListener('keydown', (event) => 'key' in event && reached.push(String(event.key)))
  for (const facts of events) window.dispatchEvent(Object.assign(new Event('keydown'), facts))
  return reached
}

describe('keys of a composition', () => {
  it.each(['Enter', 'Tab', 'Escape', 'ArrowDown', ' ', '7', 'k'])(
    '%o chooses what the input method suggests',
    (key) => {
      expect(reaching({ key, keyCode: 229, isComposing: true })).toEqual([])
      // as some input methods send them
      expect(reaching({ key, keyCode: 13, isComposing: true })).toEqual([])
      // as Safari sends the key that ends a composition
      expect(reaching({ key, keyCode: 229, isComposing: false })).toEqual([])
    },
  )

  it('leave all others alone', () => {
    expect(
      reaching(
        { key: 'Enter', keyCode: 229, isComposing: true },
        { key: 'Enter', keyCode: 13, isComposing: false },
        { key: 'é', keyCode: 0, isComposing: false },
      ),
    ).toEqual(['Enter', 'é'])
  })
})
