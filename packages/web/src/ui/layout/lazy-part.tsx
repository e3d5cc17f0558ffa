import { Component, type ReactNode, Suspense } from 'react'
import { isMissingPart, reloadStaleBuild } from '../../lib/stale-build.ts'
import { showFailure } from '../overlay/toasts.ts'

interface Props {
  /** Shown while loading; nothing by default. */
  fallback?: ReactNode
  /** Lets the opener treat the part as closed again. */
  onFailure: () => void
  children: ReactNode
}

/**
 * A lazily loaded part of a screen. If it cannot be loaded, a toast reports it and the screen stays with its input,
 * instead of the crash screen. All other errors are passed on to that.
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
    void reloadStaleBuild()
  }

  override render() {
    const { error } = this.state
    if (error !== null && !isMissingPart(error)) throw error
    return error === null && <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>
  }
}
