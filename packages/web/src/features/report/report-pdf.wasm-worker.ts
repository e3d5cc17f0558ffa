import { drawPdf } from './pdf-document.tsx'
import type { PdfAnswer, PdfOrder } from './report-pdf.ts'

addEventListener('message', async ({ data }: MessageEvent<PdfOrder>) => {
  try {
    const bytes = await drawPdf(data)
    answer({ bytes }, [bytes])
  } catch (error) {
    answer({ problem: error instanceof Error ? error.message : String(error) })
  }
})

function answer(message: PdfAnswer, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}
