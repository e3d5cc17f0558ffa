import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { ApiError } from '../../lib/http.ts'

/** Short messages in the corner. Success goes by itself; a failure and a notice stay long enough to be read. */

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

/** Tells what the console did otherwise than it was asked. */
export function showNotice({ title, message }: Toast): void {
  show({ title, message }, 'notice')
}

const colours = { success: 'var(--bw-success)', failure: 'var(--bw-danger)', notice: 'var(--bw-accent)' }

function show({ title, message }: { title: string; message: string | undefined }, kind: keyof typeof colours): void {
  notifications.show({
    // The same words twice in a row are one toast, not a pile.
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
 * Says once for each failed attempt that something could not be loaded, and why. A flag that was just switched off is no
 * failure, and an ended session is said once, where it ends.
 */
export function useFailureToast(
  { isError, error, errorUpdatedAt }: { isError: boolean; error: Error | null; errorUpdatedAt: number },
  title: string,
): void {
  useEffect(() => {
    if (!isError || (error instanceof ApiError && (error.status === 403 || error.code === 'session-expired'))) return
    showFailure({ title, message: error?.message ?? '' })
    // errorUpdatedAt: the next attempt may fail with the same words.
  }, [isError, error, errorUpdatedAt, title])
}
