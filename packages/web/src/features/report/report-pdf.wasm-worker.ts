import { reasonOf } from '../../lib/folded.ts'
import { drawPdf } from './pdf-document.tsx'
import type { PdfAnswer, PdfOrder } from './report-pdf.ts'

/** The worker of `writeReportPdf`. It writes one report and is then terminated. */
addEventListener('message', ({ data }: MessageEvent<PdfOrder>) => {
  drawPdf(data).then(
    (bytes) => answer({ bytes }, [bytes]),
    (error: unknown) => answer({ problem: reasonOf(error) }),
  )
})

function answer(message: PdfAnswer, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}
