import { cloneElement, useEffect, useRef, useState, type ReactElement } from 'react'
import { Kbd } from './Kbd.tsx'

/**
 * A short explanation of a control, on hover and keyboard focus. Never the only place for something people need: the
 * control has its own name. The child must pass unknown attributes on to its element.
 */
export function Tooltip({
  text,
  shortcut,
  children,
}: {
  text: string
  shortcut?: string | undefined
  children: ReactElement<Record<string, unknown>>
}) {
  return cloneElement(children, { 'data-tip': text, ...(shortcut ? { 'data-tip-keys': shortcut } : {}) })
}

type Tip = { text: string; keys: string | undefined; at: DOMRect }

/** Until a tooltip appears, and until it disappears once the pointer has left. Milliseconds. */
const [WAIT, LINGER] = [500, 120]

/**
 * Renders the one tooltip of the whole app, above dialogs too. Esc, a press and scrolling close it; it can be hovered.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip>()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let warm = false
    const show = (element: Element, wait: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const text = element.getAttribute('data-tip')
        if (!text || !element.isConnected || element.getAttribute('aria-expanded') === 'true') return
        warm = true
        setTip({ text, keys: element.getAttribute('data-tip-keys') ?? undefined, at: element.getBoundingClientRect() })
      }, wait)
    }
    const hide = (wait = 0) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        setTip(undefined)
        warm = false
      }, wait)
    }
    const over = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || !(event.target instanceof Element)) return
      if (box.current?.contains(event.target)) return clearTimeout(timer)
      const element = event.target.closest('[data-tip]')
      if (element) show(element, warm ? 0 : WAIT)
      else hide(LINGER)
    }
    const focus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.matches('[data-tip]:focus-visible')) show(event.target, WAIT)
      else hide()
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide()
    }
    const away = () => hide()
    const until = new AbortController()
    const { signal } = until
    document.addEventListener('pointerover', over, { signal })
    document.addEventListener('focusin', focus, { signal })
    document.addEventListener('focusout', away, { signal })
    document.addEventListener('pointerdown', away, { signal })
    document.addEventListener('keydown', key, { signal })
    window.addEventListener('scroll', away, { signal, capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      until.abort()
    }
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element || !tip) return undefined
    element.showPopover()
    const { width, height } = element.getBoundingClientRect()
    const below = tip.at.bottom + 6
    const top = below + height > window.innerHeight - 8 ? tip.at.top - height - 6 : below
    const left = Math.max(8, Math.min(tip.at.left + tip.at.width / 2 - width / 2, window.innerWidth - width - 8))
    element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`
    return () => element.hidePopover()
  }, [tip])

  return (
    <div
      ref={box}
      popover="manual"
      role="tooltip"
      className="inset-auto top-0 left-0 m-0 max-w-72 animate-appear overflow-visible rounded-md border-0 bg-ink px-2 py-1 text-sm text-canvas shadow-2"
    >
      {tip ? (
        <span className="flex items-center gap-2">
          {tip.text}
          {tip.keys ? <Kbd inverted>{tip.keys}</Kbd> : null}
        </span>
      ) : null}
    </div>
  )
}
