import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { openLogFile } from './program.ts'

test('a log file continues where it was, and is put aside when it is full', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch-log-'))
  const file = path.join(folder, 'deep', 'server.log')
  const first = openLogFile(file, 10)
  first.write('one')
  first.close()
  const second = openLogFile(file, 10)
  second.write('second')
  second.write('third')
  second.close()
  expect(fs.readFileSync(`${file}.1`, 'utf8')).toBe('one\nsecond\n')
  expect(fs.readFileSync(file, 'utf8')).toBe('third\n')
  fs.rmSync(folder, { recursive: true })
})

test.runIf(fs.existsSync('/dev/full'))('a full disk costs lines of the log, never the product', () => {
  const told = vi.spyOn(console, 'error').mockReturnValue()
  const log = openLogFile('/dev/full')
  log.write('one')
  log.write('two')
  log.close()
  expect(told.mock.calls.flat()).toEqual([expect.stringMatching('/dev/full misses lines, .* no space left on device')])
  told.mockRestore()
})
