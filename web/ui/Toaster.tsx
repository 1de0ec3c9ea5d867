import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-alert'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { toast, Toaster as Sonner } from 'sonner'
import { TOAST } from '#contract/constants.ts'
import { toasterArrived } from './toast.ts'
import { useIsPhone } from './useMedia.ts'
import './toast.css'

/**
 * The place for all toasts, once in the app, loaded on first use. Hovering or focusing pauses them; Alt+T focuses them.
 */
export default function Toaster() {
  const isPhone = useIsPhone()
  const isCovered = useIsCovered()
  useEffect(() => toasterArrived(toast), [])
  // next to the dialogs, so that it's above them
  return createPortal(
    <Sonner
      // dialogs stand at the bottom of a phone
      position={isPhone && isCovered ? 'top-center' : 'bottom-left'}
      duration={TOAST.success}
      visibleToasts={3}
      // each says something else: none hides behind another
      expand
      gap={8}
      offset={{ left: 'var(--toast-left, 20px)', bottom: 20 }}
      mobileOffset={{
        left: 12,
        right: 12,
        top: 12,
        bottom: 'calc(var(--toast-bottom, 64px) + env(safe-area-inset-bottom))',
      }}
      hotkey={['altKey', 'KeyT']}
      containerAriaLabel="Messages"
      icons={{
        success: <Check size={15} aria-hidden />,
        error: <CircleAlert size={15} aria-hidden />,
        warning: <TriangleAlert size={15} aria-hidden />,
      }}
      // the sheet's and dialog's own pointer rules must not swallow the toast's button
      style={{ ['--width' as string]: TOAST.width, pointerEvents: 'auto' }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: 'rk-toast',
          title: 'rk-toast-title',
          description: 'rk-toast-text',
          actionButton: 'rk-toast-action',
          icon: 'rk-toast-icon',
        },
      }}
    />,
    document.body,
  )
}

/** Whether a dialog or a sheet lies over the page: Radix locks the page's scrolling then. */
const useIsCovered = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      const observer = new MutationObserver(changed)
      observer.observe(document.body, { attributeFilter: ['data-scroll-locked'] })
      return () => observer.disconnect()
    },
    () => document.body.hasAttribute('data-scroll-locked'),
  )
