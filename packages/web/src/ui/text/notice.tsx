import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notice.module.css'
import stateStyles from './state-message.module.css'

/** A short message above the content it concerns. Screen readers announce a danger at once, the others politely. */
export function Notice({ tone, children }: { tone: 'info' | 'warning' | 'danger'; children: ReactNode }) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

/** Shown instead of an empty list: the reason and what to do. */
export function EmptyState(props: {
  title: string
  action?: { label: string; onClick: () => void }
  children?: ReactNode
}) {
  return (
    <div className={stateStyles.message} role="status">
      <p className={stateStyles.title}>{props.title}</p>
      {props.children !== undefined && <p className={stateStyles.text}>{props.children}</p>}
      {props.action !== undefined && (
        <Button variant="default" mt={12} onClick={props.action.onClick}>
          {props.action.label}
        </Button>
      )}
    </div>
  )
}

/** Shown if something failed to load: title, reason and, if useful, a retry button. */
export function ErrorState(props: { title: string; onRetry?: () => void; children?: ReactNode }) {
  return (
    <div className={stateStyles.message} role="alert">
      <IconAlertCircle className={stateStyles.icon} size={26} stroke={1.6} aria-hidden="true" />
      <p className={stateStyles.title}>{props.title}</p>
      {props.children !== undefined && <p className={stateStyles.text}>{props.children}</p>}
      {props.onRetry !== undefined && (
        <Button variant="default" mt={12} onClick={props.onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Shown instead of the data of a query that failed. */
export function FailedQuery(props: { title: string; query: { error: Error | null; refetch: () => unknown } }) {
  return (
    <ErrorState title={props.title} onRetry={() => void props.query.refetch()}>
      {props.query.error?.message}
    </ErrorState>
  )
}

/** One line shown if a part of a screen failed to load, with a retry button. */
export function RetryLine({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  return (
    <p className={styles.line} role="alert">
      {children}{' '}
      <button type="button" className={styles.retry} onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}

/** Shown above the categories of a filter panel until their values are loaded. */
export function FilterDataNotice({ isLoading, onRetry }: { isLoading: boolean; onRetry: () => void }) {
  if (isLoading) return <Notice tone="info">Loading filter data…</Notice>
  return (
    <Notice tone="danger">
      Could not get filter data{' '}
      <Button variant="subtle" size="compact-sm" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  )
}
