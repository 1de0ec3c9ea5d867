import { Component, type ReactNode } from 'react'
import { toast } from './toast.ts'

/**
 * Keeps a failure of an overlay (its code didn't arrive, or it broke) from breaking the page. People see a message; the
 * rest keeps working.
 */
export class Contained extends Component<{ fallback?: ReactNode; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
    toast.error("This couldn't be loaded. Check your connection, then reload the page.")
  }

  override render(): ReactNode {
    return this.state.broken ? (this.props.fallback ?? null) : this.props.children
  }
}
