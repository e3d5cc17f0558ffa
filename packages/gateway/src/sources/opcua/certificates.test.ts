import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openCertificates } from './certificates.ts'

it('a certificate that is made before the clock is set is valid afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  vi.useFakeTimers({ now: 0, toFake: ['Date'] })
  onTestFinished(async () => {
    vi.useRealTimers()
    await rm(folder, { recursive: true })
  })
  const { certificateFile } = await openCertificates(folder)
  const { validFromDate, validToDate } = new X509Certificate(await readFile(certificateFile))
  expect([validFromDate, validToDate].map((date) => date.getUTCFullYear())).toEqual([2026, 2045])
})
