import type { BulkFailure, BulkProgress, BulkResult } from '@benchwatch/contract/events/bulk-changes'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { counted } from '../../lib/folded.ts'
import { ApiError, call } from '../../lib/http.ts'
import { showFailure, showSending, showSuccess } from '../../ui/overlay/toasts.ts'
import type { EventRows } from '../events/event-cache.ts'
import { serviceEventKeys } from '../events/events.api.ts'
import type { SelectedEvents } from '../events/list/event-list-request.ts'
import { seenPart } from '../events/list/new-events.ts'
import type { Viewer } from '../events/owner/event-owner.ts'
import { type BulkKind, type BulkRequest, type BulkTask, eventNames } from './bulk-request.ts'

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
export function useBulkTask(viewer: Viewer) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ kind, selected }: { kind: BulkKind; selected: SelectedEvents }): Promise<BulkTask> => {
      const shown = ownOnPages(client, { ids: selected.ids, viewer })
      if (selected.mode === 'include') return { kind, selected, own: shown }
      const { query, body } = selected.narrowing
      const newestFirst = { limit: '1', offset: '0', order: 'DESC', orderBy: 'createdAt' } as const
      const { values, total } = await call('listServiceEvents', { query: { ...query, ...newestFirst }, body })
      const newest = values[0]?.alarm.createdAt
      const end = newest === undefined ? null : new Date(Date.parse(newest) + 1).toISOString()
      const count = Math.max(0, total.events - selected.ids.length)
      const narrowing = seenPart(selected.narrowing, end)
      const own = shown === null || kind !== 'close' ? null : await countOwn(narrowing, { shown, viewer })
      return { kind, selected: { ...selected, count, narrowing }, own }
    },
    onError: ({ message }) => showFailure({ title: 'Could not get events', message }),
  })
}

/** Returns those of these events that the user owns; null if one is on none of the pages that are loaded. */
function ownOnPages(client: QueryClient, { ids, viewer }: { ids: readonly string[]; viewer: Viewer }): BulkTask['own'] {
  const pages = client.getQueriesData<EventRows>({ queryKey: serviceEventKeys.lists })
  const owners = new Map(
    pages.flatMap(([, page]) => (page?.values ?? []).map(({ alarm }) => [alarm.id, alarm.claimedBy] as const)),
  )
  if (ids.some((id) => !owners.has(id))) return null
  const own = ids.filter((id) => owners.get(id) === viewer.id)
  return { count: own.length, ids: own }
}

/** Counts the user's events in the list, without those of `shown`, which are not selected. */
async function countOwn(
  { query, body }: SelectedEvents['narrowing'],
  { shown, viewer }: { shown: NonNullable<BulkTask['own']>; viewer: Viewer },
): Promise<BulkTask['own']> {
  const owners = body.filter.owner ?? []
  if (owners.length > 0 && !owners.includes(viewer.id)) return { count: 0, ids: [] }
  const own = { filter: { ...body.filter, owner: [viewer.id] } }
  const { total } = await call('listServiceEvents', { query: { ...query, limit: '1', offset: '0' }, body: own })
  return { count: Math.max(0, total.events - shown.count), ids: [] }
}

/** Takes back the user's claims of these events, and says of which ones it could not. */
export async function undoClaims(client: QueryClient, ids: readonly string[]): Promise<void> {
  try {
    const body: BulkRequest = { ids: [...ids], mode: 'include', change: { undo: true } }
    const answer = await showSending(counted(ids.length, 'event'), call('changeServiceEvents', { body }))
    if ('jobId' in answer) return
    const { changed, failed } = answer
    if (changed > 0) showSuccess({ title: `${counted(changed, 'assignment')} undone` })
    if (failed.length > 0)
      showFailure({ title: `${counted(failed.length, 'assignment')} not undone`, message: notUndone(failed) })
  } catch (error) {
    showFailure({ title: 'Could not undo', message: error instanceof Error ? error.message : '' })
  }
  refetchChanged(client)
}

function notUndone(failed: readonly BulkFailure[]): string {
  return `${eventNames(failed)} changed in the meantime. Check the current owner.`
}

function refetchChanged(client: QueryClient): void {
  for (const queryKey of [serviceEventKeys.lists, serviceEventKeys.totals, serviceEventKeys.details])
    void client.invalidateQueries({ queryKey })
}

/** A request for a number of events, and the claim of the same events that has to come before it. */
export interface BulkOrder {
  request: BulkRequest
  claim?: BulkRequest | undefined
  count: number
}

/**
 * Runs a bulk change of this screen. `onEnd` is called once after each, when the data on the screen has been
 * refetched.
 */
export function useBulkRun(onEnd: (run: BulkRun) => void): { run: BulkRun; begin: (order: BulkOrder) => void } {
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: (order: BulkOrder) => showSending(counted(order.count, 'event'), send(order)),
  })
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
    refetchChanged(client)
    onEnd(run)
  })
  const isOverNow = run.kind === 'ended' || run.kind === 'lost'
  useEffect(() => {
    if (isOverNow) end()
  }, [isOverNow])
  return { run, begin: sending.mutate }
}

async function send({ request, claim }: BulkOrder) {
  if (claim !== undefined) await call('changeServiceEvents', { body: claim })
  return call('changeServiceEvents', { body: request })
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
