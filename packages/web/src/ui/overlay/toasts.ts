import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { ApiError } from '../../lib/http.ts'

/**
 * Short messages in the corner. Successes disappear by themselves; failures and notices stay long enough to be read.
 */

export interface Toast {
  title: string
  message?: string
}

const SUCCESS_MS = 4000
const FAILURE_MS = 10_000

export function showSuccess({ title, message }: Toast): void {
  show({ title, message }, 'success')
}

export function showFailure({ title, message }: Toast): void {
  show({ title, message }, 'failure')
}

/** Reports that the console did something other than requested. */
export function showNotice({ title, message }: Toast): void {
  show({ title, message }, 'notice')
}

const colours = { success: 'var(--bw-success)', failure: 'var(--bw-danger)', notice: 'var(--bw-accent)' }

function show({ title, message }: { title: string; message: string | undefined }, kind: keyof typeof colours): void {
  notifications.show({
    // The same text twice in a row is one toast.
    id: `${kind}:${title}:${message ?? ''}`,
    title,
    message: message ?? '',
    color: colours[kind],
    autoClose: kind === 'success' ? SUCCESS_MS : FAILURE_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss message' },
  })
}

/**
 * Shows a toast for each failed attempt to load something. Silent if a flag was just switched off, which is no
 * failure, or the session has expired, which is reported once elsewhere.
 */
export function useFailureToast(
  { isError, error, errorUpdatedAt }: { isError: boolean; error: Error | null; errorUpdatedAt: number },
  title: string,
): void {
  useEffect(() => {
    if (!isError || (error instanceof ApiError && (error.status === 403 || error.code === 'session-expired'))) return
    showFailure({ title, message: error?.message ?? '' })
    // errorUpdatedAt: the next attempt may fail with the same message.
  }, [isError, error, errorUpdatedAt, title])
}
