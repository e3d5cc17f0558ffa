import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reasonOf } from '../../lib/folded.ts'
import { type PdfOrder, writeReportPdf } from './report-pdf.ts'

/** A worker that answers only when the test makes it. */
class SilentWorker extends EventTarget {
  static last: SilentWorker
  isEnded = false
  constructor() {
    super()
    SilentWorker.last = this
  }
  postMessage() {}
  terminate() {
    this.isEnded = true
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('Worker', SilentWorker)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const order = {} as PdfOrder

it('a report that is never finished is given up after a minute, with advice', async () => {
  const written = writeReportPdf(order).catch(reasonOf)
  await vi.advanceTimersByTimeAsync(59_999)
  expect(SilentWorker.last.isEnded).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await written).toBe('Creating the PDF took too long. Print the report instead.')
  expect(SilentWorker.last.isEnded).toBe(true)
})

it('the bytes of a report end the worker that wrote them', async () => {
  const written = writeReportPdf(order)
  const bytes = new ArrayBuffer(3)
  SilentWorker.last.dispatchEvent(new MessageEvent('message', { data: { bytes } }))
  expect(await written).toBe(bytes)
  expect(SilentWorker.last.isEnded).toBe(true)
})
