import type { Report } from './report-model.ts'

/** A report to write. The instrument's `country` determines the shape of Han characters. */
export interface PdfOrder {
  report: Report
  country: string | null
}
export type PdfAnswer = { bytes: ArrayBuffer } | { problem: string }

/** A report takes one to three seconds, and about ten if fonts load over a slow line. */
const PATIENCE_MS = 60_000

/**
 * Writes a report as PDF in a worker, so that the screen stays responsive. Only this worker may run WebAssembly (see
 * its name in the server).
 */
export async function writeReportPdf(order: PdfOrder): Promise<ArrayBuffer> {
  let patience: ReturnType<typeof setTimeout> | undefined
  const worker = new Worker(new URL('./report-pdf.wasm-worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await new Promise<PdfAnswer>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<PdfAnswer>) => resolve(data))
      // The worker may not even have started; without an answer the caller would wait forever.
      worker.addEventListener('error', () =>
        resolve({ problem: 'This browser could not create the PDF. Print the report instead.' }),
      )
      patience = setTimeout(
        () => resolve({ problem: 'Creating the PDF took too long. Print the report instead.' }),
        PATIENCE_MS,
      )
      worker.postMessage(order)
    })
    if ('problem' in answer) throw new Error(answer.problem)
    return answer.bytes
  } finally {
    clearTimeout(patience)
    worker.terminate()
  }
}
