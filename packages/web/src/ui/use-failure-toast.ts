import { useEffect } from 'react'
import { ApiError } from '../lib/http.ts'
import { showFailure } from './toasts.ts'

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
