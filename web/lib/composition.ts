/**
 * Keeps keys from all handlers, those of libraries included, while the person composes a character, as in Japanese,
 * Chinese, Korean or with dead keys: Enter, Tab, Escape, arrows and digits then choose among what the input method
 * suggests, and must neither send a text nor close what it's in. So no handler asks for `isComposing`.
 */
export function keepComposedKeys(target: Window): void {
  target.addEventListener(
    'keydown',
    (event) => {
      // Safari ends the composition before the key that ends it, which has the code of the input method only
      if (event.isComposing || event.keyCode === INPUT_METHOD) event.stopImmediatePropagation()
    },
    { capture: true },
  )
}

/** The key code of keys that an input method handles. */
const INPUT_METHOD = 229
