import { Component, type ReactNode, Suspense } from 'react'
import { isMissingPart } from '../../lib/stale-build.ts'
import { showFailure } from '../overlay/toasts.ts'

interface Props {
  /** Shown while it is loaded; else nothing. */
  fallback?: ReactNode
  /** Whoever opened it takes it for closed again. */
  onFailure: () => void
  children: ReactNode
}

/**
 * A part of a screen that is loaded when it is wanted. When it can't be loaded a message says so, and the screen with all
 * that was typed in it stays: without this the crash screen would take its place. Everything else that breaks goes on to
 * that one.
 */
export class LazyPart extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error) {
    if (!isMissingPart(error)) return
    showFailure({ title: 'This could not be opened', message: error.message })
    this.props.onFailure()
  }

  override render() {
    const { error } = this.state
    if (error !== null && !isMissingPart(error)) throw error
    return error === null && <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>
  }
}
