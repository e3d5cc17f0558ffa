import type { BulkProgress } from '@benchwatch/contract/bulk-changes'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { ApiError, call } from '../../lib/http.ts'
import { serviceEventKeys } from '../service-events/service-events.api.ts'
import type { BulkRequest } from './bulk-request.ts'
import { type BulkRun, bulkRun } from './bulk-run.ts'

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
