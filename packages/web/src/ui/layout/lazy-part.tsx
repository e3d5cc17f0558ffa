import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
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

/**
 * Returns a component that is loaded on first use, or by `preload`. Once loaded, it is rendered at once: React's `lazy`
 * waits a moment even then, and keys meant for a dialog would go to the page behind it.
 */
export function preloadable<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Waiting: ComponentType<P> = lazy(() => load().then((part) => ({ default: part })))
  let loaded: ComponentType<P> | undefined
  function Part(props: P) {
    // Stays the same while mounted, so that the part keeps its state.
    const [Shown] = useState(() => loaded ?? Waiting)
    return <Shown {...props} />
  }
  async function preload() {
    // A part that cannot be loaded is reported when it is used.
    loaded = await load().catch(() => undefined)
  }
  return Object.assign(Part, { preload })
}
