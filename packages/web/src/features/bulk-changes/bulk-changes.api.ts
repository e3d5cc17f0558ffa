import type { BulkFailure, BulkProgress, BulkResult } from '@benchwatch/contract/bulk-changes'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { ApiError, call } from '../../lib/http.ts'
import { showFailure } from '../../ui/overlay/toasts.ts'
import { serviceEventKeys } from '../events/events.api.ts'
import type { SelectedEvents } from '../events/list/event-list-request.ts'
import { seenPart } from '../events/list/new-events.ts'
import type { BulkKind, BulkRequest, BulkTask } from './bulk-request.ts'

/** Entry point for bulk changes: starts one and follows its job. Wire 2. */

/** State of a bulk change, computed from the answers to the request and to the job's progress so far. Pure. */
type BulkRun =
  | { kind: 'asking'; refusal: string | null }
  /** `progress` is null if the change completes within its request, or before the first progress arrives. */
  | { kind: 'running'; progress: BulkProgress | null; isOutOfReach: boolean }
  | { kind: 'ended'; changed: number; failed: readonly BulkFailure[]; isWhole: boolean }
  /** It is unknown how many events were changed. */
  | { kind: 'lost'; reason: string }

export interface BulkAnswers {
  /** True while the request is in flight. */
  isSending: boolean
  answer: BulkResult | { jobId: string } | undefined
  error: Error | null
  progress: BulkProgress | undefined
  progressError: Error | null
}

/** Interval between progress requests of a job. */
const PROGRESS_POLL_MS = 1000

function progressQuery(jobId: string | null) {
  return queryOptions({
    queryKey: ['bulk-changes', jobId],
    queryFn: ({ signal }) => call('getBulkChange', { params: { jobId: jobId ?? '' }, signal }),
    enabled: jobId !== null,
    refetchInterval: ({ state }) => (isOver(state.data, state.error) ? false : PROGRESS_POLL_MS),
    // A hidden tab keeps polling, or its result would be missed.
    refetchIntervalInBackground: true,
    retry: false,
  })
}

function isOver(progress: BulkProgress | undefined, error: Error | null): boolean {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return true
  return progress !== undefined && progress.state !== 'running'
}

/**
 * Creates a task from the current selection. "All" would include events that arrive while the dialog is open, so the
 * task ends with the newest event of this moment and is counted again.
 */
export function useBulkTask() {
  return useMutation({
    mutationFn: async ({ kind, selected }: { kind: BulkKind; selected: SelectedEvents }): Promise<BulkTask> => {
      if (selected.mode === 'include') return { kind, selected }
      const { query, body } = selected.narrowing
      const newestFirst = { limit: '1', offset: '0', order: 'DESC', orderBy: 'createdAt' } as const
      const { values, total } = await call('listServiceEvents', { query: { ...query, ...newestFirst }, body })
      const newest = values[0]?.alarm.createdAt
      const end = newest === undefined ? null : new Date(Date.parse(newest) + 1).toISOString()
      const count = Math.max(0, total.events - selected.ids.length)
      return { kind, selected: { ...selected, count, narrowing: seenPart(selected.narrowing, end) } }
    },
    onError: ({ message }) => showFailure({ title: 'Could not get events', message }),
  })
}

/**
 * Runs a bulk change of this screen. `onEnd` is called once after each, when the data on the screen has been
 * refetched.
 */
export function useBulkRun(onEnd: (run: BulkRun) => void): { run: BulkRun; begin: (request: BulkRequest) => void } {
  const client = useQueryClient()
  const sending = useMutation({ mutationFn: (body: BulkRequest) => call('changeServiceEvents', { body }) })
  const { data: answer } = sending
  const job = useQuery(progressQuery(answer !== undefined && 'jobId' in answer ? answer.jobId : null))
  const run = bulkRun({
    isSending: sending.isPending,
    answer,
    error: sending.error,
    progress: job.data,
    progressError: job.error,
  })
  const end = useEffectEvent(() => {
    for (const queryKey of [serviceEventKeys.lists, serviceEventKeys.totals, serviceEventKeys.details]) {
      void client.invalidateQueries({ queryKey })
    }
    onEnd(run)
  })
  const isOverNow = run.kind === 'ended' || run.kind === 'lost'
  useEffect(() => {
    if (isOverNow) end()
  }, [isOverNow])
  return { run, begin: sending.mutate }
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
    // The job runs on the server without this screen; polling is retried until it answers.
    return { kind: 'running', progress: progress ?? null, isOutOfReach: progressError !== null }
  }
  return { kind: 'ended', changed: progress.changed, failed: progress.failed, isWhole: progress.state === 'done' }
}

/** A rejection changed nothing. Without an answer, or after a server error, some events may have been changed. */
function refusedOrLost(error: Error): BulkRun {
  const isRefusal =
    error instanceof ApiError && ((error.status >= 400 && error.status < 500) || error.code === 'overloaded')
  return isRefusal ? { kind: 'asking', refusal: error.message } : { kind: 'lost', reason: error.message }
}
