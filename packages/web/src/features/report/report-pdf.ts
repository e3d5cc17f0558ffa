import type { Report } from './report-model.ts'

/** A report to write; `country` of the instrument tells how Han characters are drawn there. */
export interface PdfOrder {
  report: Report
  country: string | null
}
export type PdfAnswer = { bytes: ArrayBuffer } | { problem: string }

/** A report takes one to three seconds, and some ten where fonts come over a slow line. */
const PATIENCE_MS = 60_000

/** Writes a report as PDF, in a worker: the screen stays free, and only this worker may run WebAssembly (see its name in the server). */
export async function writeReportPdf(order: PdfOrder): Promise<ArrayBuffer> {
  let patience: ReturnType<typeof setTimeout> | undefined
  const worker = new Worker(new URL('./report-pdf.wasm-worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await new Promise<PdfAnswer>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<PdfAnswer>) => resolve(data))
      // It may not even have started: without an answer, whoever waits would wait for ever.
      worker.addEventListener('error', () => resolve({ problem: 'This browser could not write it. Print it instead.' }))
      patience = setTimeout(() => resolve({ problem: 'It took too long to write. Print it instead.' }), PATIENCE_MS)
      worker.postMessage(order)
    })
    if ('problem' in answer) throw new Error(answer.problem)
    return answer.bytes
  } finally {
    clearTimeout(patience)
    worker.terminate()
  }
}
