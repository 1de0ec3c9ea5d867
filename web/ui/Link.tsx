import { createLink } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { buttonClass, type ButtonSize, type ButtonTone } from './buttonClass.ts'

const look =
  'font-medium text-accent underline decoration-accent/40 underline-offset-3 hover:text-accent-hover hover:decoration-current'

/** A link within the app, typed by its routes. */
export const Link = createLink(function Anchor({ className, children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} className={clsx(look, className)}>
      {children}
    </a>
  )
})

/** A link that looks like a button, for when navigating is the main action. */
export const ButtonLink = createLink(function ButtonAnchor({
  tone,
  size,
  icon,
  className,
  children,
  ...rest
}: ComponentProps<'a'> & { tone?: ButtonTone; size?: ButtonSize; icon?: ReactNode }) {
  return (
    <a {...rest} className={buttonClass({ tone, size, className })}>
      {icon}
      {children}
    </a>
  )
})

/** The same to another site, in a new tab; announced as such. */
export function OutsideButtonLink({
  tone,
  size,
  icon,
  className,
  children,
  ...rest
}: ComponentProps<'a'> & { href: string; tone?: ButtonTone; size?: ButtonSize; icon?: ReactNode }) {
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer" className={buttonClass({ tone, size, className })}>
      {icon}
      <span>
        {children}
        <span className="sr-only"> (opens in a new tab)</span>
      </span>
    </a>
  )
}

/** A link to another site, or to a page that opens next to this one; announced as such. */
export function OutsideLink({ className, children, ...rest }: ComponentProps<'a'> & { href: string }) {
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer" className={clsx(look, className)}>
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
