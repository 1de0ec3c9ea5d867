import { Component, type ReactNode } from 'react'
import { toast } from './toast.ts'

/**
 * Keeps a failure of something that lies over the page (its code didn't arrive, or it broke) from taking the page
 * along. The person is told; the rest goes on working.
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
