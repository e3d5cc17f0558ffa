import { notifications } from '@mantine/notifications'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { type ExportRun, runExport, setExportRun, useExportRun } from './export-button.tsx'

const exportId = '5a3f6e2b-8a55-4a3e-9a3e-0d1f6a0d7c11'
const url = `/api/exports/files/${'t'.repeat(43)}`
const wanted = {
  request: {
    query: { orderBy: 'severity' as const },
    body: { type: 'event' as const, ids: ['7'], mode: 'exclude' as const, filter: {} },
  },
  details: 'FULL' as const,
  count: 10,
}

/** Answers of a simulated server to each progress request. */
let looks: (() => Response)[]
let sent: { address: string; body: unknown }[]
let saved: string[]
let toasts: { title: unknown; message: unknown }[]

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const progress = (state: string, written: number) => () => json({ state, written, rows: 12, url })
const unreachable = () => {
  throw new TypeError('Failed to fetch')
}

// The schema that answers are checked against is loaded with the first one, and fake timers do not wait for files.
beforeAll(() => import('@benchwatch/contract/routes'))

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  saved = []
  toasts = []
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push({ address, body: init.method !== 'POST' ? null : (JSON.parse(String(init.body)) as unknown) })
    if (init.method === 'POST') return begin()
    return (looks.shift() ?? progress('ready', 12))()
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.getAttribute('href') ?? '')
  })
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    toasts.push({ title, message })
    return ''
  })
})
afterEach(() => {
  setExportRun({ kind: 'none' })
  setCredentials(null)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

let begin = () => json({ url, exportId, rows: 12, expiresAt: '2026-11-20T14:15:00.000Z' })

function run(): ExportRun {
  return renderHook(() => useExportRun()).result.current
}

it('requests the selection, shows its progress, and saves the file when it is ready', async () => {
  looks = [progress('running', 3), progress('running', 9)]
  void runExport(wanted)
  expect(run()).toMatchObject({ kind: 'running', written: 0, rows: 10 })
  await vi.advanceTimersByTimeAsync(300)
  expect(sent[0]).toEqual({
    address: '/api/export?orderBy=severity',
    body: { ids: ['7'], mode: 'exclude', filter: {}, type: 'event', details: 'FULL' },
  })
  expect(run()).toMatchObject({ kind: 'running', written: 3, rows: 12 })
  await vi.advanceTimersByTimeAsync(1000)
  expect(run()).toMatchObject({ written: 9 })
  expect(saved).toEqual([])
  await vi.advanceTimersByTimeAsync(1200)
  expect(saved).toEqual([url])
  expect(run()).toEqual({ kind: 'none' })
  expect(toasts).toEqual([{ title: 'Exported 12 events', message: 'The file is in your downloads.' }])
})

it('asks less and less often', async () => {
  looks = Array.from({ length: 100 }, () => progress('running', 1))
  void runExport(wanted)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent.length).toBeLessThan(30)
  expect(sent.length).toBeGreaterThan(18)
})

it('continues asking while the server can’t be reached, and says so', async () => {
  looks = [unreachable, unreachable]
  void runExport(wanted)
  await vi.advanceTimersByTimeAsync(300)
  expect(run()).toMatchObject({ kind: 'running', isOutOfReach: true })
  await vi.advanceTimersByTimeAsync(5000)
  expect(saved).toEqual([url])
})

it('gives up after a minute; trying again asks after the same file', async () => {
  looks = Array.from({ length: 24 }, () => unreachable)
  void runExport(wanted)
  await vi.advanceTimersByTimeAsync(70_000)
  const failed = run()
  expect(failed).toMatchObject({ kind: 'failed', reason: expect.stringContaining('could not be reached') })
  expect(toasts).toMatchObject([{ title: 'Failed to export event(s)' }])
  looks = []
  if (failed.kind === 'failed') failed.retry()
  await vi.advanceTimersByTimeAsync(300)
  expect(saved).toEqual([url])
  expect(sent.filter(({ body }) => body !== null)).toHaveLength(1)
})

it('a file that the server could not write is requested again', async () => {
  looks = [progress('failed', 0)]
  void runExport(wanted)
  await vi.advanceTimersByTimeAsync(300)
  const failed = run()
  expect(failed).toMatchObject({ kind: 'failed', reason: expect.stringContaining('could not write the file') })
  if (failed.kind === 'failed') failed.retry()
  await vi.advanceTimersByTimeAsync(300)
  expect(saved).toEqual([url])
  expect(sent.filter(({ body }) => body !== null)).toHaveLength(2)
})

it('a refusal is shown with its reason', async () => {
  const usual = begin
  begin = () => json({ ErrorBody: 'You have begun many exports.', code: 'too-many-requests' }, 429)
  try {
    await runExport(wanted)
  } finally {
    begin = usual
  }
  expect(run()).toMatchObject({ kind: 'failed', reason: 'You have begun many exports.' })
  expect(toasts).toEqual([{ title: 'Failed to export event(s)', message: 'You have begun many exports.' }])
})

it('cancelling ends the requests, and no file is saved', async () => {
  looks = [progress('running', 3)]
  void runExport(wanted)
  await vi.advanceTimersByTimeAsync(300)
  const running = run()
  if (running.kind === 'running') running.stop()
  const asked = sent.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent.length, saved, toasts, run()]).toEqual([asked, [], [], { kind: 'none' }])
})

it('the end of the session ends it without a message', async () => {
  looks = [() => json({ code: 'session-expired' }, 401), () => json({ code: 'session-expired' }, 401)]
  void runExport(wanted)
  await vi.advanceTimersByTimeAsync(300)
  expect([run(), toasts]).toEqual([{ kind: 'none' }, []])
})

it('mentions instruments when those are exported', async () => {
  looks = [progress('failed', 0)]
  const body = { type: 'instrument' as const, ids: [], mode: 'exclude' as const, filter: {} }
  void runExport({ ...wanted, request: { query: { instrumentFamily: 'UniFlux' }, body } })
  expect(run()).toMatchObject({ kind: 'running', type: 'instrument' })
  await vi.advanceTimersByTimeAsync(300)
  expect(toasts).toMatchObject([{ title: 'Failed to export instrument(s)' }])
  const failed = run()
  if (failed.kind === 'failed') failed.retry()
  await vi.advanceTimersByTimeAsync(300)
  expect(sent[0]).toMatchObject({ address: '/api/export?instrumentFamily=UniFlux', body: { type: 'instrument' } })
  expect(toasts[1]).toMatchObject({ title: 'Exported 12 instruments' })
})
