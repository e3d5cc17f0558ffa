import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/http.ts'
import { type BulkAnswers, bulkRun } from './bulk-changes.api.ts'

const nothing: BulkAnswers = {
  isSending: false,
  answer: undefined,
  error: null,
  progress: undefined,
  progressError: null,
}
const run = (answers: Partial<BulkAnswers>) => bulkRun({ ...nothing, ...answers })
const network = new ApiError('No answer.', { status: 0, code: 'network' })
const refusal = (status: number, code: string) => new ApiError('Not so.', { status, code })
const failed = [{ id: '4', eventId: '4', code: 'not-owner', ErrorBody: 'Take the event first.' }]
const job = { answer: { jobId: 'j' } }
const progress = { state: 'running', changed: 50, failed, done: 60, total: 600 } as const

describe('how a bulk change stands', () => {
  it('asks before anything is sent', () => {
    expect(run({})).toEqual({ kind: 'asking', refusal: null })
  })

  it('asks again with the sentence of the server when it refuses: nothing was changed', () => {
    expect(run({ error: refusal(400, 'selection-too-large') })).toEqual({ kind: 'asking', refusal: 'Not so.' })
    expect(run({ error: refusal(503, 'overloaded') })).toEqual({ kind: 'asking', refusal: 'Not so.' })
  })

  it.each([network, refusal(500, 'internal'), refusal(503, 'unavailable'), refusal(504, 'unknown')])(
    'is lost if no answer reports its progress (%s)',
    (error) => {
      expect(run({ error })).toEqual({ kind: 'lost', reason: error.message })
    },
  )

  it('a repeat is under way, whatever the answer before', () => {
    expect(run({ error: network, isSending: true })).toMatchObject({ kind: 'running', progress: null })
  })

  it('ends with its request up to 500 events', () => {
    expect(run({ answer: { changed: 3, failed } })).toEqual({ kind: 'ended', changed: 3, failed, isWhole: true })
  })

  it('continues as a job above, until the job is done', () => {
    expect(run(job)).toEqual({ kind: 'running', progress: null, isOutOfReach: false })
    expect(run({ ...job, progress })).toEqual({ kind: 'running', progress, isOutOfReach: false })
    const done = { ...progress, state: 'done', changed: 599, done: 600 } as const
    expect(run({ ...job, progress: done })).toEqual({ kind: 'ended', changed: 599, failed, isWhole: true })
  })

  it('a job that was stopped changed only a part', () => {
    expect(run({ ...job, progress: { ...progress, state: 'failed' } })).toMatchObject({ kind: 'ended', isWhole: false })
  })

  it('continues while its job can’t be reached, and is lost once the job is unknown', () => {
    expect(run({ ...job, progress, progressError: network })).toMatchObject({ kind: 'running', isOutOfReach: true })
    expect(run({ ...job, progress, progressError: refusal(404, 'not-found') })).toMatchObject({ kind: 'lost' })
  })
})
