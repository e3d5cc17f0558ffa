import type { BulkFailure, BulkProgress, BulkResult } from '@benchwatch/contract/bulk-changes'
import { ApiError } from '../../lib/http.ts'

/**
 * How a bulk change stands for the person who began it. Pure: what the request and the job's progress have answered so
 * far goes in.
 */
export type BulkRun =
  | { kind: 'asking'; refusal: string | null }
  /** Without progress it is done within its request, or its first progress is still on the way. */
  | { kind: 'running'; progress: BulkProgress | null; isOutOfReach: boolean }
  | { kind: 'ended'; changed: number; failed: readonly BulkFailure[]; isWhole: boolean }
  /** Nobody knows how far it came. */
  | { kind: 'lost'; reason: string }

export interface BulkAnswers {
  /** The request is under way. */
  isSending: boolean
  answer: BulkResult | { jobId: string } | undefined
  error: Error | null
  progress: BulkProgress | undefined
  progressError: Error | null
}

export function bulkRun({ isSending, answer, error, progress, progressError }: BulkAnswers): BulkRun {
  if (isSending) return { kind: 'running', progress: null, isOutOfReach: false }
  if (error !== null) return refusedOrLost(error)
  if (answer === undefined) return { kind: 'asking', refusal: null }
  if (!('jobId' in answer)) return { kind: 'ended', ...answer, isWhole: true }
  if (progressError instanceof ApiError && progressError.status >= 400 && progressError.status < 500) {
    return { kind: 'lost', reason: progressError.message }
  }
  if (progress === undefined || progress.state === 'running') {
    // The job goes on without us: asking is repeated until somebody answers.
    return { kind: 'running', progress: progress ?? null, isOutOfReach: progressError !== null }
  }
  return { kind: 'ended', changed: progress.changed, failed: progress.failed, isWhole: progress.state === 'done' }
}

/** A refusal changed nothing. Without an answer, or with one of a server in trouble, some steps may have been made. */
function refusedOrLost(error: Error): BulkRun {
  const isRefusal =
    error instanceof ApiError && ((error.status >= 400 && error.status < 500) || error.code === 'overloaded')
  return isRefusal ? { kind: 'asking', refusal: error.message } : { kind: 'lost', reason: error.message }
}
