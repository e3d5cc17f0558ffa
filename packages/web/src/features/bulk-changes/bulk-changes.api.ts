import type { BulkProgress } from '@benchwatch/contract/bulk-changes'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { ApiError, call } from '../../lib/http.ts'
import { showFailure } from '../../ui/toasts.ts'
import type { SelectedEvents } from '../service-events/event-selection.ts'
import { seenPart } from '../service-events/new-events.ts'
import { serviceEventKeys } from '../service-events/service-events.api.ts'
import type { BulkRequest, BulkTask } from './bulk-request.ts'
import { type BulkRun, bulkRun } from './bulk-run.ts'
import { type BulkKind } from './bulk-words.ts'

/** The door to bulk changes: begins one and watches the job it may become. Wire 2. */

/** How often a job is asked how far it has come. */
const PROGRESS_POLL_MS = 1000

function progressQuery(jobId: string | null) {
  return queryOptions({
    queryKey: ['bulk-changes', jobId],
    queryFn: ({ signal }) => call('getBulkChange', { params: { jobId: jobId ?? '' }, signal }),
    enabled: jobId !== null,
    refetchInterval: ({ state }) => (isOver(state.data, state.error) ? false : PROGRESS_POLL_MS),
    // A hidden tab goes on watching, or its result would be missed.
    refetchIntervalInBackground: true,
    retry: false,
  })
}

function isOver(progress: BulkProgress | undefined, error: Error | null): boolean {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return true
  return progress !== undefined && progress.state !== 'running'
}

/**
 * Makes a task of what is selected now. All that a list finds would hold what comes while somebody is being asked, so it
 * ends with the newest event of this moment, and is counted anew.
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

/** A bulk change of this screen. `onEnd` hears the end of each once, after what is shown was asked for anew. */
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
