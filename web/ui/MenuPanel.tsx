import { clsx } from 'clsx'
import Check from 'lucide-react/icons/check'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import * as Radix from 'radix-ui/dropdown-menu'
import type { DeferredTrigger } from './Deferred.tsx'
import { floatingClass } from './floatingClass.ts'

const itemClass =
  'relative flex min-h-8 cursor-pointer items-center gap-2.5 rounded-[6px] px-2 py-1 outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-50 data-highlighted:bg-hover pointer-coarse:min-h-10'

export type MenuProps = {
  trigger: DeferredTrigger
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom' | 'right'
  label?: string
  defaultOpen?: boolean
  /** For one that a key opens as well: its state is kept outside. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

/** A menu whose code comes with what shows it: for one that's loaded to be opened. Screens have Menu. */
export function MenuPanel({
  trigger,
  children,
  align = 'start',
  side = 'bottom',
  label,
  defaultOpen = false,
  className,
  ...state
}: MenuProps) {
  const content = useRef<HTMLDivElement>(null)
  const isNew = useRef(true)
  return (
    // not modal: the page behind stays readable for screen readers and scrollable
    <Radix.Root defaultOpen={defaultOpen} modal={false} {...state}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={content}
          // at once, and not only when the menu is gone: a page that's still loading takes a while to get there
          onEscapeKeyDown={() =>
            document.getElementById(content.current?.getAttribute('aria-labelledby') ?? '')?.focus()
          }
          onFocus={({ target, currentTarget }) => {
            // opened by a key that came before this code, which leads to the first item only by keys of its own
            if (isNew.current && target === currentTarget && target.matches(':focus-visible'))
              target.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus()
            isNew.current = false
          }}
          align={align}
          side={side}
          sideOffset={5}
          collisionPadding={8}
          {...(label ? { 'aria-label': label } : {})}
          className={clsx(
            floatingClass,
            'max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto p-1',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export type ItemProps = ComponentProps<typeof Radix.Item> & {
  icon?: ReactNode
  danger?: boolean
  end?: ReactNode
  /** Why it's disabled: it stays reachable, so that people can read the reason. */ why?: string | undefined
}

/** One action. With `asChild` it takes the shape of the link inside it. */
export function MenuItem({ icon, danger = false, end, why, className, children, asChild, ...rest }: ItemProps) {
  const look = clsx(itemClass, danger && !why ? 'text-bad' : '', className)
  if (asChild) {
    return (
      <Radix.Item {...rest} asChild className={look}>
        {children}
      </Radix.Item>
    )
  }
  if (why !== undefined) {
    return (
      <Radix.Item
        {...rest}
        aria-disabled
        onSelect={(event) => event.preventDefault()}
        className={clsx(look, 'cursor-not-allowed text-ink-muted')}
      >
        {icon ? (
          <span className="grid w-4 shrink-0 place-items-center self-start pt-1 text-ink-faint">{icon}</span>
        ) : null}
        <span className="min-w-0 grow">
          {children}
          <span className="block max-w-56 text-xs text-ink-muted">{why}</span>
        </span>
      </Radix.Item>
    )
  }
  return (
    <Radix.Item {...rest} className={look}>
      {icon ? (
        <span className={clsx('grid w-4 shrink-0 place-items-center', danger ? '' : 'text-ink-muted')}>{icon}</span>
      ) : null}
      <span dir="auto" className="min-w-0 grow truncate">
        {children}
      </span>
      {end ? <span className="shrink-0 text-sm text-ink-muted">{end}</span> : null}
    </Radix.Item>
  )
}

export type ChoiceProps<V extends string> = {
  label: string
  value: V
  options: readonly { value: V; label: string; icon?: ReactNode }[]
  onChange: (value: V) => void
}

/** One of several settings in a menu, with a check mark at the chosen one. */
export function MenuChoice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  return (
    <Radix.RadioGroup aria-label={label} value={value}>
      <Radix.Label className="px-2 pt-1.5 pb-1 text-xs font-semibold text-ink-muted">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          onSelect={() => onChange(option.value)}
          className={itemClass}
        >
          <span className="grid w-4 shrink-0 place-items-center text-ink-muted">{option.icon}</span>
          <span className="grow">{option.label}</span>
          <Radix.ItemIndicator>
            <Check size={14} aria-hidden className="text-accent" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-xs font-semibold text-ink-muted">{children}</Radix.Label>
}
